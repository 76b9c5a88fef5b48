import { notice, type Notice } from '../notice';
import type { BookOrigin } from '../worldbook/entry';
import { speakingCharacterIndex, tavern, type TavernCharacter, type TavernContext } from './context';

/** A book to load: the card's own, or a world file by name. */
export type BookSource = { shape: 'card'; name: string; avatar: string; data: unknown } | { shape: 'world'; name: string; origin: BookOrigin };

/** What world-info.js exports and the context does not carry. Read at each use: these are live bindings. */
export interface WorldInfoModule {
    selected_world_info?: string[];
    /** Names of the worlds there are. */
    world_names?: unknown;
    world_info?: { charLore?: { name: string; extraBooks?: string[] }[] };
    world_info_character_strategy?: number | string;
    worldInfoCache?: unknown;
    getWorldInfoSettings?: () => Record<string, unknown>;
}

/** The speaking card with its texts and book loaded (cards are shallow where ST loads them lazily). */
export async function speakingCard(): Promise<TavernCharacter | null> {
    const index = speakingCharacterIndex();
    if (index === null) return null;
    const context = tavern();
    if (context.characters[index]?.shallow === true) await context.unshallowCharacter?.(index);
    return tavern().characters[index] ?? null;
}

/** The card's embedded book, null when it has none or an empty shell of one. */
export function embeddedBook(card: TavernCharacter): BookSource | null {
    const data = card.data?.character_book as { name?: unknown; entries?: unknown } | null | undefined;
    if (typeof data !== 'object' || data === null) return null;
    const entries = data.entries;
    const count = Array.isArray(entries) ? entries.length : typeof entries === 'object' && entries !== null ? Object.keys(entries).length : 0;
    if (count === 0) return null;
    return { shape: 'card', name: typeof data.name === 'string' && data.name !== '' ? data.name : card.name, avatar: card.avatar, data };
}

function linkedWorld(card: TavernCharacter): string | null {
    const name = card.data?.extensions?.world;
    return typeof name === 'string' && name !== '' ? name : null;
}

/**
 * The linked world where its name says that it may be the embedded book's other copy: ST names an import after the book,
 * or `<card>'s Lorebook` (world-info.js importEmbeddedWorldInfo), and names the book after the world when it writes a
 * linked world into a saved card. Null otherwise.
 */
export function possibleCopyOf(card: TavernCharacter): string | null {
    const linked = linkedWorld(card);
    const bookName = (card.data?.character_book as { name?: unknown } | undefined)?.name;
    return linked !== null && (linked === bookName || linked === `${card.name}'s Lorebook`) ? linked : null;
}

/** Books of the `world` source: the card's linked world. */
export function linkedSource(card: TavernCharacter | null): { sources: BookSource[]; notices: Notice[] } {
    const linked = card === null ? null : linkedWorld(card);
    if (linked === null) return { sources: [], notices: [notice('info', 'host.no-linked-world', { character: card?.name ?? '' })] };
    return { sources: [{ shape: 'world', name: linked, origin: 'character' }], notices: [] };
}

function fileNameOf(card: TavernCharacter): string {
    return card.avatar.replace(/\.[^/.]+$/, '');
}

/**
 * Books that ST itself would scan, in its order (world-info.js getSortedEntries): chat, persona, then character and global
 * by the user's strategy. A book in several places counts once, as there: global beats all, then chat, then persona.
 */
export function allSources(card: TavernCharacter | null, module: WorldInfoModule, context: TavernContext = tavern()): BookSource[] {
    const global = (module.selected_world_info ?? []).map(String);
    const chatBook = context.chatMetadata['world_info'];
    const personaBook = context.powerUserSettings['persona_description_lorebook'];
    const taken = new Set(global);
    const world = (name: unknown, origin: BookOrigin): BookSource[] => {
        if (typeof name !== 'string' || name === '' || (origin !== 'global' && taken.has(name))) return [];
        taken.add(name);
        return [{ shape: 'world', name, origin }];
    };
    const chat = world(chatBook, 'chat');
    const persona = world(personaBook, 'persona');
    const character: BookSource[] = [];
    if (card !== null) {
        character.push(...world(linkedWorld(card), 'character'));
        const extra = module.world_info?.charLore?.find((lore) => lore.name === fileNameOf(card));
        for (const name of extra?.extraBooks ?? []) character.push(...world(name, 'additional'));
    }
    const globals = global.flatMap((name) => world(name, 'global'));
    const characterFirst = Number(module.world_info_character_strategy ?? 1) === 1;
    return [...chat, ...persona, ...(characterFirst ? [...character, ...globals] : [...globals, ...character])];
}

type RawEntries = Record<string, { comment?: unknown; content?: unknown } | undefined>;

/**
 * Whether a world is the embedded book's other copy: made from it by ST (it then holds `originalData`), or at least half
 * of the book's entries stand in it with the same number and the same title or text. Edits go to that copy, and ST brings
 * the card up to date only when the card is saved, so the copy is the newer one.
 */
export function isCopyOf(embedded: unknown, world: unknown): boolean {
    if (typeof world !== 'object' || world === null) return false;
    if ('originalData' in world) return true;
    const entries = (world as { entries?: RawEntries }).entries ?? {};
    const own = (embedded as { entries?: unknown }).entries;
    const list = (Array.isArray(own) ? own : Object.values(own ?? {})) as ({ id?: unknown; comment?: unknown; content?: unknown } | null)[];
    const shared = list.filter((entry, position) => {
        const other = entries[String(entry?.id ?? position)];
        if (entry === null || other === undefined) return false;
        return other.content === entry.content || (typeof entry.comment === 'string' && entry.comment !== '' && other.comment === entry.comment);
    });
    return list.length > 0 && shared.length * 2 >= list.length;
}
