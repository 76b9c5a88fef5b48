import type { TurnRecord } from '../pipeline/turn-record';

/** One reply of a turn; a group's members may each give one. */
export interface Reply {
    /** Position in the chat. */
    index: number;
    speaker: string;
    /** The prose alone: inside `<context>`, cleaned of status blocks, HTML, fences and variable blocks (seed). */
    narrative: string;
    /** The record of the swipe on display, when it belongs to it. */
    record: TurnRecord | null;
    /** The narrative is not the one the record was made from: edited since. */
    stale: boolean;
    /** False for a reply of before this extension (no `<context>`). */
    tagged: boolean;
}

/** One user message (or several in a row) and what was answered. Turn 0 is the greeting, with an empty user text. */
export interface Turn {
    number: number;
    user: string;
    userIndexes: number[];
    replies: Reply[];
}

/** All replies of a turn as one text; the speaker's name before each where there are several speakers. */
export function turnNarrative(turn: Turn): string {
    const spoken = turn.replies.filter((reply) => reply.narrative !== '');
    if (spoken.length <= 1) return spoken[0]?.narrative ?? '';
    return spoken.map((reply) => `${reply.speaker}: ${reply.narrative}`).join('\n\n');
}
