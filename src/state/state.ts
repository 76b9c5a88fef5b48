/** One quest (seed: QuestState active/completed/failed). */
export interface QuestState {
    status: 'active' | 'completed' | 'failed';
    stage?: string;
    outcome?: string;
}

/** The deterministic game state (seed: 状态管理器): seven fields. */
export interface GameState {
    time: { day: number; hour: number; minute: number };
    location: string;
    inventory: Record<string, number>;
    /** -100..100. */
    relationships: Record<string, number>;
    quests: Record<string, QuestState>;
    flags: Record<string, unknown>;
    /** The last 200. */
    eventLog: EventRecord[];
}

/** One event as the fold judged it. */
export interface EventRecord {
    /** Turn number. */
    turn: number;
    type: string;
    params: Record<string, unknown>;
    accepted: boolean;
    /** Why it was rejected: `state.…` notice code and its parameters. */
    reason?: { code: string; params: Record<string, string | number | boolean> };
    by: 'analysis' | 'user';
}

/** Day 1, 00:00, 起点, all empty (seed). */
export function initialState(): GameState {
    return { time: { day: 1, hour: 0, minute: 0 }, location: '起点', inventory: {}, relationships: {}, quests: {}, flags: {}, eventLog: [] };
}
