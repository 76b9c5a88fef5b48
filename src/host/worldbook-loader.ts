import { notice, type Notice } from '../notice';
import type { WorldbookPort } from '../ports';
import type { Book } from '../worldbook/entry';
import { importTavernModule, tavern, type ModuleImporter } from './context';
import { on, type TavernEvent } from './events';
import { inSlices, type SliceClock } from '../steps';
import { createClock } from './clock';
import { fitsFingerprint, takeFingerprint, type Fingerprint } from './fingerprint';
import { readGlobalSettings } from './worldbook-settings';
import { allSources, embeddedBook, isCopyOf, linkedSource, possibleCopyOf, speakingCard, type BookSource, type WorldInfoModule } from './worldbook-sources';

export interface WorldbookLoader extends WorldbookPort {
    /** Forgets what was read; the next load reads everything anew. */
    refresh(): void;
}

export interface WorldbookLoaderOptions {
    signal: AbortSignal;
    importModule?: ModuleImporter;
    clock?: SliceClock;
    /** Called when the host says that a book, the selection of books or the chat has changed. */
    onChange?: () => void;
}

// A changed book is found out by its fingerprint; these only tell whoever shows the books.
const changing: TavernEvent[] = ['WORLDINFO_UPDATED', 'WORLDINFO_SETTINGS_UPDATED', 'CHARACTER_EDITED', 'CHARACTER_RENAMED', 'CHARACTER_DELETED', 'PERSONA_CHANGED', 'GROUP_UPDATED'];

/** A copy whose upper two levels are ours, so that a changed book is a new object to whoever keeps an index of the old one. */
function detach(data: unknown): unknown {
    if (typeof data !== 'object' || data === null) return data;
    const copy: Record<string, unknown> = { ...data };
    const entries = copy['entries'];
    if (Array.isArray(entries)) copy['entries'] = [...(entries as unknown[])];
    else if (typeof entries === 'object' && entries !== null) copy['entries'] = { ...entries };
    return copy;
}

/** ST's server answers a world that is not there with an empty one. */
function isStandIn(raw: object, name: string, { world_names: names }: WorldInfoModule): boolean {
    const { entries } = raw as { entries?: object };
    return Array.isArray(names) && !names.includes(name) && Object.keys(entries ?? {}).length === 0;
}

/**
 * Loads worldbooks as the seed's sources name them. As long as a book is unchanged the very same Book comes back; an edit
 * shows on the next load even before ST has saved it (its editor saves with a delay, but fills its cache at once).
 */
export function createWorldbookLoader(options: WorldbookLoaderOptions): WorldbookLoader {
    const importModule = options.importModule ?? importTavernModule;
    const kept = new Map<string, { book: Book; fingerprint: Promise<Fingerprint> }>();
    const clock = options.clock ?? createClock();
    let module: WorldInfoModule = {};
    let decided: { own: Book | undefined; linked: Book | undefined; isCopy: boolean } | undefined;
    let forced: { world: string; uid: number }[] = [];

    for (const event of changing) on(event, () => options.onChange?.(), options.signal);
    on('CHAT_CHANGED', () => {
        kept.clear();
        options.onChange?.();
    }, options.signal);
    on('WORLDINFO_FORCE_ACTIVATE', (entries: { world?: unknown; uid?: unknown }[]) => {
        for (const { world, uid } of Array.isArray(entries) ? entries : []) {
            if (typeof world === 'string' && Number.isFinite(Number(uid))) forced.push({ world, uid: Number(uid) });
        }
    }, options.signal);
    // ST's own scan uses them up; what is forced after it is for the next turn.
    for (const event of ['GENERATION_ENDED', 'CHAT_CHANGED'] as const) on(event, () => { forced = []; }, options.signal);

    async function keep(key: string, raw: unknown, describe: (data: unknown) => Book): Promise<Book> {
        const known = kept.get(key);
        if (known !== undefined && (await inSlices(fitsFingerprint(raw, await known.fingerprint), clock))) return known.book;
        const book = describe(detach(raw));
        kept.set(key, { book, fingerprint: inSlices(takeFingerprint(raw), clock) });
        return book;
    }

    /** The world as ST has it in memory. Through its cache's own `get` it would be deep-cloned at each turn. */
    async function rawWorld(name: string): Promise<unknown> {
        const loaded = (): unknown => (module.worldInfoCache instanceof Map ? (Map.prototype.get.call(module.worldInfoCache, name) as unknown) : undefined);
        return loaded() ?? (await tavern().loadWorldInfo(name));
    }

    async function loadSource(source: BookSource, notices: Notice[]): Promise<Book[]> {
        if (source.shape === 'card') return [await keep(`card:${source.avatar}`, source.data, (data) => ({ name: source.name, origin: 'card', shape: 'card', data }))];
        let raw: unknown;
        try {
            raw = await rawWorld(source.name);
        } catch (error) {
            notices.push(notice('error', 'host.world-unreadable', { world: source.name, error: error instanceof Error ? error.message : String(error) }));
            return [];
        }
        if (typeof raw !== 'object' || raw === null || isStandIn(raw, source.name, module)) {
            notices.push(notice('warning', 'host.world-missing', { world: source.name }));
            return [];
        }
        return [await keep(`${source.origin}:${source.name}`, raw, (data) => ({ name: source.name, origin: source.origin, shape: 'world', data }))];
    }

    async function load(source: 'auto' | 'card' | 'world' | 'all', notices: Notice[]): Promise<Book[]> {
        const card = await speakingCard();
        const books = async (sources: BookSource[]): Promise<Book[]> => {
            const loaded: Book[] = [];
            for (const found of sources) loaded.push(...(await loadSource(found, notices)));
            return loaded;
        };
        if (source === 'all') return books(allSources(card, module));
        if (source === 'world') {
            const linked = linkedSource(card);
            notices.push(...linked.notices);
            return books(linked.sources);
        }
        const embedded = card === null ? null : embeddedBook(card);
        if (source === 'card' && embedded === null) notices.push(notice('info', 'host.no-embedded-book', { character: card?.name ?? '' }));
        if (source === 'card') return books(embedded === null ? [] : [embedded]);
        if (card === null || embedded === null) return books(linkedSource(card).sources);
        const own = await books([embedded]);
        const copy = possibleCopyOf(card);
        const world = copy === null ? null : await rawWorld(copy).catch(() => null);
        if (copy === null || typeof world !== 'object' || world === null || isStandIn(world, copy, module)) return own;
        const linked = await books(linkedSource(card).sources);
        // Both are the very books of last time as long as neither changed.
        if (decided === undefined || decided.own !== own[0] || decided.linked !== linked[0]) {
            decided = { own: own[0], linked: linked[0], isCopy: isCopyOf(own[0]?.data, linked[0]?.data) };
        }
        return decided.isCopy ? linked : own;
    }

    return {
        async load(source) {
            module = (await importModule('/scripts/world-info.js').catch(() => ({}))) as WorldInfoModule;
            const notices: Notice[] = [];
            return { books: await load(source, notices), notices };
        },
        globalSettings: () => readGlobalSettings(module.getWorldInfoSettings?.() ?? {}),
        forced: () => [...forced],
        refresh() {
            kept.clear();
            options.onChange?.();
        },
    };
}
