import { recordKey } from './chat-view';
import { currentChatKey, tavern, type TavernMessage } from './context';

/** Where a record stands: the message, the swipe, and whether that swipe is on display. */
export interface RecordPlace {
    index: number;
    swipe: number;
    visible: boolean;
    record?: unknown;
}

interface RecordLike {
    id?: unknown;
    swipe?: unknown;
}

type Extra = Record<string | symbol, unknown>;

function recordOf(extra: Extra | undefined): RecordLike | null {
    const record = extra?.[recordKey];
    return typeof record === 'object' && record !== null ? record : null;
}

function visibleSwipe(message: TavernMessage): number {
    return message.swipe_id ?? 0;
}

/**
 * Finds the record with this id in the open chat, on display or in a hidden swipe. ST copies `extra` into each new swipe,
 * so a copy may stand in a later swipe: the place whose number is the record's own wins. Null when it is gone.
 */
export function findRecord(turnId: string): RecordPlace | null {
    const { chat } = tavern();
    let copy: RecordPlace | null = null;
    for (let index = chat.length - 1; index >= 0; index--) {
        const message = chat[index];
        if (message === undefined || message.is_user) continue;
        const shown = visibleSwipe(message);
        const extras: [number, Extra | undefined][] = [[shown, message.extra]];
        for (const [swipe, info] of (message.swipe_info ?? []).entries()) {
            if (swipe !== shown) extras.push([swipe, info?.extra]);
        }
        for (const [swipe, extra] of extras) {
            const record = recordOf(extra);
            if (record?.id !== turnId) continue;
            const place = { index, swipe, visible: swipe === shown, record };
            if (record.swipe === swipe) return place;
            copy ??= place;
        }
    }
    return copy;
}

/** Names a swipe of a message: by the record it carries, or by position. */
export type ReplyTarget = { turnId: string } | { index: number; swipe: number };

export interface ReplyChange {
    text?: string;
    /** The new record; null removes what is there. */
    record?: unknown;
}

function setRecord(extra: Extra, record: unknown): void {
    if (record === null) Reflect.deleteProperty(extra, recordKey);
    // Two places never share one object: ST hands `extra` of the swipe on display to others to change.
    else extra[recordKey] = structuredClone(record);
}

/**
 * Writes a reply's text and record into every place ST keeps them: for the swipe on display `mes`, `extra` and the
 * matching element of `swipes` and `swipe_info`, for a hidden one those two alone. ST brings them in step only when the
 * user swipes away. Saves nothing. Null when the target is gone or is a message of the user.
 */
export function writeReply(target: ReplyTarget, change: ReplyChange): RecordPlace | null {
    const found = 'turnId' in target ? findRecord(target.turnId) : { ...target, visible: false };
    const message = found === null ? undefined : tavern().chat[found.index];
    if (found === null || message === undefined || message.is_user) return null;
    const visible = found.swipe === visibleSwipe(message);
    const info = message.swipe_info?.[found.swipe] ?? null;
    if (!visible && message.swipes?.[found.swipe] === undefined) return null;

    if (change.text !== undefined) {
        if (visible) {
            message.mes = change.text;
            // What a translation or the like shows in place of the text was made from the old one.
            if (message.extra !== undefined) delete message.extra['display_text'];
        }
        if (message.swipes?.[found.swipe] !== undefined) message.swipes[found.swipe] = change.text;
        if (info?.extra !== undefined) delete info.extra['display_text'];
    }
    if (change.record !== undefined) {
        if (visible) {
            message.extra ??= {};
            setRecord(message.extra, change.record);
        }
        if (info !== null) {
            info.extra ??= {};
            setRecord(info.extra, change.record);
        } else if (!visible) {
            const extra: Extra = {};
            setRecord(extra, change.record);
            const infos = (message.swipe_info ??= []);
            while (infos.length < found.swipe) infos.push({ extra: {} });
            infos[found.swipe] = { extra };
        }
    }
    return { index: found.index, swipe: found.swipe, visible };
}

/**
 * Keeps records beside their swipes after a swipe of a message was deleted (MESSAGE_SWIPE_DELETED): later swipes have
 * moved down by one, and copies that belonged to no swipe of theirs are dropped. Returns whether anything changed.
 */
export function renumberSwipes(index: number, deletedSwipe: number): boolean {
    const message = tavern().chat[index];
    if (message === undefined) return false;
    let changed = false;
    const seen = new Set<Extra>();
    const renumber = (extra: Extra | undefined, swipe: number): void => {
        const record = recordOf(extra);
        // The same object may stand for the swipe on display and in the list.
        if (extra === undefined || record === null || seen.has(extra)) return;
        seen.add(extra);
        // Every own record from here on says its old number; one that says another was a copy.
        setRecord(extra, record.swipe === swipe + 1 ? { ...record, swipe } : null);
        changed = true;
    };
    for (const [swipe, info] of (message.swipe_info ?? []).entries()) {
        if (swipe >= deletedSwipe) renumber(info?.extra, swipe);
    }
    const shown = visibleSwipe(message);
    if (shown >= deletedSwipe) renumber(message.extra, shown);
    return changed;
}

/** Saves the open chat, but only while it is still the one named. False when another is open now. */
export async function save(chatKey: string | null): Promise<boolean> {
    const context = tavern();
    if (chatKey === null || currentChatKey(context) !== chatKey) return false;
    await context.saveChat();
    return true;
}

/** Writes our part of the chat's metadata (null removes it) and has ST save it. */
export function writeMetadata(value: unknown): void {
    const context = tavern();
    if (value === null || value === undefined) delete context.chatMetadata[recordKey];
    else context.chatMetadata[recordKey] = structuredClone(value);
    if (context.saveMetadataDebounced !== undefined) context.saveMetadataDebounced();
    else void context.saveMetadata();
}
