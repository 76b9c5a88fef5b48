import { contextOf } from '../text/narrative';
import { currentChatKey, tavern, type TavernMessage } from './context';
import { emit } from './events';

const redrawing = new Map<number, number>();
const postponed = new WeakSet<TavernMessage>();

/**
 * Whether a MESSAGE_EDITED, MESSAGE_UPDATED or CHARACTER_MESSAGE_RENDERED of this message is one we emit ourselves now,
 * and not an edit of the user's.
 */
export function isOwnEdit(messageId: number | string): boolean {
    return (redrawing.get(Number(messageId)) ?? 0) > 0;
}

function messageElement(index: number): Element | null {
    return document.querySelector(`#chat .mes[mesid="${index}"]`);
}

/** Whether the user has this message's edit box (text or reasoning) open. */
export function isBeingEdited(index: number): boolean {
    return messageElement(index)?.querySelector('.edit_textarea, .reasoning_edit_textarea') != null;
}

/**
 * A box that was opened on the plain reply and not typed in follows the message to its finished form: closed with "done", it
 * would otherwise put the plain text back and take `<context>` and summary off the message.
 */
function followInBox(index: number, message: TavernMessage): void {
    const box = messageElement(index)?.querySelector<HTMLTextAreaElement>('textarea.edit_textarea');
    if (!box || contextOf(message.mes)?.trim() !== box.value.trim()) return;
    const shift = message.mes.indexOf(box.value.trim());
    const [start, end] = [box.selectionStart + shift, box.selectionEnd + shift];
    box.value = message.mes;
    box.setSelectionRange(start, end);
    box.dispatchEvent(new Event('input', { bubbles: true }));
}

async function draw(index: number): Promise<void> {
    const context = tavern();
    const message = context.chat[index];
    if (message === undefined) return;
    redrawing.set(index, (redrawing.get(index) ?? 0) + 1);
    try {
        if (context.updateMessageBlock !== undefined) context.updateMessageBlock(index, message);
        await emit('MESSAGE_EDITED', index);
        await emit('MESSAGE_UPDATED', index);
        await emit('CHARACTER_MESSAGE_RENDERED', index);
    } finally {
        const left = (redrawing.get(index) ?? 1) - 1;
        if (left > 0) redrawing.set(index, left);
        else redrawing.delete(index);
    }
}

/**
 * Shows a message as the chat has it now and tells rendering extensions (seed: MESSAGE_EDITED, MESSAGE_UPDATED,
 * CHARACTER_MESSAGE_RENDERED, in this order). An open edit box stays open: the redraw then happens when it closes, and
 * not at all if chat or message are others by then. Resolves without waiting for a postponed one.
 */
export async function redraw(index: number): Promise<'drawn' | 'postponed' | 'gone'> {
    const context = tavern();
    const message = context.chat[index];
    if (message === undefined) return 'gone';
    if (!isBeingEdited(index)) {
        await draw(index);
        return 'drawn';
    }
    followInBox(index, message);
    if (postponed.has(message)) return 'postponed';
    const chatKey = currentChatKey(context);
    const chat = document.querySelector('#chat');
    if (chat === null) return 'gone';
    postponed.add(message);
    const observer = new MutationObserver(() => {
        const now = tavern();
        const position = currentChatKey(now) === chatKey ? now.chat.indexOf(message) : -1;
        if (position >= 0 && isBeingEdited(position)) return;
        observer.disconnect();
        postponed.delete(message);
        // ST still formats the block when the box goes: draw after it.
        if (position >= 0) setTimeout(() => void draw(position), 0);
    });
    observer.observe(chat, { childList: true, subtree: true });
    return 'postponed';
}
