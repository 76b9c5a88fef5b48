import type { Config } from '../config';
import type { Notice } from '../notice';
import type { WorldbookPort } from '../ports';
import { inSlices, type SliceClock } from '../steps';
import { buildIndexSteps, type BookIndex } from '../worldbook/book-index';
import type { Book, Entry } from '../worldbook/entry';
import { readBookSteps, type BookReading } from '../worldbook/read-book';

/** The loaded worldbooks, read and indexed. */
export interface Library {
    books: Book[];
    entries: Entry[];
    index: BookIndex;
    notices: Notice[];
}

export interface LibraryReader {
    /** The same index as long as no book has changed (the port gives the same Book for an unchanged one). `notices` are of this load. */
    load(source: Config['worldbookSource']): Promise<Library>;
    current(): Library | null;
    forget(): void;
}

type Strategy = 0 | 1 | 2;

/** Reading and indexing go in slices: a book of tens of thousands of entries must not hold the page. */
export function createLibrary(port: WorldbookPort, clock: SliceClock): LibraryReader {
    const read = new WeakMap<Book, Promise<BookReading>>();
    let kept: Library | null = null;
    /** The newest index, perhaps still in the making; loads that overlap share it. */
    let built: { books: Book[]; strategy: Strategy; library: Promise<Library> } | null = null;
    const reading = (book: Book): Promise<BookReading> => {
        const known = read.get(book);
        if (known) return known;
        const fresh = inSlices(readBookSteps(book), clock);
        read.set(book, fresh);
        return fresh;
    };
    const build = async (books: Book[], characterStrategy: Strategy): Promise<Library> => {
        const readings: BookReading[] = [];
        for (const book of books) readings.push(await reading(book));
        const entries = readings.flatMap((each) => each.entries);
        const index = await inSlices(buildIndexSteps(entries, { characterStrategy }), clock);
        return { books, entries, index, notices: [...readings.flatMap((each) => each.notices), ...index.notices] };
    };
    return {
        async load(source) {
            const { books, notices } = await port.load(source);
            const strategy = port.globalSettings().characterStrategy;
            const same = built?.strategy === strategy && built.books.length === books.length && books.every((book, place) => book === built?.books[place]);
            if (!built || !same) built = { books, strategy, library: build(books, strategy) };
            const mine = built;
            const library = await mine.library.catch((error: unknown) => {
                if (built === mine) built = null;
                throw error;
            });
            const whole = { ...library, notices: [...notices, ...library.notices] };
            if (built === mine) kept = whole;
            return whole;
        },
        current: () => kept,
        forget() {
            kept = null;
            built = null;
        },
    };
}
