import type { Reply, Turn } from '../text/turn';
import type { Baseline } from './baseline';
import { draftOf } from './change';
import { foldTurn } from './fold-turn';
import type { Fold, TurnFold } from './fold-types';
import { limits } from './limits';
import { sameJson } from './safe-value';
import { initialState } from './state';
import type { GameState } from './state';
import { summariesOf, summaryEntries } from './summaries';
import type { PlainSummary } from './summaries';

/** Turns between two kept states: a change costs at most so many turns of folding again. */
const checkpointDistance = 32;

function trimLog(draft: GameState): void {
    if (draft.eventLog.length > limits.eventLog) draft.eventLog = draft.eventLog.slice(-limits.eventLog);
}

interface Run {
    turns: Turn[];
    baseline: Baseline | undefined;
    folds: TurnFold[];
    lines: PlainSummary[][];
    /** `checkpoints[i]` is the state before turn `i * checkpointDistance`. */
    checkpoints: GameState[];
    fold: Fold;
}

/** Folds from the last kept state before the first turn that differs. `keep`: the run will be resumed later. */
function run(turns: Turn[], baseline: Baseline | undefined, keep: boolean, previous: Run | null, same: number): Run {
    const kept = previous ? Math.min(Math.floor(same / checkpointDistance), previous.checkpoints.length - 1) : -1;
    const resume = previous?.checkpoints[kept];
    const draft = draftOf(resume ?? baseline?.state ?? initialState());
    const first = resume ? kept * checkpointDistance : 0;
    const folds = previous ? previous.folds.slice(0, first) : [];
    const lines = previous ? previous.lines.slice(0, first) : [];
    const checkpoints = resume && previous ? previous.checkpoints.slice(0, kept) : [];
    for (let index = first; index < turns.length; index += 1) {
        const turn = turns[index];
        if (!turn) continue;
        if (index % checkpointDistance === 0) {
            trimLog(draft);
            if (keep) checkpoints.push(draftOf(draft));
        }
        const folded = foldTurn(draft, turn, baseline);
        // The same turn keeps its object, so that a list of turns can be redrawn cheaply.
        folds.push((index < same ? previous?.folds[index] : undefined) ?? folded);
        lines.push(summariesOf(turn).map((body) => ({ turn: turn.number, body })));
    }
    trimLog(draft);
    return { turns, baseline, folds, lines, checkpoints, fold: { state: draft, summaries: summaryEntries(turns, lines.flat(), baseline), turns: folds } };
}

/**
 * State, summaries and turns of a chat as it is now (design, decision 2). Pure: the same turns give the same fold, however
 * the chat came to be so.
 */
export function foldTurns(turns: Turn[], baseline?: Baseline): Fold {
    return run(turns, baseline, false, null, 0).fold;
}

function sameReply(left: Reply, right: Reply): boolean {
    if (left.index !== right.index || left.stale !== right.stale || left.writtenSummary !== right.writtenSummary) return false;
    const a = left.record;
    const b = right.record;
    if (a === b) return true;
    return a !== null && b !== null && a.status === b.status && a.delivery === b.delivery && a.summary === b.summary
        && sameJson(a.chapter, b.chapter) && sameJson(a.events, b.events) && sameJson(a.corrections, b.corrections);
}

function sameTurn(left: Turn, right: Turn): boolean {
    return left.number === right.number && left.replies.length === right.replies.length
        && left.replies.every((reply, place) => {
            const other = right.replies[place];
            return other !== undefined && sameReply(reply, other);
        });
}

/**
 * A foldTurns that remembers its last chat and folds again only from near the first turn that differs. It compares what the
 * fold depends on, so it may be given any chat at any time; records and baselines must not be changed in place. An unchanged
 * chat gives the very same Fold object.
 */
export function createFolder(): (turns: Turn[], baseline?: Baseline) => Fold {
    let last: Run | null = null;
    return (turns, baseline) => {
        const previous = last && sameJson(last.baseline, baseline) ? last : null;
        let same = 0;
        if (previous) {
            for (; same < turns.length; same += 1) {
                const before = previous.turns[same];
                const now = turns[same];
                if (!before || !now || !sameTurn(before, now)) break;
            }
            if (same === turns.length && same === previous.turns.length) return previous.fold;
        }
        last = run([...turns], baseline, true, previous, same);
        return last.fold;
    };
}
