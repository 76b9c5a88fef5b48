import type { EventRecord, GameState } from './state';

/** One summary entry as it goes into `<story_summary>`. */
export interface SummaryEntry {
    /** First and last turn it covers; equal for a plain entry. */
    from: number;
    to: number;
    /** `[第3轮] 用户意图：… | 叙事要点：…`, or a chapter's text. */
    text: string;
    chapter: boolean;
}

export type TurnStatus = 'complete' | 'incomplete' | 'pending' | 'stale' | 'none';

/** What one turn did to the state. */
export interface TurnFold {
    number: number;
    /** Chat positions of the turn's replies. */
    replies: number[];
    status: TurnStatus;
    events: EventRecord[];
    /** Fields that differ after the turn: path (`inventory.铜钥匙`), before, after. */
    changes: { path: string; before: unknown; after: unknown }[];
    summary: string | null;
}

/** State and summaries of the chat as it is now. */
export interface Fold {
    state: GameState;
    summaries: SummaryEntry[];
    turns: TurnFold[];
}
