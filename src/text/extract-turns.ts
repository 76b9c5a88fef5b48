import { turnRecordSchema, type TurnRecord } from '../turn-record';
import type { ChatMessage } from '../ports';
import { summaryFromMessage } from './summary-line';
import { cleanProse } from './clean';
import { narrativeHash, narrativeOf } from './narrative';
import type { Reply, Turn } from './turn';

/** What a chat's reading can be told. */
export interface ExtractOptions {
    /** Tags of tools whose output a reply may carry (`output_tag`): no prose either. */
    outputTags?: readonly string[];
}

interface Draft {
    user: string[];
    userIndexes: number[];
    replies: Reply[];
    narration: { after: number; text: string }[];
    /** A user line opened it (else: the greeting). */
    spoken: boolean;
}

function emptyDraft(spoken: boolean): Draft {
    return { user: [], userIndexes: [], replies: [], narration: [], spoken };
}

/**
 * The record that stands on a message, if it is the message's own. The host copies `extra` into new swipes, so one counts
 * only when it was made from this very prose, or for the swipe on display (then the prose was edited since: stale).
 */
export function recordOf(message: Pick<ChatMessage, 'record' | 'swipe' | 'text'>): { record: TurnRecord | null; stale: boolean } {
    if (message.record === undefined || message.record === null) return { record: null, stale: false };
    const parsed = turnRecordSchema.safeParse(message.record);
    if (!parsed.success) return { record: null, stale: false };
    const record = parsed.data;
    if (record.narrative === narrativeHash(message.text)) return { record, stale: false };
    return record.swipe === message.swipe ? { record, stale: true } : { record: null, stale: false };
}

function replyOf(message: ChatMessage, outputTags: readonly string[]): Reply {
    const { narrative, tagged } = narrativeOf(message.text, outputTags);
    const writtenSummary = tagged ? summaryFromMessage(message.text) : null;
    return { index: message.index, speaker: message.name, narrative, ...recordOf(message), tagged, ...(message.isHidden ? { hidden: true } : {}), ...(writtenSummary === null ? {} : { writtenSummary }) };
}

/** Splits a chat into drafts; the last one may still await its reply. */
function draftsOf(messages: ChatMessage[], outputTags: readonly string[]): Draft[] {
    const drafts: Draft[] = [];
    const current = () => drafts[drafts.length - 1];
    const answered = (draft: Draft) => draft.replies.length > 0;
    let hiddenUser = false;
    for (const message of messages) {
        if (typeof message.text !== 'string') continue;
        if (message.isHidden && (message.isUser || message.isNarrator)) {
            hiddenUser ||= message.isUser;
            continue;
        }
        if (message.isUser) {
            hiddenUser = false;
            const open = current();
            const draft = open && open.spoken && !answered(open) ? open : emptyDraft(true);
            if (draft !== open) drafts.push(draft);
            draft.userIndexes.push(message.index);
            if (message.text.trim() !== '') draft.user.push(message.text.trim());
        } else if (message.isNarrator) {
            const text = cleanProse(message.text, outputTags);
            if (text === '') continue;
            const draft = current() ?? emptyDraft(false);
            if (!current()) drafts.push(draft);
            draft.narration.push({ after: draft.replies.length, text });
        } else {
            const reply = replyOf(message, outputTags);
            // Hidden rows are the host's own notes, or turns the user took out of prompts: only those left a record.
            if (reply.hidden && !reply.record) {
                hiddenUser = false;
                continue;
            }
            const open = current();
            const draft = open && !(hiddenUser && answered(open)) ? open : emptyDraft(hiddenUser);
            if (draft !== open) drafts.push(draft);
            hiddenUser = false;
            draft.replies.push(reply);
        }
    }
    return drafts;
}

/**
 * The turns of a chat. Replies before any user line are turn 0, how the story opens; user lines count 1, 2, 3 …, several in
 * a row being one; several members' replies to one line are one turn. Hidden messages are left out, but a hidden reply
 * that has a record keeps its turn and number (its events happened). A user line without a reply is no turn yet.
 */
export function extractTurns(messages: ChatMessage[], options: ExtractOptions = {}): Turn[] {
    const turns: Turn[] = [];
    let number = 0;
    for (const draft of draftsOf(messages, options.outputTags ?? [])) {
        if (draft.spoken) number += 1;
        if (draft.replies.length === 0 && (draft.spoken || draft.narration.length === 0)) continue;
        turns.push({
            number,
            user: draft.user.join('\n'),
            userIndexes: draft.userIndexes,
            replies: draft.replies,
            ...(draft.narration.length > 0 ? { narration: draft.narration } : {}),
        });
    }
    return turns;
}

/** The user's lines that await a reply (narrator messages after them included), joined; empty when the chat ends with a reply. */
export function pendingUserInput(messages: ChatMessage[]): string {
    const shown = messages.filter((message) => !message.isHidden && typeof message.text === 'string');
    const lastReply = shown.findLastIndex((message) => !message.isUser && !message.isNarrator);
    const tail = shown.slice(lastReply + 1);
    // Narration before the user spoke belongs to the turn before.
    const first = tail.findIndex((message) => message.isUser);
    if (first < 0) return '';
    return tail.slice(first).map((message) => message.text.trim()).filter((text) => text !== '').join('\n');
}
