import type { TraceStore } from '../ports';
import type { CallTrace } from './call-model';

/** Full prompts and raw outputs of a turn, for the panel. Large and throw-away. */
export interface TurnTrace {
    add(call: CallTrace): void;
    save(turnId: string, chatKey: string): Promise<void>;
}

export function createTurnTrace(store: TraceStore): TurnTrace {
    const calls: CallTrace[] = [];
    return {
        add: (call) => void calls.push(call),
        save: (turnId, chatKey) => store.save(turnId, { turnId, calls }, chatKey),
    };
}
