import type { Fold, SummaryEntry } from './fold-types';
import { summaryBody, summaryMark } from '../text/summary-line';

/** Which summaries to condense into one chapter. */
export interface CondensePlan {
    /** First and last turn covered. */
    from: number;
    to: number;
    /** The entries' texts, oldest first: what the condensing call is given. */
    lines: string[];
    /** Goes into the record's `chapter.of`. */
    of: string[];
}

/** The newest entries always stay as they are: the story is still about them. */
const keptEntries = 6;
/** Fewer are not worth a call. */
const leastEntries = 4;

/**
 * Which of the oldest plain summaries to condense when all entries together pass the limit (tokens; 0 = never). Takes as
 * many as bring the rest down to half the limit, never an entry that is a chapter already. Store the answer in the record of
 * turn `to` (`chapter: { from, to, of, text }`): so it is undone when the chat is rolled back before it.
 */
export function condensePlan(fold: Pick<Fold, 'summaries'>, estimate: (text: string) => number, limit: number): CondensePlan | null {
    if (limit <= 0) return null;
    const sizes = fold.summaries.map((entry) => estimate(entry.text));
    let total = sizes.reduce((sum, size) => sum + size, 0);
    if (total <= limit) return null;
    const run: SummaryEntry[] = [];
    for (const [index, entry] of fold.summaries.slice(0, -keptEntries).entries()) {
        if (entry.chapter) {
            // Only neighbours make a chapter; a run too short before an older chapter stays as it is.
            if (run.length >= leastEntries) break;
            run.length = 0;
            continue;
        }
        run.push(entry);
        total -= sizes[index] ?? 0;
        if (run.length >= leastEntries && total <= limit / 2) break;
    }
    const first = run[0];
    const last = run.at(-1);
    if (!first || !last || run.length < leastEntries) return null;
    return { from: first.from, to: last.to, lines: run.map((entry) => entry.text), of: run.map((entry) => summaryMark(summaryBody(entry.text))) };
}
