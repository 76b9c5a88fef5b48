import { beforeEach, describe, expect, it, vi } from 'vitest';
import { findRecord, renumberSwipes, save, writeMetadata, writeReply } from '../../src/host/chat-records';
import { readChat } from '../../src/host/chat-view';
import type { TavernMessage } from '../../src/host/context';
import { isOwnEdit, redraw } from '../../src/host/redraw';
import { installTavern } from './fake-tavern';

const user = (mes: string): TavernMessage => ({ name: '旅人', is_user: true, is_system: false, mes, extra: {} });
const record = (id: string, swipe: number) => ({ id, swipe });

/** A reply with two swipes as ST leaves them: the second inherited the first's extra, then got its own record. */
function swiped(): TavernMessage {
    return {
        name: '兰', is_user: false, is_system: false, mes: '乙', swipe_id: 1, swipes: ['甲', '乙'],
        extra: { narrative_agent: record('t2', 1), display_text: 'old' },
        swipe_info: [{ extra: { narrative_agent: record('t1', 0) } }, { extra: { narrative_agent: record('t1', 0) } }],
    };
}

beforeEach(() => { document.body.innerHTML = ''; });

describe('reading the chat', () => {
    it('names chats uniquely over characters and groups', () => {
        const { context } = installTavern();
        expect(readChat().chatKey).toBe('char:lan.png/story');
        context.groupId = 'g1';
        expect(readChat()).toMatchObject({ chatKey: 'group:g1/story', isGroup: true });
        context.groupId = null;
        context.characterId = undefined;
        expect(readChat()).toMatchObject({ chatKey: null, messages: [] });
    });

    it('tells hidden, narrator and swipe', () => {
        const ignore = Symbol.for('ignore');
        installTavern({ chat: [
            { name: 's', is_user: false, is_system: false, mes: '夜深了', extra: { type: 'narrator' } },
            { ...user('藏'), is_system: true },
            { ...user('略'), extra: { [ignore]: true } },
            swiped(),
        ] });
        const { messages } = readChat();
        expect(messages.map(({ isHidden }) => isHidden)).toEqual([false, true, true, false]);
        expect(messages[0]?.isNarrator).toBe(true);
        expect(messages[3]).toMatchObject({ swipe: 1, text: '乙', record: record('t2', 1), isUser: false });
    });
});

describe('records', () => {
    it('finds a record where it belongs and not in an inherited copy', () => {
        installTavern({ chat: [user('走'), swiped()] });
        expect(findRecord('t1')).toMatchObject({ index: 1, swipe: 0, visible: false });
        expect(findRecord('t2')).toMatchObject({ index: 1, swipe: 1, visible: true });
        expect(findRecord('t3')).toBeNull();
    });

    it('keeps every place of the swipe on display in step', () => {
        const message = swiped();
        installTavern({ chat: [message] });
        const next = { id: 't2', swipe: 1, status: 'complete' };
        expect(writeReply({ turnId: 't2' }, { text: '乙完', record: next })).toEqual({ index: 0, swipe: 1, visible: true });
        expect(message).toMatchObject({ mes: '乙完', swipes: ['甲', '乙完'], extra: { narrative_agent: next } });
        expect(message.swipe_info?.[1]?.extra).toEqual({ narrative_agent: next });
        expect(message.extra?.['narrative_agent']).not.toBe(message.swipe_info?.[1]?.extra?.['narrative_agent']);
        expect(message.extra).not.toHaveProperty('display_text');
    });

    it('writes a hidden swipe without disturbing the one on display', () => {
        const message = swiped();
        installTavern({ chat: [message] });
        expect(writeReply({ turnId: 't1' }, { text: '甲完', record: null })).toMatchObject({ swipe: 0, visible: false });
        expect(message.mes).toBe('乙');
        expect(message.swipes).toEqual(['甲完', '乙']);
        expect(message.swipe_info?.[0]?.extra).toEqual({});
        expect(message.extra?.['narrative_agent']).toEqual(record('t2', 1));
    });

    it('refuses users\' messages and swipes that are gone', () => {
        installTavern({ chat: [user('走'), swiped()] });
        expect(writeReply({ index: 0, swipe: 0 }, { text: 'x' })).toBeNull();
        expect(writeReply({ index: 1, swipe: 5 }, { text: 'x' })).toBeNull();
    });

    it('follows the deletion of a swipe', () => {
        const message: TavernMessage = {
            ...swiped(), swipe_id: 0, mes: '乙', swipes: ['乙', '丙'], extra: { narrative_agent: record('t2', 1) },
            swipe_info: [{ extra: { narrative_agent: record('t2', 1) } }, { extra: { narrative_agent: record('t1', 0) } }],
        };
        installTavern({ chat: [message] });
        expect(renumberSwipes(0, 0)).toBe(true);
        expect(message.extra?.['narrative_agent']).toEqual(record('t2', 0));
        expect(message.swipe_info?.map((info) => info?.extra)).toEqual([{ narrative_agent: record('t2', 0) }, {}]);
    });
});

describe('saving and redrawing', () => {
    it('saves only the chat it was asked to', async () => {
        const saveChat = vi.fn(async () => undefined);
        const { context } = installTavern({ saveChat });
        expect(await save('char:lan.png/other')).toBe(false);
        expect(await save('char:lan.png/story')).toBe(true);
        expect(saveChat).toHaveBeenCalledTimes(1);
        writeMetadata({ a: 1 });
        expect(context.chatMetadata['narrative_agent']).toEqual({ a: 1 });
    });

    it('draws, then tells in the seed\'s order, and its own edits are known as such', async () => {
        const updateMessageBlock = vi.fn();
        const { eventSource } = installTavern({ chat: [swiped()], updateMessageBlock });
        const own: boolean[] = [];
        eventSource.on('message_edited', ((id: number) => { own.push(isOwnEdit(String(id))); }) as never);
        expect(await redraw(0)).toBe('drawn');
        expect(updateMessageBlock).toHaveBeenCalledOnce();
        expect(eventSource.emitted).toEqual([['message_edited', 0], ['message_updated', 0], ['character_message_rendered', 0]]);
        await eventSource.emit('message_edited', 0);
        expect(own).toEqual([true, false]);
        expect(await redraw(7)).toBe('gone');
    });

    it('waits for an open edit box to close', async () => {
        document.body.innerHTML = '<div id="chat"><div class="mes" mesid="0"><textarea class="edit_textarea"></textarea></div></div>';
        const { eventSource } = installTavern({ chat: [swiped()] });
        expect(await redraw(0)).toBe('postponed');
        expect(eventSource.emitted).toEqual([]);
        document.querySelector('textarea')?.remove();
        await vi.waitFor(() => expect(eventSource.emitted.length).toBe(3));
    });

    it.each([
        ['follows where nothing was typed', '你到了石桥。', '<context>你到了石桥。</context>\n\n<summary>[第1轮] 过桥</summary>'],
        ['is left alone where something was typed', '你到了石桥，很冷。', '你到了石桥，很冷。'],
        ['is left alone where something was taken away', '你到了', '你到了'],
    ])('an edit box opened before the turn was done %s', async (_name, typed, expected) => {
        document.body.innerHTML = '<div id="chat"><div class="mes" mesid="0"><textarea class="edit_textarea"></textarea></div></div>';
        const box = document.querySelector('textarea');
        if (box) box.value = typed;
        installTavern({ chat: [{ ...swiped(), mes: '<context>你到了石桥。</context>\n\n<summary>[第1轮] 过桥</summary>' }] });
        expect(await redraw(0)).toBe('postponed');
        expect(box?.value).toBe(expected);
    });
});
