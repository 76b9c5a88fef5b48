/** What the harness reads of a chat message; the rest is kept as it is. */
export interface ChatFileMessage {
    name: string;
    is_user: boolean;
    is_system: boolean;
    mes: string;
    swipe_id?: number;
    swipes?: string[];
    swipe_info?: { extra?: Record<string, unknown> }[];
    extra?: Record<string, unknown>;
    variables?: unknown;
}

/** The part of SillyTavern's context that the harness uses inside the page. */
export interface PageContext {
    chat: ChatFileMessage[];
    chatId?: string;
    characterId?: number | string;
    characters: { name: string; avatar: string; chat: string }[];
    chatMetadata: Record<string, unknown>;
    extensionSettings: Record<string, Record<string, unknown> | undefined>;
    onlineStatus: string;
    saveSettingsDebounced(): void;
    saveChat(): Promise<void>;
    saveSettings?(): Promise<void>;
    executeSlashCommandsWithOptions(text: string): Promise<{ pipe?: string }>;
    generateQuietPrompt(options: { quietPrompt: string }): Promise<string>;
    generateRaw(options: { prompt: unknown; responseLength?: number }): Promise<string>;
    generate?(type: string, options?: Record<string, unknown>, dryRun?: boolean): Promise<unknown>;
    eventSource: { makeFirst(event: string, listener: () => void): void; makeLast(event: string, listener: () => void): void };
    eventTypes: Record<string, string>;
    getRequestHeaders(): Record<string, string>;
    selectCharacterById(id: number): Promise<void>;
}

declare global {
    interface Window {
        SillyTavern: { getContext(): PageContext };
        /** Set by tests that measure: ms that SillyTavern waited for listeners. */
        heldFor?: number;
    }
}
