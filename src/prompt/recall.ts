import { isVisible, turnNarrative, type Turn } from '../text/turn';

/** How text recall is bounded. */
export interface RecallBounds {
    /** Turns the prompt's window shows anyway. */
    shown: readonly number[];
    /** Characters of all recalled texts together. */
    cap: number;
}

/**
 * The original text of the named turns (seed: 原文召回), each once, in story order, without those the window shows. They are
 * taken in the planner's order of naming until the cap is reached; the one that does not fit whole is cut at a line or
 * sentence, what comes after it is left out.
 */
export function recallTurns(turns: readonly Turn[], numbers: readonly number[], bounds: RecallBounds): { turn: number; text: string }[] {
    const recalled: { turn: number; text: string }[] = [];
    let room = bounds.cap;
    for (const number of new Set(numbers)) {
        if (bounds.shown.includes(number) || room <= 0) continue;
        const turn = turns.find((each) => each.number === number && isVisible(each));
        const text = turn ? turnNarrative(turn) : '';
        if (text === '') continue;
        const fitting = text.length <= room ? text : cutAtSentence(text, room);
        if (fitting !== '') recalled.push({ turn: number, text: fitting });
        room -= text.length;
    }
    return recalled.sort((a, b) => a.turn - b.turn);
}

function cutAtSentence(text: string, room: number): string {
    const head = text.slice(0, Math.max(0, room - 1));
    const end = Math.max(...['\n', '。', '！', '？', '. ', '! ', '? ', '”'].map((mark) => head.lastIndexOf(mark)));
    return end < head.length / 2 ? '' : `${head.slice(0, end + 1).trimEnd()}…`;
}
