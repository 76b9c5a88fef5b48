import type { BookIndex } from './book-index';
import type { EntryKind, Snapshot } from './snapshot';

/**
 * The entries of a kind that are on this turn, for who consumes them: `tool` (a tools registry's ToolEntry), `initvar`, `mvu_update`. Contents are
 * without directive lines and without macros substituted; in the order of books and uids, so that a file reads from top to bottom.
 */
export function markedEntries(snapshot: Snapshot, index: BookIndex, kind: Exclude<EntryKind, 'lore'>): { id: string; comment: string; content: string }[] {
    const on = snapshot.decisions.filter((decision) => decision.kind === kind && decision.status === 'in');
    return on.flatMap((decision) => index.byId.get(decision.entry) ?? [])
        .sort((a, b) => index.books.indexOf(a.entry.book) - index.books.indexOf(b.entry.book) || a.entry.uid - b.entry.uid)
        .map(({ entry, content }) => ({ id: entry.id, comment: entry.comment, content }));
}
