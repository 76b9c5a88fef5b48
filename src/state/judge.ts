import type { StateChange } from './change';
import { clockAfter } from './clock';
import type { EventType, UserEventType } from './event';
import { limits } from './limits';
import type { ParameterReader } from './parameters';
import { passedMinutes } from './passed-minutes';
import { reason } from './reason';
import type { Reason } from './reason';
import { ownValue, readFlagValue } from './safe-value';
import type { GameState, QuestState } from './state';

/** What an accepted event does: the changes, and its parameters under their own names. Null after a fault in the reader. */
export interface Effect {
    changes: StateChange[];
    params: Record<string, unknown>;
}

type Judge = (state: GameState, params: ParameterReader) => Effect | Reason;

const full = (record: Record<string, unknown>, name: string): boolean => !Object.hasOwn(record, name) && Object.keys(record).length >= limits.entries;

const failureWords = /^(?:failed|failure|fail|失败|已失败)$/i;

/** Quest text kept only where there is one, so that a quest never carries keys without a value. */
function quest(status: QuestState['status'], stage?: string, outcome?: string): QuestState {
    return { status, ...(stage === undefined ? {} : { stage }), ...(outcome === undefined ? {} : { outcome }) };
}

function relationship(state: GameState, npc: string, value: number, params: Record<string, unknown>): Effect | Reason {
    if (full(state.relationships, npc)) return reason('state.too-many', { field: 'relationships', limit: limits.entries });
    return { changes: [{ field: 'relationships', name: npc, value }], params };
}

function openQuest(state: GameState, id: string): QuestState | Reason {
    const found = ownValue(state.quests, id);
    if (!found) return reason('state.unknown-quest', { quest: id });
    return found.status === 'active' ? found : reason('state.quest-closed', { quest: id, status: found.status });
}

const quantityRange = { least: 1, most: limits.quantity, missing: 1 };

/**
 * The rules of each event. Judges read the state and never change it; a fault in the reader outranks what they return.
 * Where the seed leaves it open: no quantity means 1; a change of a relationship that passes the end of the scale stops at
 * ±100 (a set value beyond it is refused); no unit means minutes; a quest completed with the outcome `failed` has failed.
 */
export const judges: Record<EventType | UserEventType, Judge> = {
    move(_state, params) {
        const location = params.name('location', limits.location);
        return { changes: [{ field: 'location', value: location }], params: { location } };
    },
    add_item(state, params) {
        const item = params.name('item');
        const quantity = params.whole('quantity', { ...quantityRange, noun: item });
        const owned = (ownValue(state.inventory, item) ?? 0) + quantity;
        if (owned > limits.owned) return reason('state.out-of-range', { parameter: 'quantity', value: owned, least: 0, most: limits.owned });
        if (full(state.inventory, item)) return reason('state.too-many', { field: 'inventory', limit: limits.entries });
        return { changes: [{ field: 'inventory', name: item, value: owned }], params: { item, quantity } };
    },
    remove_item(state, params) {
        const item = params.name('item');
        const quantity = params.whole('quantity', { ...quantityRange, noun: item });
        const owned = ownValue(state.inventory, item) ?? 0;
        if (owned === 0) return reason('state.not-owned', { item });
        if (quantity > owned) return reason('state.not-enough', { item, owned, quantity });
        return { changes: [{ field: 'inventory', name: item, value: quantity === owned ? undefined : owned - quantity }], params: { item, quantity } };
    },
    set_relationship(state, params) {
        const npc = params.name('npc');
        const value = params.whole('value', { least: -limits.relationship, most: limits.relationship });
        return relationship(state, npc, value, { npc, value });
    },
    modify_relationship(state, params) {
        const npc = params.name('npc');
        const delta = params.whole('delta', { least: -2 * limits.relationship, most: 2 * limits.relationship });
        if (delta === 0) return reason('state.zero', { parameter: 'delta' });
        const sum = (ownValue(state.relationships, npc) ?? 0) + delta;
        return relationship(state, npc, Math.max(-limits.relationship, Math.min(limits.relationship, sum)), { npc, delta });
    },
    start_quest(state, params) {
        const id = params.name('quest_id');
        const stage = params.note('stage');
        const known = ownValue(state.quests, id);
        if (known) return reason('state.quest-exists', { quest: id, status: known.status });
        if (full(state.quests, id)) return reason('state.too-many', { field: 'quests', limit: limits.entries });
        return { changes: [{ field: 'quests', name: id, value: quest('active', stage) }], params: { quest_id: id, ...(stage === undefined ? {} : { stage }) } };
    },
    advance_quest(state, params) {
        const id = params.name('quest_id');
        const stage = params.note('stage');
        const open = openQuest(state, id);
        if ('code' in open) return open;
        if (stage === undefined) return reason('state.missing-parameter', { parameter: 'stage' });
        return { changes: [{ field: 'quests', name: id, value: quest('active', stage) }], params: { quest_id: id, stage } };
    },
    complete_quest(state, params) {
        const id = params.name('quest_id');
        const outcome = params.note('outcome') ?? params.note('status');
        const open = openQuest(state, id);
        if ('code' in open) return open;
        const status = outcome !== undefined && failureWords.test(outcome) ? 'failed' : 'completed';
        return { changes: [{ field: 'quests', name: id, value: quest(status, open.stage, outcome) }], params: { quest_id: id, ...(outcome === undefined ? {} : { outcome }) } };
    },
    set_flag(state, params) {
        const flag = params.name('flag');
        if (!params.given('value')) return reason('state.missing-parameter', { parameter: 'value' });
        const read = readFlagValue(params.raw('value') ?? null);
        if ('fault' in read) return reason('state.flag-value', { flag, fault: read.fault });
        if (full(state.flags, flag)) return reason('state.too-many', { field: 'flags', limit: limits.entries });
        return { changes: [{ field: 'flags', name: flag, value: read.value }], params: { flag, value: read.value } };
    },
    pass_time(state, params) {
        const minutes = passedMinutes(params);
        if (typeof minutes !== 'number') return minutes;
        const time = clockAfter(state.time, minutes);
        if (time.day > limits.day) return reason('state.time-jump', { minutes, limit: limits.timeJump });
        return { changes: [{ field: 'time', value: time }], params: { amount: minutes, unit: 'minutes' } };
    },
    set_time(_state, params) {
        const time = {
            day: params.whole('day', { least: 1, most: limits.day }),
            hour: params.whole('hour', { least: 0, most: 23 }),
            minute: params.whole('minute', { least: 0, most: 59 }),
        };
        return { changes: [{ field: 'time', value: time }], params: time };
    },
    set_item(state, params) {
        const item = params.name('item');
        const quantity = params.whole('quantity', { least: 0, most: limits.owned });
        if (full(state.inventory, item)) return reason('state.too-many', { field: 'inventory', limit: limits.entries });
        return { changes: [{ field: 'inventory', name: item, value: quantity === 0 ? undefined : quantity }], params: { item, quantity } };
    },
    set_quest(state, params) {
        const id = params.name('quest_id');
        const status = params.raw('status');
        const stage = params.note('stage');
        const outcome = params.note('outcome');
        if (status !== 'active' && status !== 'completed' && status !== 'failed') return reason('state.quest-status', { quest: id });
        if (full(state.quests, id)) return reason('state.too-many', { field: 'quests', limit: limits.entries });
        const value = quest(status, stage, outcome);
        return { changes: [{ field: 'quests', name: id, value }], params: { quest_id: id, ...value } };
    },
    remove_entry(state, params) {
        const field = params.raw('field');
        const name = params.name('name', limits.note);
        if (field !== 'relationships' && field !== 'quests' && field !== 'flags') return reason('state.unknown-field', { field: String(field) });
        if (!Object.hasOwn(state[field], name)) return reason('state.unknown-entry', { field, name });
        return { changes: [{ field, name, value: undefined }], params: { field, name } };
    },
};
