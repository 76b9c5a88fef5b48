import { encodePng } from './png';
import { paintTower } from './avatar';

/** An entry of a card's own book, as a world author thinks of it. */
export interface DemoEntry {
    comment: string;
    content: string;
    /** 0 = before the card's texts, 1 = after them, 4 = at depth as a system message. */
    position: 0 | 1 | 4;
    constant?: boolean;
    keys?: string[];
    /** Also needed beside a key: any of them. */
    secondaryKeys?: string[];
    order?: number;
    enabled?: boolean;
    /** Its text may bring in other entries. */
    recursive?: boolean;
}

/** A character card of the demo. */
export interface DemoCard {
    /** File name without extension: also the key that SillyTavern knows the character by. */
    file: string;
    name: string;
    mood: 'night' | 'dawn';
    description: string;
    personality: string;
    scenario: string;
    greeting: string;
    alternateGreetings?: string[];
    creatorNotes: string;
    tags: string[];
    bookName: string;
    entries: DemoEntry[];
}

/** One entry in the shape of a card's `character_book` (the fields that SillyTavern's import reads). */
function toBookEntry(entry: DemoEntry, id: number): Record<string, unknown> {
    return {
        id,
        keys: entry.keys ?? [],
        secondary_keys: entry.secondaryKeys ?? [],
        comment: entry.comment,
        content: entry.content,
        constant: entry.constant ?? false,
        selective: (entry.secondaryKeys ?? []).length > 0,
        insertion_order: entry.order ?? 100,
        enabled: entry.enabled ?? true,
        position: entry.position === 0 ? 'before_char' : 'after_char',
        use_regex: true,
        extensions: {
            position: entry.position,
            depth: 4,
            role: 0,
            selectiveLogic: 0,
            probability: 100,
            useProbability: true,
            exclude_recursion: false,
            prevent_recursion: !(entry.recursive ?? false),
            delay_until_recursion: false,
            display_index: id,
        },
    };
}

/** The same entry in the shape of a world file. */
function toWorldEntry(entry: DemoEntry, uid: number): Record<string, unknown> {
    return {
        uid,
        key: entry.keys ?? [],
        keysecondary: entry.secondaryKeys ?? [],
        comment: entry.comment,
        content: entry.content,
        constant: entry.constant ?? false,
        selective: (entry.secondaryKeys ?? []).length > 0,
        selectiveLogic: 0,
        order: entry.order ?? 100,
        position: entry.position,
        disable: !(entry.enabled ?? true),
        depth: 4,
        role: 0,
        probability: 100,
        useProbability: true,
        excludeRecursion: false,
        preventRecursion: !(entry.recursive ?? false),
        delayUntilRecursion: false,
        displayIndex: uid,
        extensions: {},
    };
}

/** The card as SillyTavern reads it from a PNG. `linkBook` names the world file it was imported to. */
export function cardJson(card: DemoCard, linkBook: boolean): Record<string, unknown> {
    const data = {
        name: card.name,
        description: card.description,
        personality: card.personality,
        scenario: card.scenario,
        first_mes: card.greeting,
        mes_example: '',
        creator_notes: card.creatorNotes,
        system_prompt: '',
        post_history_instructions: '',
        alternate_greetings: card.alternateGreetings ?? [],
        tags: card.tags,
        creator: 'Narrative Agent demo',
        character_version: '1.0',
        extensions: { talkativeness: '0.5', fav: false, world: linkBook ? card.bookName : '', depth_prompt: { prompt: '', depth: 4, role: 'system' } },
        character_book: { name: card.bookName, entries: card.entries.map(toBookEntry) },
    };
    return {
        spec: 'chara_card_v2',
        spec_version: '2.0',
        name: data.name,
        description: data.description,
        personality: data.personality,
        scenario: data.scenario,
        first_mes: data.first_mes,
        mes_example: '',
        creatorcomment: data.creator_notes,
        avatar: 'none',
        talkativeness: '0.5',
        fav: false,
        tags: data.tags,
        create_date: '2026-01-01T00:00:00.000Z',
        data,
    };
}

/** The card as a PNG file: a painted portrait that carries the card's data in its `chara` chunk. */
export function cardPng(card: DemoCard, linkBook: boolean): Buffer {
    const painting = paintTower(card.mood);
    const chara = Buffer.from(JSON.stringify(cardJson(card, linkBook)), 'utf8').toString('base64');
    return encodePng(painting.width, painting.height, painting.rgb, { chara });
}

/** The card's book as a world file. */
export function worldFile(card: DemoCard): Record<string, unknown> {
    return { name: card.bookName, entries: Object.fromEntries(card.entries.map((entry, index) => [String(index), toWorldEntry(entry, index)])), extensions: {} };
}
