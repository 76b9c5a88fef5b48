import type { TavernContext, TavernListener } from '../../src/host/context';

/** An event source that behaves as ST's: awaits each listener in turn, logs nothing. */
export function fakeEventSource() {
    const listeners = new Map<string, TavernListener[]>();
    const emitted: [string, ...unknown[]][] = [];
    const at = (event: string): TavernListener[] => {
        const found = listeners.get(event) ?? [];
        listeners.set(event, found);
        return found;
    };
    return {
        emitted,
        listeners,
        on: (event: string, listener: TavernListener) => void at(event).push(listener),
        makeFirst: (event: string, listener: TavernListener) => void at(event).unshift(listener),
        makeLast: (event: string, listener: TavernListener) => void at(event).push(listener),
        removeListener: (event: string, listener: TavernListener) => {
            const found = at(event);
            const position = found.indexOf(listener);
            if (position >= 0) found.splice(position, 1);
        },
        emit: async (event: string, ...args: unknown[]) => {
            emitted.push([event, ...args]);
            for (const listener of [...at(event)]) await (listener as (...args: unknown[]) => unknown)(...args);
        },
    };
}

const eventKeys = [
    'CHAT_CHANGED', 'MESSAGE_EDITED', 'MESSAGE_UPDATED', 'CHARACTER_MESSAGE_RENDERED', 'GENERATION_STARTED', 'GENERATION_ENDED', 'GENERATION_STOPPED',
    'WORLDINFO_UPDATED', 'WORLDINFO_SETTINGS_UPDATED', 'WORLDINFO_FORCE_ACTIVATE', 'CHARACTER_EDITED', 'CHAT_COMPLETION_PROMPT_READY', 'MESSAGE_SWIPE_DELETED',
];

/** Puts a SillyTavern of the given parts on the page; what a test does not name has a harmless default. */
export function installTavern(parts: Partial<TavernContext> = {}, libs: Record<string, unknown> = {}) {
    const eventSource = fakeEventSource();
    const context: TavernContext = {
        chat: [],
        characters: [{ name: '兰', avatar: 'lan.png', chat: 'story' }],
        groups: [],
        name1: '旅人',
        name2: '兰',
        characterId: 0,
        groupId: null,
        chatMetadata: {},
        onlineStatus: 'Valid',
        maxContext: 8192,
        mainApi: 'openai',
        extensionSettings: { disabledExtensions: [], connectionManager: { profiles: [] } },
        extensionPrompts: {},
        chatCompletionSettings: { chat_completion_source: 'custom', openai_max_context: 32_000, openai_max_tokens: 300, temp_openai: 1, custom_url: 'http://127.0.0.1:9/v1' },
        powerUserSettings: {},
        eventSource,
        eventTypes: Object.fromEntries(eventKeys.map((key) => [key, key.toLowerCase()])),
        symbols: { ignore: Symbol.for('ignore') },
        getCurrentChatId: () => 'story',
        getRequestHeaders: () => ({ 'Content-Type': 'application/json' }),
        saveChat: async () => undefined,
        saveMetadata: async () => undefined,
        saveSettingsDebounced: () => undefined,
        reloadCurrentChat: async () => undefined,
        stopGeneration: () => true,
        updateMessageBlock: () => undefined,
        substituteParams: (text) => text.replaceAll('{{user}}', context.name1).replaceAll('{{char}}', context.name2),
        getTokenCountAsync: async (text) => text.length + 6,
        loadWorldInfo: async () => null,
        setExtensionPrompt: () => undefined,
        getChatCompletionModel: () => 'storyteller',
        ...parts,
    };
    (globalThis as { SillyTavern?: unknown }).SillyTavern = { getContext: () => context, libs };
    return { context, eventSource };
}
