import type { ProposedEvent } from '../../../state/event';

/** The event that sets a state field by hand; null where the field cannot hold the value. `value` undefined takes an entry away. */
export function correctionFor(path: string, value: unknown): ProposedEvent | null {
    const dot = path.indexOf('.');
    const [field, name] = dot < 0 ? [path, ''] : [path.slice(0, dot), path.slice(dot + 1)];
    if (field === 'time') return { type: 'set_time', params: { ...(value as object) } };
    if (field === 'location') return { type: 'move', params: { location: value } };
    if (field === 'inventory') return { type: 'set_item', params: { item: name, quantity: value ?? 0 } };
    if (value === undefined) return { type: 'remove_entry', params: { field, name } };
    if (field === 'relationships') return { type: 'set_relationship', params: { npc: name, value } };
    if (field === 'quests') return { type: 'set_quest', params: { quest_id: name, ...(value as object) } };
    if (field === 'flags') return { type: 'set_flag', params: { flag: name, value } };
    return null;
}
