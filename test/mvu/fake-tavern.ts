import { configSchema, type Config } from '../../src/config';
import type { MvuHost, MvuMessage } from '../../src/host/mvu/mvu-host';
import { installMvuStandIn, type StandIn, type StandInOptions } from '../tavern/mvu-stand-in';

/** Just enough of SillyTavern: a chat, events that are awaited in order, and the clock vitest fakes. */
export interface FakeTavern {
    host: MvuHost;
    chat: MvuMessage[];
    window: Record<string, unknown>;
    settings: Record<string, unknown>;
    config: Config['mvu'];
    saves: number;
    bound: string[];
    emit(name: string, ...args: unknown[]): Promise<unknown>;
    installMvu(options?: StandInOptions): StandIn;
    /** A user message, with SillyTavern's events. */
    say(text: string): Promise<number>;
    /** A reply as SillyTavern adds it, with its events. */
    reply(text: string): Promise<number>;
    /** Swipes to the right on the last message: a new swipe with this text. */
    swipe(text: string): Promise<void>;
}

type Listener = (...args: unknown[]) => unknown;

export function fakeTavern(greetings: string[] = ['欢迎来到镇上。']): FakeTavern {
    const listeners = new Map<string, Listener[]>();
    const emit = async (name: string, ...args: unknown[]) => {
        for (const listener of [...(listeners.get(name) ?? [])]) await listener(...args);
    };
    const tavern: FakeTavern = {
        chat: [{ name: 'A', mes: greetings[0] ?? '', is_user: false, swipe_id: 0, swipes: greetings }],
        window: {},
        settings: {},
        config: configSchema.parse({}).mvu,
        saves: 0,
        bound: [],
        emit,
        installMvu: (options) => installMvuStandIn(tavern.window, () => ({
            chat: tavern.chat,
            chatId: 'chat',
            name2: 'A',
            eventSource: { on: (name, listener) => events.on(name, listener as Listener), removeListener: (name, listener) => events.off(name, listener as Listener), emit },
        }), options),
        async say(text) {
            tavern.chat.push({ name: 'B', is_user: true, mes: text });
            await emit('message_sent', tavern.chat.length - 1);
            return tavern.chat.length - 1;
        },
        async reply(text) {
            tavern.chat.push({ name: 'A', mes: text, is_user: false, swipe_id: 0, swipes: [text] });
            await emit('message_received', tavern.chat.length - 1);
            return tavern.chat.length - 1;
        },
        async swipe(text) {
            const message = tavern.chat.at(-1);
            if (!message?.swipes) return;
            message.swipes.push(text);
            message.swipe_id = message.swipes.length - 1;
            message.mes = text;
            await emit('message_received', tavern.chat.length - 1);
        },
        host: undefined as unknown as MvuHost,
    };
    const events = {
        on: (name: string, listener: Listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
        off: (name: string, listener: Listener) => void listeners.set(name, (listeners.get(name) ?? []).filter((each) => each !== listener)),
        emit,
    };
    tavern.host = {
        chat: () => tavern.chat,
        saveChat: () => {
            tavern.saves += 1;
            return Promise.resolve();
        },
        mvu: () => tavern.window['Mvu'],
        mvuSettings: () => tavern.settings,
        boundBooks: () => tavern.bound,
        variables: () => undefined,
        events,
        substitute: (text) => text.replaceAll('{{user}}', '阿明'),
        config: () => tavern.config,
        now: () => Date.now(),
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    };
    return tavern;
}
