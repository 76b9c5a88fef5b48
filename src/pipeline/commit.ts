import type { ChatPort, ReplyTarget } from '../ports';
import { turnRecordSchema, type TurnRecord } from '../turn-record';

/**
 * The only writer of turn results. Every write names its turn by record id and its chat by key, and is dropped when the
 * chat, the message or the swipe is no longer the one the turn was made for (the epoch of design decision 5).
 */
export interface Commit {
    /** Puts a new record on a reply that has just arrived. Synchronous, so that the host's own save holds it. */
    begin(index: number, swipe: number, record: TurnRecord, text?: string): void;
    /** Takes a record away that the host copied to a swipe which came to nothing. */
    clear(index: number, swipe: number): void;
    /** Where the turn's reply is now; null when it is gone or another chat is open. */
    locate(turnId: string, chatKey: string): ReplyTarget | null;
    /** The turn's record as it stands now, on display or not; null where it is gone. */
    standing(turnId: string, chatKey: string): TurnRecord | null;
    /** Replaces text and record of the turn's reply, redraws it where it is on display, saves. False = dropped. */
    finish(turnId: string, chatKey: string, change: { text?: string; record: TurnRecord }): Promise<boolean>;
}

export function createCommit(chat: ChatPort): Commit {
    const locate = (turnId: string, chatKey: string): ReplyTarget | null => (chat.read().chatKey === chatKey ? chat.find(turnId) : null);
    return {
        begin(index, swipe, record, text) {
            chat.write({ index, swipe }, { text, record: compactRecord(record) });
        },
        clear(index, swipe) {
            chat.write({ index, swipe }, { record: null });
        },
        locate,
        standing(turnId, chatKey) {
            const parsed = turnRecordSchema.safeParse(locate(turnId, chatKey)?.record);
            return parsed.success ? parsed.data : null;
        },
        async finish(turnId, chatKey, change) {
            const target = locate(turnId, chatKey);
            if (!target) return false;
            if (!chat.write(target, { text: change.text, record: compactRecord({ ...change.record, swipe: target.swipe }) })) return false;
            if (target.visible && change.text !== undefined) await chat.redraw(target.index);
            await chat.save(chatKey);
            return true;
        },
    };
}

/** Without what reading puts back by itself: the record lives in the chat file. */
function compactRecord(record: TurnRecord): Record<string, unknown> {
    const checked: Record<string, unknown> = { ...turnRecordSchema.parse(record) };
    for (const [key, value] of Object.entries(checked)) {
        if (value === undefined || (Array.isArray(value) && value.length === 0)) delete checked[key];
    }
    return checked;
}
