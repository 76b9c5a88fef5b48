import type { ProposedEvent } from './event';
import { ownValue, sameJson } from './safe-value';
import type { GameState } from './state';

function textOf(value: unknown): unknown {
    return typeof value === 'string' && value.trim() === '' ? undefined : value;
}

/**
 * The event that makes a field what the user typed, null where it is that already. `path` is a field (`time`, `location`) or
 * a field and a name (`inventory.铜钥匙`; only the first dot parts them); an undefined value takes the entry out. Values are
 * not checked here: apply the event (`by: 'user'`) and tell the user the reason if it is refused.
 *
 * These say what *is*, not what changed, so the correction holds when an earlier turn is analysed again.
 */
export function correctionFor(path: string, value: unknown, state: GameState): ProposedEvent | null {
    const dot = path.indexOf('.');
    const field = dot === -1 ? path : path.slice(0, dot);
    const name = dot === -1 ? '' : path.slice(dot + 1);
    switch (field) {
        case 'time': return sameJson(value, state.time) ? null : { type: 'set_time', params: typeof value === 'object' && value !== null ? { ...value } : { day: value } };
        case 'location': return value === state.location ? null : { type: 'move', params: { location: value } };
        case 'inventory': return (value ?? 0) === (ownValue(state.inventory, name) ?? 0) ? null : { type: 'set_item', params: { item: name, quantity: value ?? 0 } };
        case 'relationships':
        case 'quests':
        case 'flags': {
            const before = ownValue<unknown>(state[field], name);
            if (sameJson(before, value)) return null;
            if (value === undefined) return { type: 'remove_entry', params: { field, name } };
            if (field === 'relationships') return { type: 'set_relationship', params: { npc: name, value } };
            if (field === 'flags') return { type: 'set_flag', params: { flag: name, value } };
            const quest = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { status: value };
            return { type: 'set_quest', params: { quest_id: name, status: quest.status, stage: textOf(quest.stage), outcome: textOf(quest.outcome) } };
        }
        default: return { type: 'remove_entry', params: { field, name } };
    }
}
