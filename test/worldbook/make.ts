import { configSchema } from '../../src/config';
import { initialState } from '../../src/state/state';
import { shippedScanSettings, type DecideContext } from '../../src/worldbook/context';
import type { Book, Entry } from '../../src/worldbook/entry';
import { readBook } from '../../src/worldbook/read-book';

/** A context in which nothing is set; tests state what they are about. */
export function makeContext(changes: Partial<DecideContext> = {}): DecideContext {
    return {
        texts: [],
        alwaysScanned: [],
        global: shippedScanSettings,
        character: { fileName: '', tags: null, personaDescription: '', description: '', personality: '', depthPrompt: '', scenario: '', creatorNotes: '' },
        trigger: 'normal',
        messageCount: 1,
        replyCount: 0,
        timed: [],
        forced: [],
        seed: 'seed',
        config: configSchema.parse({}).worldbook,
        state: initialState(),
        substitute: (text) => text.replaceAll('{{user}}', '旅人').replaceAll('{{char}}', '北塔守卫'),
        estimate: (text) => Math.ceil(new TextEncoder().encode(text).length / 3.35),
        ...changes,
    };
}

/** Entries of a world file; fields left out are what a new entry has in the host. */
export function makeEntries(entries: Partial<Record<keyof Entry, unknown>>[], book: Partial<Book> = {}): Entry[] {
    const raw = entries.map((entry, uid) => ({ uid, key: [], keysecondary: [], comment: `entry ${uid}`, content: `text ${uid}`, selective: true, position: 0, order: 100, ...entry }));
    return readBook({ name: 'book', origin: 'character', shape: 'world', data: { entries: Object.fromEntries(raw.map((entry) => [entry.uid, entry])) }, ...book }).entries;
}
