import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createChatPort } from '../../src/host/chat-port';
import { createClock } from '../../src/host/clock';
import { createJournal } from '../../src/host/journal';
import { createLog, type LogLevel } from '../../src/host/log';
import { deleteOldData, findOldData, readStoredConfig, writeStoredConfig } from '../../src/host/settings-store';
import { createTokens, estimateTokens } from '../../src/host/tokens';
import { forgetChat } from '../../src/app/forget-chat';
import { createTraceStore } from '../../src/host/trace-store';
import { installTavern } from './fake-tavern';

const quiet = createLog(() => 'silent');

beforeEach(() => localStorage.clear());

function fakeForage(failing = false) {
    const values = new Map<string, unknown>();
    return {
        values,
        createInstance: () => ({
            getItem: async (key: string) => values.get(key) ?? null,
            setItem: async (key: string, value: unknown) => { if (failing) throw new Error('quota'); values.set(key, value); },
            removeItem: async (key: string) => void values.delete(key),
        }),
    };
}

describe('traces', () => {
    it('keeps the newest within count and bytes, and gives back what it kept', async () => {
        const forage = fakeForage();
        installTavern({}, { localforage: forage });
        const store = createTraceStore(quiet, { count: 2, bytes: 1_000 });
        await Promise.all(['a', 'b', 'c'].map((id) => store.save(id, { id }, 'char:lan.png/story')));
        expect(await store.load('a')).toBeNull();
        expect(await store.load('c')).toEqual({ id: 'c' });
        await store.save('d', { text: 'x'.repeat(480) }, 'char:lan.png/story');
        expect([...forage.values.keys()].sort()).toEqual(['d', 'index']);
        await store.forget(['d']);
        expect(await store.load('d')).toBeNull();
    });

    it('forgets a deleted chat, also under its new name, and no other', async () => {
        installTavern({}, { localforage: fakeForage() });
        const traces = createTraceStore(quiet);
        const journal = createJournal(quiet, () => true);
        await traces.save('a', 1, 'char:lan.png/旧名');
        await traces.save('b', 2, 'char:lan.png/另一个');
        await traces.save('c', 3, 'group:7/新名');
        journal.write('a', { chatKey: 'char:lan.png/新名', outputs: {} });
        journal.write('b', { chatKey: 'char:lan.png/另一个', outputs: {} });
        await traces.moveChat('char:lan.png/旧名', 'char:lan.png/新名');
        const deleted: string[] = [];
        await forgetChat({ traces, journal, deleteOldData: (name) => void deleted.push(name) }, 'char', '新名.jsonl');
        expect(await traces.load('a')).toBeNull();
        expect(await traces.load('b')).toBe(2);
        expect(await traces.load('c')).toBe(3);
        expect(journal.turns()).toEqual([{ turnId: 'b', chatKey: 'char:lan.png/另一个' }]);
        expect(deleted).toEqual(['新名']);
        journal.clear();
    });

    it('costs no turn when the browser refuses', async () => {
        installTavern({}, { localforage: fakeForage(true) });
        await expect(createTraceStore(quiet).save('a', {}, 'char:lan.png/story')).resolves.toBeUndefined();
    });

    it('works in memory without localforage', async () => {
        installTavern();
        const store = createTraceStore(quiet);
        await store.save('a', [1], 'char:lan.png/story');
        expect(await store.load('a')).toEqual([1]);
    });
});

describe('the journal', () => {
    it('holds a turn in flight and nothing at rest', () => {
        const journal = createJournal(quiet, () => true);
        journal.write('t', { chatKey: 'k', outputs: { planning: '{}' } });
        expect(journal.read('t')).toEqual({ chatKey: 'k', outputs: { planning: '{}' } });
        journal.clear('t');
        journal.write('u', { chatKey: 'k', outputs: {} });
        journal.clear();
        expect(localStorage.length).toBe(0);
    });

    it('writes nothing when switched off and survives rubbish', () => {
        createJournal(quiet, () => false).write('t', { chatKey: 'k', outputs: {} });
        expect(localStorage.length).toBe(0);
        localStorage.setItem('narrative-agent:turn:x', '{broken');
        expect(createJournal(quiet, () => true).read('x')).toBeNull();
    });
});

describe('settings', () => {
    it('live in config and leave their neighbours alone', () => {
        const saveSettingsDebounced = vi.fn();
        const { context } = installTavern({ saveSettingsDebounced, extensionSettings: { 'narrative-agent': { chatStates: { c: {} } } } });
        expect(readStoredConfig()).toBeUndefined();
        writeStoredConfig({ enabled: false });
        expect(context.extensionSettings['narrative-agent']).toEqual({ chatStates: { c: {} }, config: { enabled: false } });
        expect(saveSettingsDebounced).toHaveBeenCalledOnce();
    });

    it('finds and deletes what the original left, and only that', () => {
        const { context } = installTavern({ extensionSettings: { 'narrative-agent': { config: { a: 1 }, chatStates: { 聊: { location: '塔' } } } } });
        localStorage.setItem('na:checkpoint', '{"day":2}');
        localStorage.setItem('other', '1');
        expect(findOldData()).toEqual({ chatStates: { 聊: { location: '塔' } }, local: { 'na:checkpoint': { day: 2 } } });
        expect(deleteOldData()).toEqual({ chats: 1, items: 1 });
        expect(findOldData()).toBeNull();
        expect(context.extensionSettings['narrative-agent']).toEqual({ config: { a: 1 } });
        expect(localStorage.getItem('other')).toBe('1');
    });
});

describe('tokens', () => {
    it('estimates Chinese, English and nothing sensibly', () => {
        expect(estimateTokens('')).toBe(0);
        // 90 and 39 by o200k.
        const zh = '暮色沉入北塔的石缝，兰韦德提着油灯走在最前面。他回头看了你一眼，低声说：“门后有东西在呼吸。”你握紧了铜钥匙，手心全是汗。风从塔顶灌下来，带着铁锈和雨水的味道。';
        const en = 'The lantern swung as Lanwade climbed the last steps of the north tower. Something behind the door was breathing, slow and wet, and the brass key felt suddenly very small in your hand.';
        expect(estimateTokens(zh)).toBeGreaterThan(66);
        expect(estimateTokens(zh)).toBeLessThan(95);
        expect(estimateTokens(en)).toBeGreaterThan(33);
        expect(estimateTokens(en)).toBeLessThan(45);
    });

    it('takes off what ST adds for wrapping a text as a message', async () => {
        installTavern({ getTokenCountAsync: async (text) => text.length + 6 });
        expect(await createTokens().count('hello')).toBe(5);
        expect(await createTokens().count('')).toBe(0);
    });
});

describe('small parts', () => {
    it('logs by level, quiet otherwise', () => {
        const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
        const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
        let level: LogLevel = 'warn';
        const log = createLog(() => level);
        log.info('a');
        log.warn('b', 1);
        level = 'silent';
        log.warn('c');
        expect(info).not.toHaveBeenCalled();
        expect(warn.mock.calls).toEqual([['[Narrative Agent] b', 1]]);
        vi.restoreAllMocks();
    });

    it('waits until done or aborted', async () => {
        const clock = createClock();
        await clock.wait(1);
        const controller = new AbortController();
        const waiting = clock.wait(60_000, controller.signal);
        controller.abort(new Error('stop'));
        await expect(waiting).rejects.toThrow('stop');
    });

    it('takes back a relay reply: the swipe where there are more, else the message', async () => {
        const deleteSwipe = vi.fn(async () => undefined);
        const deleteLastMessage = vi.fn(async () => undefined);
        const { context } = installTavern({ deleteLastMessage, chat: [{ name: '兰', is_user: false, is_system: false, mes: 'b', swipe_id: 1, swipes: ['a', 'b'] }] });
        const port = createChatPort(async () => ({ deleteSwipe }));
        await port.discard({ index: 0, swipe: 1 });
        expect(deleteSwipe).toHaveBeenCalledWith(1, 0);
        context.chat[0] = { name: '兰', is_user: false, is_system: false, mes: 'b' };
        await port.discard({ index: 0, swipe: 0 });
        expect(deleteLastMessage).toHaveBeenCalledOnce();
    });
});
