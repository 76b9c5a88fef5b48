import { notice, type Notice } from '../notice';
import { atOnce, type Steps } from '../steps';
import type { Book, CharacterFilter, Entry } from './entry';
import { isRecord, readBoolean, readChoice, readNumber, readText, readTexts } from './read-field';

const positions = ['before_char', 'after_char', 'an_top', 'an_bottom', 'at_depth', 'em_top', 'em_bottom', 'outlet'];
const roles = ['system', 'user', 'assistant'];
const logics = ['and_any', 'not_all', 'not_any', 'and_all'];

/** What we read of an entry under either vocabulary; every other field is kept in `extensions`. */
const known = new Set([
    'uid', 'id', 'key', 'keys', 'keysecondary', 'secondary_keys', 'comment', 'name', 'content', 'constant', 'selective', 'order', 'insertion_order',
    'disable', 'enabled', 'position', 'extensions', 'depth', 'role', 'selectiveLogic', 'probability', 'useProbability', 'excludeRecursion',
    'preventRecursion', 'delayUntilRecursion', 'scanDepth', 'caseSensitive', 'case_sensitive', 'matchWholeWords', 'useGroupScoring', 'group', 'groupOverride',
    'groupWeight', 'sticky', 'cooldown', 'delay', 'matchPersonaDescription', 'matchCharacterDescription', 'matchCharacterPersonality',
    'matchCharacterDepthPrompt', 'matchScenario', 'matchCreatorNotes', 'vectorized', 'outletName', 'triggers', 'ignoreBudget', 'characterFilter',
]);

/**
 * Reads a book of either storage shape (world file, character_book) or a mixture of both into entries, in the order of the file,
 * with the host's own defaults (SillyTavern convertCharacterBook and new-entry template). A broken field costs only itself, a broken
 * entry only itself; both are told in `notices`.
 */
export function readBook(book: Book): BookReading {
    return atOnce(readBookSteps(book));
}

export interface BookReading {
    entries: Entry[];
    notices: Notice[];
}

/** readBook, in steps. */
export function* readBookSteps(book: Book): Steps<BookReading> {
    const notices: Notice[] = [];
    const listed = listEntries(book.data);
    if (listed === null) return { entries: [], notices: [notice('error', 'worldbook.unreadable-book', { book: book.name })] };
    const entries: Entry[] = [];
    const taken = new Set<number>();
    const homeless: Entry[] = [];
    for (const [position, [listKey, raw]] of listed.entries()) {
        if (position % 100 === 99) yield;
        if (!isRecord(raw)) {
            notices.push(notice('warning', 'worldbook.unreadable-entry', { book: book.name, position }));
            continue;
        }
        const entry = readEntry(book, raw, listKey, position, notices);
        if (taken.has(entry.uid)) homeless.push(entry);
        else taken.add(entry.uid);
        entries.push(entry);
    }
    // Both entries of a duplicate uid live on: the later one moves behind the highest uid.
    let free = 0;
    for (const uid of taken) free = Math.max(free, uid + 1);
    for (const entry of homeless) {
        notices.push(notice('warning', 'worldbook.duplicate-uid', { book: book.name, title: entry.comment, uid: entry.uid, newUid: free }));
        entry.uid = free++;
    }
    for (const entry of entries) entry.id = `${book.name}#${entry.uid}`;
    return { entries, notices };
}

function listEntries(data: unknown): [string, unknown][] | null {
    if (Array.isArray(data)) return Object.entries(data);
    if (!isRecord(data)) return null;
    if (Array.isArray(data.entries) || isRecord(data.entries)) return Object.entries(data.entries);
    if (isRecord(data.character_book)) return listEntries(data.character_book);
    return isRecord(data.data) ? listEntries(data.data) : null;
}

function readEntry(book: Book, raw: Record<string, unknown>, listKey: string, position: number, notices: Notice[]): Entry {
    const card = book.shape === 'card';
    const extensions = isRecord(raw.extensions) ? raw.extensions : {};
    const comment = readText(raw.comment) || readText(raw.name) || '';
    const broken: string[] = [];

    /** The first of the field's spellings that is set, the shape's own first. */
    const find = (world: string, cardName: string | null, extension: string | null): unknown => {
        const own = cardName === null ? raw[world] : card ? raw[cardName] ?? raw[world] : raw[world] ?? raw[cardName];
        const extended = extension === null ? undefined : extensions[extension];
        // A world entry's explicit null means "the global setting"; the card extensions kept beside it may be older.
        return (card ? extended ?? own : own === undefined ? extended : own) ?? undefined;
    };
    const take = <T>(field: string, value: unknown, read: (value: unknown) => T | undefined, fallback: T): T => {
        if (value === undefined || value === null) return fallback;
        const result = read(value);
        if (result === undefined) broken.push(field);
        return result ?? fallback;
    };
    const flag = (world: string, extension: string | null, fallback: boolean) => take(world, find(world, null, extension), readBoolean, fallback);
    const maybeFlag = (world: string, extension: string) => take<boolean | null>(world, find(world, null, extension), readBoolean, null);
    const amount = (world: string, extension: string | null, fallback: number) => take(world, find(world, null, extension), readNumber, fallback);
    const maybeAmount = (world: string, extension: string) => take<number | null>(world, find(world, null, extension), readNumber, null);
    const keys = (world: string, cardName: string): string[] => {
        const names = card ? [cardName, world] : [world, cardName];
        for (const name of names) {
            const value = raw[name];
            if (value === undefined || value === null) continue;
            let list = readTexts(value);
            if (list === undefined) {
                broken.push(name);
                list = typeof value === 'string' ? value.split(/[,，]/).map((key) => key.trim()).filter((key) => key !== '') : [];
            }
            if (list.length > 0) return list;
        }
        return [];
    };

    // The host leaves an imported entry without `enabled` switched off; a world file has `disable` and means on when it says nothing.
    const on = take('enabled', raw.enabled, readBoolean, card && raw.disable === undefined ? false : true);
    const off = take('disable', raw.disable, readBoolean, false);
    const disable = card ? (raw.enabled === undefined || raw.enabled === null ? off || !on : !on) : raw.disable === undefined || raw.disable === null ? !on : off;
    if (card && raw.enabled === undefined && raw.disable === undefined) {
        notices.push(notice('info', 'worldbook.enabled-missing', { book: book.name, title: comment, position }));
    }

    const uid = take('uid', card ? raw.id ?? raw.uid ?? position : raw.uid ?? raw.id ?? listKey, (value) => {
        const number = readNumber(value);
        return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
    }, position);

    const entry: Entry = {
        id: '',
        book: book.name,
        origin: book.origin,
        uid,
        comment,
        content: take('content', raw.content, readText, ''),
        key: keys('key', 'keys'),
        keysecondary: keys('keysecondary', 'secondary_keys'),
        constant: flag('constant', null, false),
        selective: flag('selective', null, false),
        selectiveLogic: !card && find('selectiveLogic', null, 'selectiveLogic') === undefined ? null : take('selectiveLogic', find('selectiveLogic', null, 'selectiveLogic'), (value) => readChoice(value, logics), 0),
        order: take('order', find('order', 'insertion_order', null), readNumber, 100),
        position: readPosition(card, raw.position, extensions.position, broken),
        disable,
        depth: amount('depth', 'depth', 4),
        role: take('role', find('role', null, 'role'), (value) => readChoice(value, roles), 0),
        probability: take<number | null>('probability', find('probability', null, 'probability'), readNumber, 100),
        useProbability: flag('useProbability', 'useProbability', card),
        excludeRecursion: flag('excludeRecursion', 'exclude_recursion', false),
        preventRecursion: flag('preventRecursion', 'prevent_recursion', false),
        delayUntilRecursion: take('delayUntilRecursion', find('delayUntilRecursion', null, 'delay_until_recursion'), (value) => {
            const yes = typeof value === 'boolean' ? value : undefined;
            return yes === undefined ? readNumber(value) : Number(yes);
        }, 0),
        scanDepth: maybeAmount('scanDepth', 'scan_depth'),
        caseSensitive: take<boolean | null>('caseSensitive', find('caseSensitive', 'case_sensitive', 'case_sensitive'), readBoolean, null),
        matchWholeWords: maybeFlag('matchWholeWords', 'match_whole_words'),
        useGroupScoring: maybeFlag('useGroupScoring', 'use_group_scoring'),
        group: take('group', find('group', null, 'group'), readText, ''),
        groupOverride: flag('groupOverride', 'group_override', false),
        groupWeight: amount('groupWeight', 'group_weight', 100),
        sticky: maybeAmount('sticky', 'sticky'),
        cooldown: maybeAmount('cooldown', 'cooldown'),
        delay: maybeAmount('delay', 'delay'),
        matchPersonaDescription: flag('matchPersonaDescription', 'match_persona_description', false),
        matchCharacterDescription: flag('matchCharacterDescription', 'match_character_description', false),
        matchCharacterPersonality: flag('matchCharacterPersonality', 'match_character_personality', false),
        matchCharacterDepthPrompt: flag('matchCharacterDepthPrompt', 'match_character_depth_prompt', false),
        matchScenario: flag('matchScenario', 'match_scenario', false),
        matchCreatorNotes: flag('matchCreatorNotes', 'match_creator_notes', false),
        triggers: take('triggers', find('triggers', null, 'triggers'), readTexts, []),
        ignoreBudget: flag('ignoreBudget', 'ignore_budget', false),
        vectorized: flag('vectorized', 'vectorized', false),
        outletName: take('outletName', find('outletName', null, 'outlet_name'), readText, ''),
        characterFilter: readFilter(raw.characterFilter),
        extensions: keepUnread(raw, extensions),
    };
    // A world entry with probability switched on and none given never passes in the host; the resolver says so by name.
    if (!card && entry.useProbability && find('probability', null, 'probability') === undefined) entry.probability = null;
    if (broken.length > 0) {
        notices.push(notice('warning', 'worldbook.broken-field', { book: book.name, title: comment, uid, fields: [...new Set(broken)].join(', ') }));
    }
    return entry;
}

/** In cards the number in `extensions.position` decides; the text beside it can only say before or after and often contradicts it. */
function readPosition(card: boolean, own: unknown, extended: unknown, broken: string[]): number {
    const ownNumber = typeof own === 'number' || own === null || own === undefined ? readChoice(own, positions) : undefined;
    const extendedNumber = readChoice(extended, positions);
    if (extended !== undefined && extended !== null && extendedNumber === undefined) broken.push('position');
    const number = card ? extendedNumber ?? ownNumber : ownNumber ?? extendedNumber;
    if (number !== undefined) return number;
    if (own === undefined || own === null) return card ? 1 : 0;
    const named = readChoice(own, positions);
    if (named === undefined) broken.push('position');
    return named ?? (card ? 1 : 0);
}

function readFilter(value: unknown): CharacterFilter | null {
    if (!isRecord(value)) return null;
    const filter = { isExclude: readBoolean(value.isExclude) ?? false, names: readTexts(value.names) ?? [], tags: readTexts(value.tags) ?? [] };
    return filter.names.length > 0 || filter.tags.length > 0 ? filter : null;
}

function keepUnread(raw: Record<string, unknown>, extensions: Record<string, unknown>): Record<string, unknown> {
    let unread: Record<string, unknown> | null = null;
    for (const name in raw) {
        if (known.has(name)) continue;
        unread ??= { ...extensions };
        if (!(name in unread)) Object.defineProperty(unread, name, { value: raw[name], enumerable: true, writable: true, configurable: true });
    }
    return unread ?? extensions;
}
