import { notice, type Notice } from '../notice';
import { atOnce, type Steps } from '../steps';
import { classify } from './classify';
import { parseDirectives, type Directives } from './directives';
import type { Entry } from './entry';
import { shortHash } from './hash';
import { compileKey, type Key } from './key';
import { buildKeyIndex, type KeyIndex } from './key-index';
import type { Decision, EntryKind } from './snapshot';

/** An entry prepared for many turns. */
export interface IndexedEntry {
    /** As the engine reads it: directives that stand for a field are already in. */
    entry: Entry;
    kind: EntryKind;
    title: string;
    /** Content without its directive lines. */
    content: string;
    directives: Directives | null;
    /** Of the raw content. */
    hash: string;
    /** Place in the host's scan order, 0 = first. */
    rank: number;
    primary: string[];
    secondary: string[];
    /** Takes part in something that must be asked every turn, whether a key occurs or not. */
    special: boolean;
    /** The decision of a turn in which nothing speaks for it. Shared between turns, never changed. */
    idle: Decision;
}

export interface BookIndex {
    /** In scan order. */
    items: IndexedEntry[];
    byId: Map<string, IndexedEntry>;
    /** Names of the books, in scan order. */
    books: string[];
    keys: KeyIndex;
    /** A prepared key; the same text gives the same object. */
    keyOf(text: string): Key;
    /** Ranks of the entries that every turn must look at. */
    specials: number[];
    /** Recursion delay levels present, ascending. */
    delayLevels: number[];
    /** The greatest scan depth an entry asks for itself. */
    deepestScan: number;
    /** What authors should be told about the books as such. */
    notices: Notice[];
}

/** Order of the origins in a scan (ST getSortedEntries): chat, persona, then character and global by strategy (0 mixed, 1 character first, 2 global first). */
function originRank(entry: Entry, strategy: 0 | 1 | 2): number {
    if (entry.origin === 'chat') return 0;
    if (entry.origin === 'persona') return 1;
    if (strategy === 0) return 2;
    return (entry.origin === 'global') === (strategy === 2) ? 2 : 3;
}

/** Sorts entries as the host scans them: by origin, order descending, ties by book and uid. Global books stand before the character's where mixed. */
function scanOrder(entries: readonly Entry[], strategy: 0 | 1 | 2): Entry[] {
    const books = new Map<string, number>();
    for (const entry of entries) {
        const name = `${entry.origin}\u0000${entry.book}`;
        if (!books.has(name)) books.set(name, books.size + (strategy === 0 && entry.origin !== 'global' ? 1e6 : 0));
    }
    const keyed = entries.map((entry) => ({ entry, origin: originRank(entry, strategy), book: books.get(`${entry.origin}\u0000${entry.book}`) ?? 0 }));
    keyed.sort((a, b) => a.origin - b.origin || b.entry.order - a.entry.order || a.book - b.book || a.entry.uid - b.entry.uid);
    return keyed.map(({ entry }) => entry);
}

/**
 * Prepares the entries of all loaded books for the turns of a chat: once per version of the books (bookFingerprint), because this is
 * where the time goes. A book that is loaded twice counts once, in its first place.
 */
export function buildIndex(entries: readonly Entry[], options: { characterStrategy?: 0 | 1 | 2 } = {}): BookIndex {
    return atOnce(buildIndexSteps(entries, options));
}

/** buildIndex, in steps. */
export function* buildIndexSteps(entries: readonly Entry[], options: { characterStrategy?: 0 | 1 | 2 } = {}): Steps<BookIndex> {
    const notices: Notice[] = [];
    const compiled = new Map<string, Key>();
    const keyOf = (text: string): Key => {
        let key = compiled.get(text);
        if (!key) {
            // Keys made of macros may differ every turn; the table must not grow with the chat.
            if (compiled.size > 500_000) compiled.clear();
            compiled.set(text, (key = compileKey(text)));
        }
        return key;
    };
    const keyed: [Key, number][] = [];
    const items: IndexedEntry[] = [];
    const single = withoutRepeats(entries, notices);
    yield;
    for (const entry of scanOrder(single, options.characterStrategy ?? 1)) {
        items.push(prepare(entry, items.length, keyOf, keyed, notices));
        if (items.length % 100 === 0) yield;
    }
    const levels = new Set<number>();
    const specials: number[] = [];
    let deepestScan = 0;
    for (const item of items) {
        deepestScan = Math.max(deepestScan, item.entry.scanDepth ?? 0);
        if (item.entry.delayUntilRecursion > 0) levels.add(item.entry.delayUntilRecursion);
        if (item.special) specials.push(item.rank);
    }
    return {
        items,
        byId: new Map(items.map((item) => [item.entry.id, item])),
        books: [...new Set(items.map((item) => item.entry.book))],
        keys: yield* buildKeyIndex(keyed),
        keyOf,
        specials,
        delayLevels: [...levels].sort((a, b) => a - b),
        deepestScan,
        notices: limited(notices),
    };
}

function withoutRepeats(entries: readonly Entry[], notices: Notice[]): readonly Entry[] {
    const seen = new Set<string>();
    const repeated = new Set<string>();
    const kept = entries.filter((entry) => {
        if (seen.has(entry.id)) repeated.add(entry.book);
        return !seen.has(entry.id) && seen.add(entry.id);
    });
    for (const book of repeated) notices.push(notice('info', 'worldbook.book-twice', { book }));
    return kept;
}

const mostNotices = 100;

/** A book of thousands of bad keys must not bury everything else. */
function limited(notices: Notice[]): Notice[] {
    return notices.length <= mostNotices ? notices : [...notices.slice(0, mostNotices), notice('info', 'worldbook.more-notices', { count: notices.length - mostNotices })];
}

function prepare(entry: Entry, rank: number, keyOf: (text: string) => Key, keyed: [Key, number][], notices: Notice[]): IndexedEntry {
    const title = entry.comment || entry.key[0] || `#${entry.uid}`;
    const kind = classify(entry);
    const parsed = parseDirectives(entry.content, { book: entry.book, title });
    if (!entry.disable) notices.push(...parsed.notices);
    const { directives } = parsed;
    const effective = directives ? withDirectives(entry, directives) : entry;
    const hash = shortHash(entry.content);
    let special = entry.constant || kind !== 'lore' || directives !== null || entry.triggers.length > 0 || entry.characterFilter !== null || entry.delay !== null && entry.delay > 0;
    if (!entry.disable && kind === 'lore') {
        for (const text of entry.keysecondary.length === 0 ? entry.key : [...entry.key, ...entry.keysecondary]) {
            if (mayBeMacro(text)) special = true;
            else {
                const key = keyOf(text.trim());
                if (key.needle !== '') keyed.push([key, rank]);
                else if (text !== '') special = true;
                if (key.invalid) notices.push(notice('warning', 'worldbook.invalid-regex', { book: entry.book, title, key: text }));
                if (text !== '' && key.text === '') notices.push(notice('warning', 'worldbook.blank-key', { book: entry.book, title }));
            }
        }
    }
    const idle: Decision = Object.freeze({
        entry: entry.id,
        title,
        kind,
        status: 'out',
        by: entry.disable && kind !== 'initvar' ? 'disabled' : entry.key.length === 0 ? 'no-keys' : 'no-keyword',
        because: Object.freeze({}),
        tokens: 0,
        section: null,
        audience: directives?.audience ?? 'all',
        hash,
    });
    return { entry: effective, kind, title, content: parsed.content, directives, hash, rank, primary: entry.key, secondary: entry.keysecondary, special: special && !(entry.disable && kind !== 'initvar'), idle };
}

/** Whether a tool or update rule is on without a look at any text: constant, directed so, or without a key to wait for. */
export function alwaysOn(item: Pick<IndexedEntry, 'entry' | 'directives' | 'primary' | 'secondary'>): boolean {
    return item.entry.constant || item.directives?.required === true || item.directives?.activate === true || (item.primary.length === 0 && item.secondary.length === 0);
}

/** Whether the host's macro substitution could change the text. */
export function mayBeMacro(text: string): boolean {
    return text.includes('{{') || (text.includes('<') && /<(?:user|bot|char|group|charifnotgroup)>/i.test(text));
}

/** Longer than any chat, and still exact as a number. */
const forever = 1_000_000_000;

function withDirectives(entry: Entry, directives: Directives): Entry {
    return {
        ...entry,
        scanDepth: directives.scanDepth ?? entry.scanDepth,
        position: directives.position ?? (directives.depth === null ? entry.position : 4),
        depth: directives.depth ?? entry.depth,
        role: directives.role ?? entry.role,
        sticky: directives.keepAfterMatch ? forever : entry.sticky,
        cooldown: directives.dontAfterMatch ? forever : entry.cooldown,
    };
}
