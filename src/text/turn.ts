import type { TurnRecord } from '../turn-record';

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
    /** The user took it out of prompts: its record still counts for the state, its text goes into no prompt. */
    hidden?: boolean;
    /** What the reply's own `<summary>` block says, where it has one. */
    writtenSummary?: string;
}

/** What a narrator message (`/sys`) says within a turn. */
export interface Narration {
    /** How many of the turn's replies stand before it. */
    after: number;
    text: string;
}

/** One user message (or several in a row) and what was answered. Turn 0 is the greeting, with an empty user text. */
export interface Turn {
    number: number;
    user: string;
    userIndexes: number[];
    replies: Reply[];
    /** Narrator messages among the replies, in order. */
    narration?: Narration[];
}

/** What a turn shows in prompts as one text: replies (the speaker's name before each where there are several) and narration; hidden ones left out. */
export function turnNarrative(turn: Turn): string {
    const spoken = turn.replies.filter((reply) => reply.narrative !== '' && !reply.hidden);
    const several = new Set(spoken.map((reply) => reply.speaker)).size > 1;
    const parts: string[] = [];
    const narrate = (after: number) => parts.push(...(turn.narration ?? []).filter((each) => each.after === after).map((each) => each.text));
    narrate(0);
    turn.replies.forEach((reply, position) => {
        if (spoken.includes(reply)) parts.push(several ? `${reply.speaker}: ${reply.narrative}` : reply.narrative);
        narrate(position + 1);
    });
    return parts.join('\n\n');
}

/** Whether any of a turn's prose may be shown in prompts. */
export function isVisible(turn: Turn): boolean {
    return turn.replies.length === 0 || turn.replies.some((reply) => !reply.hidden);
}
