import type { GameState } from './state';

type RecordField = 'inventory' | 'relationships' | 'quests' | 'flags';

/** One field of the state and its new value; a record's entry that becomes undefined is taken out. */
export type StateChange =
    | { field: 'time'; value: GameState['time'] }
    | { field: 'location'; value: string }
    | { [F in RecordField]: { field: F; name: string; value: GameState[F][string] | undefined } }[RecordField];

/** `inventory.铜钥匙`, `time`: names may hold dots, so only the first dot parts. */
export function changePath(change: StateChange): string {
    return 'name' in change ? `${change.field}.${change.name}` : change.field;
}

/** What the state holds where the change goes. */
export function valueBefore(state: GameState, change: StateChange): unknown {
    if (!('name' in change)) return state[change.field];
    const record: Record<string, unknown> = state[change.field];
    return Object.hasOwn(record, change.name) ? record[change.name] : undefined;
}

function put<T>(record: Record<string, T>, name: string, value: T | undefined): void {
    if (value === undefined) delete record[name];
    else record[name] = value;
}

/** Writes a change into a draft: a state nobody else holds. */
export function writeChange(draft: GameState, change: StateChange): void {
    switch (change.field) {
        case 'time': draft.time = change.value; break;
        case 'location': draft.location = change.value; break;
        case 'inventory': put(draft.inventory, change.name, change.value); break;
        case 'relationships': put(draft.relationships, change.name, change.value); break;
        case 'quests': put(draft.quests, change.name, change.value); break;
        case 'flags': put(draft.flags, change.name, change.value); break;
    }
}

/** A copy that can be written without touching the original. Quests, flag values and log entries are replaced, never written into. */
export function draftOf(state: GameState): GameState {
    return {
        time: state.time,
        location: state.location,
        inventory: { ...state.inventory },
        relationships: { ...state.relationships },
        quests: { ...state.quests },
        flags: { ...state.flags },
        eventLog: [...state.eventLog],
    };
}
