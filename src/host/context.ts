/**
 * The slice of `SillyTavern.getContext()` that this extension uses, typed by hand against public/scripts/st-context.js.
 * What older versions lack is optional; see capabilities.ts for how it is probed.
 */

/** One message of `context.chat`. Fields as in notes on ST's chat file; `extra` belongs to the swipe on display. */
export interface TavernMessage {
    name: string;
    is_user: boolean;
    /** True = hidden from prompts (the ghost icon) or a system notice. */
    is_system: boolean;
    mes: string;
    send_date?: unknown;
    extra?: Record<string | symbol, unknown>;
    swipe_id?: number;
    swipes?: string[];
    swipe_info?: ({ extra?: Record<string | symbol, unknown>; send_date?: unknown } | null | undefined)[];
    /** MVU's and Tavern Helper's tables, one per swipe. */
    variables?: unknown;
    force_avatar?: string;
    original_avatar?: string;
}

/** One card of `context.characters`. A shallow card has no texts and no book until unshallowed. */
export interface TavernCharacter {
    name: string;
    avatar: string;
    shallow?: boolean;
    chat?: string;
    description?: string;
    personality?: string;
    scenario?: string;
    data?: {
        description?: string;
        personality?: string;
        scenario?: string;
        system_prompt?: string;
        post_history_instructions?: string;
        creator_notes?: string;
        tags?: string[];
        character_book?: unknown;
        extensions?: { world?: string; depth_prompt?: { prompt?: string }; [key: string]: unknown };
    };
}

export interface TavernGroup {
    id: string;
    chat_id: string;
    /** Avatar file names. */
    members: string[];
}

export type TavernListener = (...args: never[]) => unknown;

export interface TavernEventSource {
    on(event: string, listener: TavernListener): void;
    makeFirst?(event: string, listener: TavernListener): void;
    makeLast?(event: string, listener: TavernListener): void;
    removeListener(event: string, listener: TavernListener): void;
    emit(event: string, ...args: unknown[]): Promise<void>;
}

/** Card fields with macros substituted, by ST's `getCharacterCardFields`. */
export interface TavernCardFields {
    system: string;
    jailbreak: string;
    description: string;
    personality: string;
    persona: string;
    scenario: string;
    charDepthPrompt?: string;
    creatorNotes?: string;
}

/** `oai_settings`: what the chat-completion connection is made of. */
export interface ChatCompletionSettings {
    chat_completion_source: string;
    openai_max_context: number;
    openai_max_tokens: number;
    stream_openai?: boolean;
    temp_openai?: number;
    prompts?: TavernPrompt[];
    prompt_order?: { character_id: number | string; order: { identifier: string; enabled: boolean }[] }[];
    [key: string]: unknown;
}

/** One prompt of a chat-completion preset (PromptManager.js, class Prompt). */
export interface TavernPrompt {
    identifier: string;
    name?: string;
    role?: string;
    content?: string;
    /** A place holder for history, world info, card fields … */
    marker?: boolean;
    system_prompt?: boolean;
    /** 0 relative, 1 in the chat at `injection_depth`. */
    injection_position?: number;
    injection_depth?: number;
    /** Generation types the prompt is for; empty = all. */
    injection_trigger?: string[];
    forbid_overrides?: boolean;
}

export interface TavernProfile {
    id: string;
    name: string;
    api?: string;
    model?: string;
    preset?: string;
}

export interface TavernContext {
    chat: TavernMessage[];
    characters: TavernCharacter[];
    groups: TavernGroup[];
    name1: string;
    name2: string;
    /** An index into `characters`, sometimes as a string; unset in a group while no member generates. */
    characterId?: number | string | null;
    groupId?: string | null;
    chatMetadata: Record<string, unknown>;
    onlineStatus: string;
    /** The text-completion context size; the chat-completion one is in the settings. */
    maxContext: number;
    /** `openai` = any chat completion. */
    mainApi: string;
    extensionSettings: Record<string, unknown>;
    extensionPrompts: Record<string, unknown>;
    chatCompletionSettings: ChatCompletionSettings;
    textCompletionSettings?: Record<string, unknown>;
    powerUserSettings: Record<string, unknown>;
    tags?: { id: string; name: string }[];
    tagMap?: Record<string, string[]>;
    eventSource: TavernEventSource;
    eventTypes?: Record<string, string>;
    event_types?: Record<string, string>;
    symbols?: { ignore?: symbol };

    getCurrentChatId(): string | undefined;
    getRequestHeaders(): Record<string, string>;
    saveChat(): Promise<unknown>;
    saveMetadata(): Promise<unknown>;
    saveMetadataDebounced?(): void;
    saveSettingsDebounced(): void;
    reloadCurrentChat(): Promise<unknown>;
    stopGeneration(): boolean;
    deleteLastMessage?(): Promise<unknown>;
    /** 1.18: deletes a message, or one of its swipes. */
    deleteMessage?(id: number, swipe?: number): Promise<unknown>;
    updateMessageBlock?(id: number, message: TavernMessage, options?: object): void;
    messageFormatting?(text: string, name: string, isSystem: boolean, isUser: boolean, id: number): string;
    substituteParams(text: string): string;
    getCharacterCardFields?(options?: { chid?: number }): TavernCardFields;
    unshallowCharacter?(characterId: number | string): Promise<unknown>;
    getTokenCountAsync(text: string, padding?: number): Promise<number>;
    getCurrentLocale?(): string;
    loadWorldInfo(name: string): Promise<unknown>;
    getWorldInfoNames?(): string[];
    getChatCompletionModel?(settings?: ChatCompletionSettings): string;
    extractMessageFromData?(data: unknown, api?: string): unknown;
    CONNECT_API_MAP?: Record<string, { selected?: string; source?: string; type?: string } | undefined>;
    TextCompletionService?: { constructPrompt?(messages: object[], instruct: object, settings?: object): string };
    generateRaw?(options: Record<string, unknown>): Promise<string>;
    ChatCompletionService?: {
        processRequest(data: Record<string, unknown>, options: { presetName?: string }, extractData: boolean, signal: AbortSignal): Promise<unknown>;
    };
    ConnectionManagerRequestService?: {
        sendRequest(profileId: string, messages: object[], maxTokens: number | undefined, options: object, override: object): Promise<unknown>;
        getSupportedProfiles(): TavernProfile[];
    };
    setExtensionPrompt(key: string, text: string, position: number, depth: number): void;
    writeExtensionField?(characterId: number | string, key: string, value: unknown): Promise<void>;
    SlashCommandParser?: { addCommandObject(command: unknown): void };
    SlashCommand?: { fromProps(props: object): unknown };
}

interface TavernGlobal {
    getContext(): TavernContext;
    libs?: Record<string, unknown>;
}

function tavernGlobal(): TavernGlobal | undefined {
    return (globalThis as { SillyTavern?: TavernGlobal }).SillyTavern;
}

/** A fresh context. Never keep it: names, ids and metadata of an old one are stale. Throws outside SillyTavern. */
export function tavern(): TavernContext {
    const global = tavernGlobal();
    if (global === undefined) throw new Error('SillyTavern is not on this page');
    return global.getContext();
}

/** One of the libraries ST shares (`SillyTavern.libs`), or undefined where this version has it not. */
export function tavernLibrary<T>(name: string): T | undefined {
    return tavernGlobal()?.libs?.[name] as T | undefined;
}

/** Loads one of ST's own modules, e.g. `/scripts/openai.js`: the very instance the page runs on. */
export type ModuleImporter = (path: string) => Promise<Record<string, unknown>>;

/** The real importer. The path is absolute because an extension can be installed at two depths. */
export const importTavernModule: ModuleImporter = (path) => import(/* @vite-ignore */ path) as Promise<Record<string, unknown>>;

/** The index of the open card in `characters`, null in a group between members and when no card is open. */
export function characterIndex(context: TavernContext = tavern()): number | null {
    const id = context.characterId;
    if (id === undefined || id === null || id === '') return null;
    const index = Number(id);
    return Number.isInteger(index) && context.characters[index] !== undefined ? index : null;
}

/**
 * The card whose reply this is: the open card, in a group the member that generates now, else the one that spoke last,
 * else the first member. Null when no chat is open.
 */
export function speakingCharacterIndex(context: TavernContext = tavern()): number | null {
    const open = characterIndex(context);
    if (open !== null) return open;
    if (context.groupId === undefined || context.groupId === null) return null;
    const byAvatar = (avatar: string | undefined): number => (avatar === undefined ? -1 : context.characters.findIndex((card) => card.avatar === avatar));
    const speakers = [...context.chat].reverse().filter((message) => !message.is_user && !message.is_system).map((message) => message.original_avatar);
    const group = context.groups.find((candidate) => candidate.id === context.groupId);
    for (const avatar of [...speakers.slice(0, 1), ...(group?.members ?? [])]) {
        const index = byAvatar(avatar);
        if (index >= 0) return index;
    }
    return null;
}

/** `group:<id>/<chat>` or `char:<avatar>/<chat>`: unique among all chats. Null when none is open. */
export function currentChatKey(context: TavernContext = tavern()): string | null {
    const chatId = context.getCurrentChatId();
    if (chatId === undefined || chatId === null || chatId === '') return null;
    if (context.groupId !== undefined && context.groupId !== null && context.groupId !== '') return `group:${context.groupId}/${chatId}`;
    const index = characterIndex(context);
    const card = index === null ? undefined : context.characters[index];
    return card === undefined ? null : `char:${card.avatar}/${chatId}`;
}
