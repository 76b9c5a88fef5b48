import type { Steps } from '../steps';
import type { BookIndex, IndexedEntry } from './book-index';
import type { DecideContext } from './context';
import type { Verdict } from './eligibility';
import type { Snapshot } from './snapshot';

/** At most this many entries are recalled (second seed, section 3). */
const mostCandidates = 30;
/** A candidate scores at least this share of the best one, else every shared word would count. */
const leastShare = 0.35;
const queryLength = 8000;
const textLength = 20_000;

interface Ranking {
    /** Term → [rank of the entry, occurrences]. */
    postings: Map<string, [number, number][]>;
    lengths: Map<number, number>;
    average: number;
}

/** Built when recall is first asked for, kept as long as the index. */
const rankings = new WeakMap<BookIndex, Partial<Record<'lexical' | 'hybrid', Ranking>>>();

/**
 * Entries that the text suggests without any key (BM25 over words and CJK character pairs). `lexical` ranks the entries marked `vectorized`,
 * standing in for the host's vector storage; `hybrid` ranks every dynamic entry beside what the host forces in, and says when the host
 * forced nothing, that is, when only the lexical half ran.
 */
export function* recall(index: BookIndex, context: DecideContext): Steps<{ recalled: Map<IndexedEntry, Verdict>; report: Snapshot['recall'] }> {
    const recalled = new Map<IndexedEntry, Verdict>();
    const mode = context.config.recall;
    const anyForced = context.forced.length > 0;
    if (mode === 'off') return { recalled, report: anyForced ? { path: 'forced' } : undefined };

    const query = (context.query ?? [context.texts[0] ?? '', context.state.location].join('\n')).slice(0, queryLength);
    let ranking = rankings.get(index)?.[mode];
    if (!ranking) {
        ranking = yield* buildRanking(index.items.filter((item) => item.kind === 'lore' && !item.entry.disable && !item.entry.constant && (mode === 'hybrid' || item.entry.vectorized)));
        rankings.set(index, { ...rankings.get(index), [mode]: ranking });
    }
    const scores = score(ranking, new Set(terms(query)));
    const best = scores[0]?.[1] ?? 0;
    for (const [rank, points] of scores.slice(0, mostCandidates)) {
        const item = index.items[rank];
        if (item && points >= best * leastShare) recalled.set(item, { by: 'recall', because: { place: recalled.size + 1, score: Math.round(points * 10) / 10 } });
    }
    if (mode === 'lexical') return { recalled, report: { path: 'lexical', degraded: anyForced ? undefined : 'no-vectors' } };
    return { recalled, report: anyForced ? { path: 'hybrid' } : { path: 'lexical', degraded: 'no-vectors' } };
}

function* buildRanking(items: readonly IndexedEntry[]): Steps<Ranking> {
    const postings = new Map<string, [number, number][]>();
    const lengths = new Map<number, number>();
    let sum = 0;
    for (const [place, item] of items.entries()) {
        if (place % 20 === 19) yield;
        const counts = new Map<string, number>();
        const all = terms(`${item.title}\n${item.primary.filter((key) => !key.startsWith('/')).join('\n')}\n${item.content.slice(0, textLength)}`);
        for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
        for (const [term, times] of counts) {
            const list = postings.get(term);
            if (list) list.push([item.rank, times]);
            else postings.set(term, [[item.rank, times]]);
        }
        lengths.set(item.rank, all.length);
        sum += all.length;
    }
    return { postings, lengths, average: items.length === 0 ? 1 : Math.max(sum / items.length, 1) };
}

function score({ postings, lengths, average }: Ranking, query: ReadonlySet<string>): [number, number][] {
    const scores = new Map<number, number>();
    const total = lengths.size;
    for (const term of query) {
        const list = postings.get(term);
        if (!list) continue;
        const rarity = Math.log(1 + (total - list.length + 0.5) / (list.length + 0.5));
        for (const [rank, times] of list) {
            const length = 0.25 + 0.75 * ((lengths.get(rank) ?? 0) / average);
            scores.set(rank, (scores.get(rank) ?? 0) + rarity * (times * 2.2) / (times + 1.2 * length));
        }
    }
    return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

const common = new Set(['the', 'and', 'of', 'to', 'in', 'is', 'it', 'on', 'at', 'for', 'with', 'that', 'this', 'was', 'are', 'you', 'he', 'she', 'his', 'her', 'they']);

/** Words of alphabetic scripts, and every pair of neighbouring CJK characters. */
export function terms(text: string): string[] {
    const found: string[] = [];
    for (const [run] of text.toLowerCase().matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+/gu)) {
        if (!/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(run)) {
            if (run.length > 1 && !common.has(run)) found.push(run);
            continue;
        }
        const characters = [...run];
        if (characters.length === 1) found.push(run);
        for (let i = 0; i + 1 < characters.length; i++) found.push(`${characters[i] ?? ''}${characters[i + 1] ?? ''}`);
    }
    return found;
}
