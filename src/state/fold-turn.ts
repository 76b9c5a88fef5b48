import type { Turn } from '../text/turn';
import { judgeEvent } from './apply-event';
import type { Baseline } from './baseline';
import { changePath, valueBefore, writeChange } from './change';
import type { ProposedEvent } from './event';
import type { TurnFold, TurnStatus } from './fold-types';
import { sameJson } from './safe-value';
import type { EventRecord, GameState } from './state';
import { summariesOf } from './summaries';

/** What a turn's replies add up to. A reply without a record beside ones that have it leaves the turn incomplete. */
export function turnStatus(turn: Turn): TurnStatus {
    const records = turn.replies.map((reply) => reply.record);
    if (records.every((record) => record === null)) return 'none';
    if (records.some((record) => record?.status === 'pending')) return 'pending';
    if (records.some((record) => record === null || record.status === 'incomplete')) return 'incomplete';
    return turn.replies.some((reply) => reply.stale) ? 'stale' : 'complete';
}

/**
 * Folds one turn into a draft of the state: each reply's events as its analysis proposed them, then its corrections by the
 * user. A stale record still counts until it is replaced. Events read out of a message of the original extension are
 * left out where the baseline already includes them.
 */
export function foldTurn(draft: GameState, turn: Turn, baseline: Baseline | undefined): TurnFold {
    const events: EventRecord[] = [];
    const touched = new Map<string, { before: unknown; after: unknown }>();
    const take = (event: ProposedEvent, by: EventRecord['by']): void => {
        const { record, changes } = judgeEvent(draft, event, { turn: turn.number, by });
        events.push(record);
        draft.eventLog.push(record);
        for (const change of changes) {
            const path = changePath(change);
            const before = touched.has(path) ? touched.get(path)?.before : valueBefore(draft, change);
            touched.set(path, { before, after: change.value });
            writeChange(draft, change);
        }
    };
    for (const { record } of turn.replies) {
        if (!record) continue;
        const inBaseline = baseline !== undefined && record.delivery === 'import' && turn.number <= baseline.coversTurns;
        if (!inBaseline) for (const event of record.events) take(event, 'analysis');
        for (const event of record.corrections) take(event, 'user');
    }
    const summaries = summariesOf(turn);
    return {
        number: turn.number,
        replies: turn.replies.map((reply) => reply.index),
        status: turnStatus(turn),
        events,
        changes: [...touched].filter(([, { before, after }]) => !sameJson(before, after)).map(([path, change]) => ({ path, ...change })),
        summary: summaries.length === 0 ? null : summaries.join('\n'),
    };
}
