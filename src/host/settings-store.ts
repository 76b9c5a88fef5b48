import { tavern } from './context';

const settingsKey = 'narrative-agent';

type Plain = Record<string, unknown>;

function settings(): Plain | null {
    const found = tavern().extensionSettings[settingsKey];
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Plain) : null;
}

/** What `extensionSettings['narrative-agent'].config` holds, unchecked; undefined on a fresh installation. */
export function readStoredConfig(): unknown {
    return settings()?.['config'];
}

/** Stores the settings and has ST save its own file (1 s later). Whatever else stands beside `config` is kept. */
export function writeStoredConfig(config: unknown): void {
    const context = tavern();
    const own = settings() ?? {};
    own['config'] = config;
    context.extensionSettings[settingsKey] = own;
    context.saveSettingsDebounced();
}

/** Data of the original extension in this installation, unchecked. */
export interface OldData {
    /** `extensionSettings['narrative-agent'].chatStates`: chat id → state and summaries. */
    chatStates: Record<string, unknown>;
    /** localStorage items whose key begins with `na:`, parsed where they are JSON. */
    local: Record<string, unknown>;
}

const oldPrefix = 'na:';

function oldLocalKeys(): string[] {
    try {
        return Object.keys(localStorage).filter((key) => key.startsWith(oldPrefix));
    } catch (error) {
        // Where the browser forbids the store there is nothing in it either.
        if (error instanceof DOMException) return [];
        throw error;
    }
}

function parsed(text: string | null): unknown {
    if (text === null) return null;
    try {
        return JSON.parse(text);
    } catch (error) {
        if (error instanceof SyntaxError) return text;
        throw error;
    }
}

/** Looks for data of the original extension; null when there is none. */
export function findOldData(): OldData | null {
    const states = settings()?.['chatStates'];
    const chatStates = typeof states === 'object' && states !== null && !Array.isArray(states) ? (states as Plain) : {};
    const local = Object.fromEntries(oldLocalKeys().map((key) => [key, parsed(localStorage.getItem(key))]));
    return Object.keys(chatStates).length === 0 && Object.keys(local).length === 0 ? null : { chatStates, local };
}

/** Deletes single items of it. */
export function deleteOldItems(items: { chatStates: string[]; local: string[] }): void {
    const states = settings()?.['chatStates'];
    if (items.chatStates.length > 0 && typeof states === 'object' && states !== null) {
        for (const key of items.chatStates) Reflect.deleteProperty(states, key);
        tavern().saveSettingsDebounced();
    }
    for (const key of items.local) localStorage.removeItem(key);
}

/** Deletes it for good, in settings.json and in this browser. Returns how many chats and items went. */
export function deleteOldData(): { chats: number; items: number } {
    const own = settings();
    const old = findOldData();
    if (own !== null && 'chatStates' in own) {
        delete own['chatStates'];
        tavern().saveSettingsDebounced();
    }
    const localKeys = oldLocalKeys();
    for (const key of localKeys) localStorage.removeItem(key);
    return { chats: Object.keys(old?.chatStates ?? {}).length, items: localKeys.length };
}
