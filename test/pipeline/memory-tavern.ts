import type { TavernContext, TavernListener, TavernMessage } from '../../src/host/context';
import type { ClockPort } from '../../src/ports';
import { fakeEventSource } from '../host/fake-tavern';

/**
 * A SillyTavern in memory: chats on a server as JSON, the open one in a page, and what its buttons do, in the order of events
 * that the real 1.18 has (script.js: Generate, saveReply, swipe, deleteSwipe, messageEditDone, messageEditMove; bookmarks.js).
 */
export interface MemoryTavern {
    context: TavernContext;
    chatId(): string;
    chats(): string[];
    generating(): boolean;
    open(id: string): Promise<void>;
    /** Begins; resolves when SillyTavern's own part of the turn is over. */
    send(line: string): Promise<void>;
    regenerate(): Promise<void>;
    swipeNew(): Promise<void>;
    continueReply(): Promise<void>;
    stop(): void;
    swipeTo(swipe: number): Promise<void>;
    deleteSwipe(swipe: number): Promise<void>;
    deleteAt(index: number, count: number): Promise<void>;
    edit(index: number, text: string): Promise<void>;
    hide(index: number, hidden: boolean): Promise<void>;
    move(index: number): Promise<void>;
    branch(index: number, id: string): Promise<void>;
    deleteChat(id: string): Promise<void>;
}

/** What a witness of the story sees happen at SillyTavern's side. */
export interface Witness {
    userLine(text: string): void;
    replyGone(): void;
    reply(prose: string): void;
    swipe(prose: string): void;
    /** The last reply reads otherwise now: its stream went on, or it was continued. */
    grown(prose: string): void;
    saved(chatId: string): void;
    opened(chatId: string): void;
}

export interface Server {
    files: Map<string, string>;
    active: string;
}

/** What SillyTavern's own call to the model brings: pieces of a reply; a fault, or silence, after them. */
export type Writing = { pieces: string[]; end: 'whole' | 'fault' | 'silence' };

interface Parts {
    server: Server;
    clock: ClockPort;
    streaming: boolean;
    witness: Witness;
    write(): Writing;
}

const events = [
    'CHAT_CHANGED', 'MESSAGE_EDITED', 'MESSAGE_UPDATED', 'MESSAGE_DELETED', 'MESSAGE_SENT', 'MESSAGE_RECEIVED', 'MESSAGE_SWIPED', 'MESSAGE_SWIPE_DELETED',
    'CHARACTER_MESSAGE_RENDERED', 'GENERATION_STARTED', 'GENERATION_AFTER_COMMANDS', 'GENERATION_ENDED', 'GENERATION_STOPPED', 'WORLDINFO_ENTRIES_LOADED',
    'CHAT_COMPLETION_PROMPT_READY', 'CHAT_COMPLETION_SETTINGS_READY', 'CHAT_DELETED', 'CHAT_RENAMED',
];

const proseOf = (text: string): string => text.replace(/<summary>[\s\S]*?<\/summary>|<panel>[\s\S]*?<\/panel>|<\/?context>/g, '').trim();

export function createMemoryTavern({ server, clock, streaming, witness, write }: Parts): MemoryTavern {
    const source = fakeEventSource();
    const chat: TavernMessage[] = [];
    let metadata: Record<string, unknown> = {};
    let chatId: string | undefined;
    let generation: { controller: AbortController } | null = null;
    let swiping = false;
    const streamingProcessor = { isStopped: false };

    const emit = async (event: string, ...args: unknown[]): Promise<void> => {
        source.emitted.length = 0;
        for (const listener of [...(source.listeners.get(event) ?? [])]) await (listener as TavernListener as (...given: unknown[]) => unknown)(...args);
    };
    const save = async (): Promise<void> => {
        if (chatId === undefined) return;
        server.files.set(chatId, JSON.stringify([{ chat_metadata: metadata }, ...chat]));
        witness.saved(chatId);
    };

    const context = {
        chat,
        characters: [{ name: '兰', avatar: 'lan.png', chat: '' }],
        groups: [],
        name1: '旅人',
        name2: '兰',
        characterId: 0,
        groupId: null,
        get chatMetadata() {
            return metadata;
        },
        onlineStatus: 'Valid',
        maxContext: 8192,
        mainApi: 'openai',
        extensionSettings: {},
        extensionPrompts: {},
        chatCompletionSettings: { chat_completion_source: 'custom', openai_max_context: 32_000, openai_max_tokens: 300 },
        powerUserSettings: {},
        eventSource: { ...source, emit },
        eventTypes: Object.fromEntries(events.map((key) => [key, key])),
        getCurrentChatId: () => chatId,
        getRequestHeaders: () => ({}),
        saveChat: save,
        saveMetadata: save,
        saveMetadataDebounced: () => void save(),
        saveSettingsDebounced: () => undefined,
        reloadCurrentChat: async () => open(chatId ?? ''),
        stopGeneration: () => {
            stop();
            return true;
        },
        deleteLastMessage: async () => {
            chat.pop();
            await emit('MESSAGE_DELETED', chat.length);
        },
        substituteParams: (text: string) => text,
        getTokenCountAsync: async (text: string) => text.length,
        loadWorldInfo: async () => null,
        setExtensionPrompt: () => undefined,
        streamingProcessor,
    } as TavernContext;

    const open = async (id: string): Promise<void> => {
        const rows = JSON.parse(server.files.get(id) ?? '[{}]') as [{ chat_metadata?: Record<string, unknown> }, ...TavernMessage[]];
        const [header, ...messages] = rows;
        chat.splice(0, chat.length, ...messages);
        metadata = header.chat_metadata ?? {};
        chatId = id;
        server.active = id;
        witness.opened(id);
        await emit('CHAT_CHANGED', id);
    };

    /** `syncMesToSwipe`. */
    const leaveSwipe = (message: TavernMessage): void => {
        const shown = message.swipe_id ?? 0;
        if (message.swipes?.[shown] === undefined || !message.swipe_info?.[shown]) return;
        message.swipes[shown] = message.mes;
        message.swipe_info[shown] = { extra: structuredClone(message.extra) };
    };
    /** `syncSwipeToMes`. */
    const showSwipe = (message: TavernMessage, swipe: number): void => {
        message.swipe_id = swipe;
        message.mes = message.swipes?.[swipe] ?? '';
        message.extra = structuredClone(message.swipe_info?.[swipe]?.extra ?? {});
    };
    const keep = (message: TavernMessage): void => {
        const shown = (message.swipe_id ??= 0);
        (message.swipes ??= [])[shown] = message.mes;
        (message.swipe_info ??= [])[shown] = { extra: structuredClone(message.extra) };
    };

    function stop(): void {
        if (!generation) return;
        generation.controller.abort();
        void emit('GENERATION_ENDED', chat.length);
        void emit('GENERATION_STOPPED');
    }

    const generate = async (type: 'normal' | 'regenerate' | 'swipe' | 'continue', line = ''): Promise<void> => {
        const controller = new AbortController();
        generation = { controller };
        const { signal } = controller;
        try {
            await emit('GENERATION_STARTED', type, {}, false);
            await emit('GENERATION_AFTER_COMMANDS', type, {}, false);
            if (type === 'regenerate' && chat.at(-1)?.is_user === false) {
                chat.length -= 1;
                witness.replyGone();
                await emit('MESSAGE_DELETED', chat.length);
            }
            if (type === 'normal' && line !== '') {
                chat.push({ name: '旅人', is_user: true, is_system: false, mes: line, extra: {} });
                witness.userLine(line);
                await save();
                await emit('MESSAGE_SENT', chat.length - 1);
            }
            await emit('WORLDINFO_ENTRIES_LOADED', {});
            const data = { chat: chat.map((message) => ({ role: message.is_user ? 'user' : 'assistant', content: message.mes })), dryRun: false };
            const before = chat.at(-1)?.mes ?? '';
            await emit('CHAT_COMPLETION_PROMPT_READY', data);
            if (!signal.aborted) await receive(type, before, signal);
        } finally {
            if (generation?.controller === controller) {
                generation = null;
                await emit('GENERATION_ENDED', chat.length);
            }
        }
    };

    /** The reply's way into the chat. */
    const receive = async (type: 'normal' | 'regenerate' | 'swipe' | 'continue', before: string, signal: AbortSignal): Promise<void> => {
        const { pieces, end } = write();
        let text = '';
        let message: TavernMessage | undefined;
        const place = (shown: string): TavernMessage => {
            const last = chat.at(-1);
            if (type === 'continue' && last) {
                last.mes = before + shown;
                keep(last);
                witness.grown(proseOf(last.mes));
                return last;
            }
            if (type === 'swipe' && last?.swipes) {
                last.mes = shown;
                keep(last);
                witness.swipe(proseOf(shown));
                return last;
            }
            const fresh: TavernMessage = { name: '兰', is_user: false, is_system: false, mes: shown, extra: {} };
            chat.push(fresh);
            keep(fresh);
            witness.reply(proseOf(shown));
            return fresh;
        };
        const grow = (shown: string): void => {
            if (!message) return;
            message.mes = (type === 'continue' ? before : '') + shown;
            keep(message);
            witness.grown(proseOf(message.mes));
        };
        const received = async (): Promise<void> => {
            await emit('MESSAGE_RECEIVED', chat.length - 1, type);
            await emit('CHARACTER_MESSAGE_RENDERED', chat.length - 1, type);
        };
        const pause = (): Promise<unknown> => clock.wait(15, signal).catch(() => null);
        streamingProcessor.isStopped = false;
        if (streaming && !signal.aborted) message = place('...');
        for (const piece of pieces) {
            await pause();
            if (signal.aborted) break;
            text += piece;
            if (streaming) grow(text);
        }
        await pause();
        if (!signal.aborted && end === 'silence') await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        const failed = !signal.aborted && end === 'fault';
        if (!streaming) {
            if (signal.aborted || failed) return;
            message = place(text);
            // The record goes in before SillyTavern copies `extra` beside the swipe.
            await received();
            keep(message);
            return save();
        }
        if (!failed) grow(text);
        // `onErrorStreaming`: the button goes, and of a swipe or a continue nothing more is told.
        if (failed) streamingProcessor.isStopped = true;
        if (!signal.aborted) await emit('GENERATION_ENDED', chat.length);
        if (failed && type !== 'normal' && type !== 'regenerate') return;
        await received();
        await save();
    };

    return {
        context,
        chatId: () => chatId ?? '',
        chats: () => [...server.files.keys()],
        generating: () => generation !== null || swiping,
        open,
        send: (line) => generate('normal', line),
        regenerate: () => generate('regenerate'),
        async swipeNew() {
            const message = chat.at(-1);
            if (!message?.swipes) return;
            leaveSwipe(message);
            const from = message.swipe_id ?? 0;
            swiping = true;
            message.swipe_id = message.swipes.length;
            const index = chat.length - 1;
            await emit('MESSAGE_SWIPED', index);
            await generate('swipe');
            if ((message.swipe_id ?? 0) >= message.swipes.length) showSwipe(message, Math.max(from, message.swipes.length - 1));
            swiping = false;
            if (chat[index] === message) await save();
        },
        continueReply: () => generate('continue'),
        stop,
        async swipeTo(swipe) {
            const message = chat.at(-1);
            if (!message?.swipes?.[swipe]) return;
            leaveSwipe(message);
            showSwipe(message, swipe);
            await emit('MESSAGE_SWIPED', chat.length - 1);
            await save();
        },
        async deleteSwipe(swipe) {
            const message = chat.at(-1);
            if (!message?.swipes || message.swipes.length < 2) return;
            const shown = message.swipe_id ?? 0;
            message.swipes.splice(swipe, 1);
            message.swipe_info?.splice(swipe, 1);
            const now = swipe < shown ? shown - 1 : swipe > shown ? shown : Math.min(swipe, message.swipes.length - 1);
            message.swipe_id = now;
            const messageId = chat.length - 1;
            await emit('MESSAGE_SWIPE_DELETED', { messageId, swipeId: swipe, newSwipeId: now });
            if (swipe === shown) {
                showSwipe(message, now);
                await emit('MESSAGE_SWIPED', messageId);
            }
            await save();
        },
        async deleteAt(index, count) {
            chat.splice(index, count);
            await emit('MESSAGE_DELETED', chat.length);
            await save();
        },
        async edit(index, text) {
            const message = chat[index];
            if (!message) return;
            message.mes = text;
            if (message.swipes) message.swipes[message.swipe_id ?? 0] = text;
            await emit('MESSAGE_EDITED', index);
            await emit('MESSAGE_UPDATED', index);
            await save();
        },
        async hide(index, hidden) {
            const message = chat[index];
            if (!message) return;
            message.is_system = hidden;
            await save();
        },
        async move(index) {
            const [upper, lower] = chat.slice(index, index + 2);
            if (!upper || !lower) return;
            chat.splice(index, 2, lower, upper);
            await save();
        },
        async branch(index, id) {
            await save();
            server.files.set(id, JSON.stringify([{ chat_metadata: metadata }, ...chat.slice(0, index + 1)]));
            await open(id);
        },
        async deleteChat(id) {
            server.files.delete(id);
            const other = [...server.files.keys()].at(0);
            if (id === chatId && other !== undefined) await open(other);
            await emit('CHAT_DELETED', id);
        },
    };
}
