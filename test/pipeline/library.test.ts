import { describe, expect, it } from 'vitest';
import { createLibrary } from '../../src/pipeline/library';
import { notice, type Notice } from '../../src/notice';
import type { Book } from '../../src/worldbook/entry';
import { shippedScanSettings } from '../../src/worldbook/context';

const bookOf = (count: number, name = 'book'): Book => ({
    name,
    origin: 'character',
    shape: 'world',
    data: { entries: Object.fromEntries(Array.from({ length: count }, (_, uid) => [uid, { uid, key: [`key${uid}`], comment: `entry ${uid}`, content: `text ${uid}` }])) },
});

function stage(books: Book[], notices: Notice[] = []) {
    let pauses = 0;
    // Every look at the clock is a slice later, so that work pauses wherever it can.
    let now = 0;
    const answer = { books, notices };
    const library = createLibrary(
        { load: async () => answer, globalSettings: () => shippedScanSettings, forced: () => [] },
        { now: () => (now += 20), wait: async () => void (pauses += 1), pause: async () => void (pauses += 1) },
    );
    return { library, answer, pauses: () => pauses };
}

describe('the library', () => {
    it('reads and indexes a large book with pauses, and an unchanged one never again', async () => {
        const { library, pauses } = stage([bookOf(5_000)]);
        const first = await library.load('all');
        expect(first.index.items).toHaveLength(5_000);
        expect(pauses()).toBeGreaterThan(50);
        const before = pauses();
        expect((await library.load('all')).index).toBe(first.index);
        expect(pauses()).toBe(before);
    });

    it('shares one index between loads that overlap', async () => {
        const { library } = stage([bookOf(3_000)]);
        const [first, second] = await Promise.all([library.load('all'), library.load('all')]);
        expect(second.index).toBe(first.index);
    });

    it('follows a book that was replaced, also while the old one is being read', async () => {
        const { library, answer } = stage([bookOf(3_000)]);
        const old = library.load('all');
        answer.books = [bookOf(10)];
        expect((await library.load('all')).index.items).toHaveLength(10);
        await old;
        expect(library.current()?.index.items).toHaveLength(10);
    });

    it('keeps what the loading said, for who looks later', async () => {
        const missing = notice('warning', 'host.world-missing', { world: 'Gone' });
        const { library, answer } = stage([], [missing]);
        expect((await library.load('all')).notices).toEqual([missing]);
        expect(library.current()?.notices).toEqual([missing]);
        answer.notices = [];
        await library.load('all');
        expect(library.current()?.notices).toEqual([]);
    });
});
