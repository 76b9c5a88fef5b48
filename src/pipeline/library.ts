import type { Config } from '../config';
import type { Notice } from '../notice';
import type { WorldbookPort } from '../ports';
import { buildIndex, type BookIndex } from '../worldbook/book-index';
import type { Book, Entry } from '../worldbook/entry';
import { readBook } from '../worldbook/read-book';

/** The loaded worldbooks, read and indexed. */
export interface Library {
    books: Book[];
    entries: Entry[];
    index: BookIndex;
    notices: Notice[];
}

export interface LibraryReader {
    /** The same Library object as long as no book has changed (the port gives the same Book for an unchanged one). */
    load(source: Config['worldbookSource']): Promise<Library>;
    current(): Library | null;
    forget(): void;
}

export function createLibrary(port: WorldbookPort): LibraryReader {
    const read = new WeakMap<Book, ReturnType<typeof readBook>>();
    let kept: { library: Library; strategy: number } | null = null;
    const reading = (book: Book): ReturnType<typeof readBook> => {
        const known = read.get(book);
        if (known) return known;
        const fresh = readBook(book);
        read.set(book, fresh);
        return fresh;
    };
    return {
        async load(source) {
            const { books, notices } = await port.load(source);
            const strategy = port.globalSettings().characterStrategy;
            const same = kept && kept.strategy === strategy && kept.library.books.length === books.length && books.every((book, place) => book === kept?.library.books[place]);
            if (kept && same) return { ...kept.library, notices: [...notices, ...kept.library.notices.filter((each) => !notices.includes(each))] };
            const readings = books.map(reading);
            const entries = readings.flatMap((each) => each.entries);
            const index = buildIndex(entries, { characterStrategy: strategy });
            const library = { books, entries, index, notices: [...readings.flatMap((each) => each.notices), ...index.notices] };
            kept = { library, strategy };
            return { ...library, notices: [...notices, ...library.notices] };
        },
        current: () => kept?.library ?? null,
        forget() {
            kept = null;
        },
    };
}
