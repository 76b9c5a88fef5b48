import { alwaysOn, type BookIndex } from './book-index';
import { sections, type CompactSnapshot, type Decision, type Reason, type Snapshot } from './snapshot';

type Stored = CompactSnapshot['decisions'][number];

const audiences = ['all', 'planner', 'writer'] as const;
/** Out decisions stored with their facts; further ones keep their reason alone. */
const mostExplained = 40;
/** A tuple with this uid holds a list of entries in its last text. */
const listUid = -1;
/** Decisions that the entry by itself explains: not stored, computed from the book. */
const implied = new Set<Reason>(['no-keyword', 'no-keys', 'disabled', 'kind']);
/** Notices about the book as it is, not about the turn: the index has them. */
const bookNotices = new Set(['invalid-regex', 'blank-key', 'unknown-directive', 'directive-ignored', 'unreadable-directive', 'unreadable-condition', 'book-twice', 'more-notices'].map((name) => `worldbook.${name}`));

/**
 * The stored form: decisions that say more than "no key matched". Runs of plain constants become one tuple whose last text lists
 * `uid,tokens,section,hash` per entry; out decisions beyond the first forty become lists of uids by reason.
 */
export function compactSnapshot(snapshot: Snapshot): CompactSnapshot {
    const stored: Stored[] = [];
    const lists = new Map<string, { book: number; by: Reason; uids: number[] }>();
    let run: { book: number; entries: string[] } | null = null;
    let explained = 0;
    const closeRun = (): void => {
        if (run) stored.push([run.book, listUid, 1, 'constant', 0, 0, 0, run.entries.join(';')]);
        run = null;
    };
    for (const decision of snapshot.decisions) {
        if (implied.has(decision.by)) continue;
        const place = placeOf(decision.entry, snapshot.books);
        if (!place) continue;
        const { book, uid } = place;
        const section = decision.section === null ? 0 : sections.indexOf(decision.section) + 1;
        const inside = decision.status === 'in';
        if (inside && decision.by === 'constant' && decision.audience === 'all' && section > 0) {
            if (run && run.book !== book) closeRun();
            run ??= { book, entries: [] };
            run.entries.push(`${uid},${decision.tokens},${section},${decision.hash}`);
            continue;
        }
        closeRun();
        if (!inside && ++explained > mostExplained) {
            const name = `${book} ${decision.by}`;
            const list = lists.get(name) ?? { book, by: decision.by, uids: [] };
            lists.set(name, list);
            list.uids.push(uid);
            continue;
        }
        const tuple: Stored = [book, uid, Number(inside), decision.by, decision.tokens, section, audiences.indexOf(decision.audience), inside ? decision.hash : ''];
        if (Object.keys(decision.because).length > 0) tuple.push(decision.because);
        stored.push(tuple);
    }
    closeRun();
    for (const { book, by, uids } of lists.values()) stored.push([book, listUid, 0, by, 0, 0, 0, uids.join(';')]);
    return {
        seed: snapshot.seed,
        books: snapshot.books,
        decisions: stored,
        counts: snapshot.counts,
        timed: snapshot.timed,
        recall: snapshot.recall,
        budget: snapshot.budget,
        notices: snapshot.notices.filter((each) => !bookNotices.has(each.code)),
    };
}

export interface ExpandedSnapshot extends Snapshot {
    /** Entries that went in and whose text is another one now. */
    changed: string[];
    /** Entries that were decided about and are in no loaded book any more. */
    missing: string[];
}

/**
 * The snapshot of an earlier turn, against the books as they are now: titles and the decisions that were not stored come from the books;
 * what has changed since is told, not hidden.
 */
export function expandSnapshot(compact: CompactSnapshot, index: BookIndex): ExpandedSnapshot {
    const decisions: Decision[] = [];
    const changed: string[] = [];
    const missing: string[] = [];
    const told = new Set<string>();

    const restore = (book: number, uid: number, facts: Omit<Decision, 'entry' | 'title' | 'kind'>): void => {
        const id = `${compact.books[book] ?? '?'}#${uid}`;
        const item = index.byId.get(id);
        told.add(id);
        if (!item) missing.push(id);
        else if (facts.status === 'in' && facts.hash !== item.hash) changed.push(id);
        decisions.push({ ...facts, entry: id, title: item?.title ?? `#${uid}`, kind: item?.kind ?? 'lore', hash: facts.hash === '' ? item?.hash ?? '' : facts.hash });
    };
    for (const [book, uid, status, by, tokens, section, audience, hash, because] of compact.decisions) {
        const facts = { status: status === 1 ? 'in' as const : 'out' as const, by: by as Reason, because: because ?? {}, tokens, section: sections[section - 1] ?? null, audience: audiences[audience] ?? 'all', hash };
        if (uid !== listUid) {
            restore(book, uid, facts);
            continue;
        }
        for (const part of hash.split(';')) {
            const [each, count, where, text] = part.split(',');
            if (status === 1) restore(book, Number(each), { ...facts, tokens: Number(count), section: sections[Number(where) - 1] ?? null, hash: text ?? '' });
            else restore(book, Number(each), { ...facts, because: { variant: 'bare' }, hash: '' });
        }
    }
    const inside = decisions.filter((decision) => decision.status === 'in');
    const outside = decisions.filter((decision) => decision.status === 'out');
    for (const item of index.items) {
        if (told.has(item.entry.id)) continue;
        const on = item.kind !== 'lore' && item.kind !== 'ui' && (item.kind === 'initvar' || (!item.entry.disable && alwaysOn(item)));
        if (on) inside.push({ ...item.idle, status: 'in', by: 'kind', because: { variant: item.kind } });
        else outside.push(item.kind === 'ui' && !item.entry.disable ? { ...item.idle, by: 'kind', because: { variant: 'ui' } } : item.idle);
    }
    const rankOf = (decision: Decision): number => index.byId.get(decision.entry)?.rank ?? Infinity;
    outside.sort((a, b) => rankOf(a) - rankOf(b) || 0);
    const { decisions: _stored, ...rest } = compact;
    return { ...rest, notices: [...index.notices, ...compact.notices], decisions: [...inside, ...outside], changed, missing };
}

function placeOf(id: string, books: readonly string[]): { book: number; uid: number } | null {
    const at = id.lastIndexOf('#');
    const book = books.indexOf(id.slice(0, at));
    return book === -1 ? null : { book, uid: Number(id.slice(at + 1)) };
}
