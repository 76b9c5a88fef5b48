import type { Reply, Turn } from '../text/turn';

/** A reply and the number of its turn. */
export interface NumberedReply {
    turn: number;
    reply: Reply;
}

/** Replies without any record that are caught up at once, at most: more is the user's decision (the panel offers it). */
const mostUnrecorded = 3;

/** Every reply with its turn's number. */
export function repliesIn(turns: readonly Turn[]): NumberedReply[] {
    return turns.flatMap((turn) => turn.replies.map((reply) => ({ turn: turn.number, reply })));
}

/** The placeholder of a relay whose narrative has not come: no call of an agent is in its record yet. */
function isPlaceholder({ record, stale }: Reply): boolean {
    return record !== null && !stale && record.delivery === 'relay' && record.status === 'pending' && !record.analysed && record.calls.length === 0;
}

/** There is something to analyse; `...` is what the host shows before the first word, and what stays where none came. */
function isTold(reply: Reply): boolean {
    return reply.narrative !== '' && reply.narrative !== '...' && !isPlaceholder(reply);
}

function unfinished(reply: Reply): boolean {
    return reply.record !== null && reply.record.status !== 'complete' && isTold(reply);
}

/**
 * Replies to analyse before the next turn, oldest first: those left pending or incomplete, and those written meanwhile
 * without this extension once the chat has records. A long chat from before the extension costs nothing by itself.
 */
export function gapsOf(turns: readonly Turn[]): NumberedReply[] {
    const all = repliesIn(turns).filter(({ reply }) => !reply.hidden);
    const first = all.findIndex(({ turn, reply }) => turn > 0 && reply.record !== null);
    const unrecorded = first < 0 ? [] : all.slice(first).filter(({ reply }) => reply.record === null && isTold(reply));
    const kept = new Set(unrecorded.slice(-mostUnrecorded));
    return all.filter((gap) => (gap.turn > 0 && unfinished(gap.reply)) || kept.has(gap));
}

/** Replies whose turn was in flight when the page or the chat went away. */
export function interruptedOf(turns: readonly Turn[]): NumberedReply[] {
    return repliesIn(turns).filter(({ reply }) => reply.record?.status === 'pending' && isTold(reply));
}

/** Relay placeholders in the chat, newest first. */
export function placeholdersOf(turns: readonly Turn[]): NumberedReply[] {
    return repliesIn(turns).filter(({ reply }) => isPlaceholder(reply)).reverse();
}

/** The greeting, where it is told in our form and has not been analysed. */
export function greetingOf(turns: readonly Turn[]): Reply | null {
    const opening = turns.find((turn) => turn.number === 0)?.replies.at(0);
    return opening && opening.tagged && !opening.record?.analysed && opening.narrative !== '' ? opening : null;
}
