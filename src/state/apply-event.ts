import { draftOf, writeChange } from './change';
import type { StateChange } from './change';
import type { ProposedEvent } from './event';
import { eventName } from './event-name';
import { judges } from './judge';
import { limits } from './limits';
import { readParameters } from './parameters';
import { reason } from './reason';
import type { Reason } from './reason';
import { loggable } from './safe-value';
import type { EventRecord, GameState } from './state';

/** When and by whom an event was proposed. */
export interface EventOrigin {
    /** Turn number. */
    turn: number;
    by: 'analysis' | 'user';
}

/** Judges one proposed event against a state, which is not changed. Never throws. */
export function judgeEvent(state: GameState, event: ProposedEvent, origin: EventOrigin): { record: EventRecord; changes: StateChange[] } {
    const type = eventName(event.type, origin.by);
    const refuse = (fault: Reason): { record: EventRecord; changes: StateChange[] } => ({
        record: { turn: origin.turn, type: type ?? event.type.slice(0, 60), params: loggable(event.params), accepted: false, reason: fault, by: origin.by },
        changes: [],
    });
    if (type === null) return refuse(reason('state.unknown-event', { type: event.type }));
    const params = readParameters(event.params);
    const effect = judges[type](state, params);
    const fault = params.fault() ?? ('code' in effect ? effect : null);
    if (fault || 'code' in effect) return refuse(fault ?? reason('state.unknown-event', { type }));
    return { record: { turn: origin.turn, type, params: effect.params, accepted: true, by: origin.by }, changes: effect.changes };
}

/**
 * Applies one proposed event: the new state (the old one stays as it is) with the event in its log, and the log's entry.
 * What breaks a rule is refused with a reason and changes nothing but the log (seed: rejected, not corrected).
 */
export function applyEvent(state: GameState, event: ProposedEvent, origin: EventOrigin): { state: GameState; record: EventRecord } {
    const { record, changes } = judgeEvent(state, event, origin);
    const next = draftOf(state);
    for (const change of changes) writeChange(next, change);
    next.eventLog.push(record);
    if (next.eventLog.length > limits.eventLog) next.eventLog = next.eventLog.slice(-limits.eventLog);
    return { state: next, record };
}
