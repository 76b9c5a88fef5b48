/**
 * The interfaces the core owns. The host room implements them for SillyTavern, tests implement them in memory.
 * Nothing here mentions a host; texts are as the host stores them, times are ms since the epoch.
 */
import type { Notice } from './notice';
import type { Book, GlobalScanSettings } from './worldbook/entry';

export type Role = 'system' | 'user' | 'assistant';

/** One message of a prompt. */
export interface PromptMessage {
    role: Role;
    content: string;
}

/** One message of the chat as it is now. */
export interface ChatMessage {
    /** Position in the chat, 0 = first. */
    index: number;
    name: string;
    isUser: boolean;
    /** Left out of prompts by the user (the ghost icon) or by the host itself. */
    isHidden: boolean;
    /** A `/sys` message: neither the player nor the character. */
    isNarrator: boolean;
    /** The text of the swipe on display. */
    text: string;
    /** Which swipe is on display, 0 where the message has none. */
    swipe: number;
    /** `extra.narrative_agent` of the swipe on display, unchecked. */
    record: unknown;
    /** The card the message was written by (file name), in group chats. */
    avatar?: string;
    /** Variable tables of MVU and Tavern Helper, one a swipe, unchecked. */
    variables?: unknown;
}

/** The chat that is open, read at one moment. */
export interface ChatView {
    /** Names the chat uniquely among all chats of all characters and groups; null when none is open. */
    chatKey: string | null;
    isGroup: boolean;
    userName: string;
    characterName: string;
    messages: ChatMessage[];
    /** What `chatMetadata.narrative_agent` holds (the imported baseline), unchecked. */
    metadata: unknown;
}

export type AgentName = 'planning' | 'writing' | 'mergedWriting' | 'mergedAnalysis';

export type JsonSchema = Record<string, unknown>;

/** The form an answer is asked for in. */
export interface StructuredOutput {
    name: string;
    schema: JsonSchema;
    /** The schema keeps to the strict subset (every property required, no further ones); true when absent. */
    strict?: boolean;
}

/** One call to a model. */
export interface ModelRequest {
    /** Who asks: an agent, `tool:<name>`, or `condense`. */
    purpose: AgentName | `tool:${string}` | 'condense' | 'relay';
    messages: PromptMessage[];
    /** Response limit in tokens; the connection's own when absent. */
    maxTokens?: number;
    temperature?: number;
    /** Id of a connection profile; the main connection when absent. */
    connectionProfile?: string;
    /** Sent as structured output where the API takes it. */
    structuredOutput?: StructuredOutput;
}

export interface ModelUsage {
    promptTokens?: number;
    completionTokens?: number;
    cachedTokens?: number;
}

export interface ModelReply {
    text: string;
    reasoning?: string;
    /** `length` = cut by the response limit; `unknown` where the connection does not tell. */
    finishReason: 'stop' | 'length' | 'other' | 'unknown';
    usage?: ModelUsage;
    model?: string;
}

/** A failed model call. `retryable` tells whether the same call may succeed when made again. */
export class ModelCallError extends Error {
    override readonly name = 'ModelCallError';
    constructor(
        message: string,
        readonly kind: 'aborted' | 'timeout' | 'no-connection' | 'http' | 'empty' | 'unsupported' | 'unknown',
        readonly retryable: boolean,
        options?: ErrorOptions,
    ) {
        super(message, options);
    }
}

export interface ModelPort {
    /** Rejects with ModelCallError only. Aborting the signal ends the HTTP request where the host can. */
    call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
    /** Names the connection a request would use, for limits per connection. */
    connectionOf(request: Pick<ModelRequest, 'connectionProfile'>): string;
    /** Whether the host is known to pass structured output on to that connection's API as such; unknown ones are left to the prompt alone. True when absent. */
    passesStructuredOutput?(request: Pick<ModelRequest, 'connectionProfile'>): boolean;
    /** The connection's own response limit in tokens, where it is known. */
    responseLimit?(request: Pick<ModelRequest, 'connectionProfile'>): number | undefined;
}

/** Counts tokens. `estimate` is immediate and synchronous (for budgets), `count` asks the host's tokenizer. */
export interface TokenPort {
    estimate(text: string): number;
    count(text: string): Promise<number>;
}

export interface ClockPort {
    /** Ms since the epoch. */
    now(): number;
    /** Resolves after `ms`, or rejects with the signal's reason. */
    wait(ms: number, signal?: AbortSignal): Promise<void>;
    /** Lets the page react and draw, then goes on; sooner than `wait(0)`, and as soon in a hidden page. */
    pause?(): Promise<void>;
}

export interface LogPort {
    debug(message: string, detail?: unknown): void;
    info(message: string, detail?: unknown): void;
    warn(message: string, detail?: unknown): void;
    error(message: string, detail?: unknown): void;
}

/** Large throw-away data (full prompts, raw outputs), keyed by turn record id. Capped; safe to lose. */
export interface TraceStore {
    save(turnId: string, trace: unknown, chatKey: string): Promise<void>;
    load(turnId: string): Promise<unknown>;
    forget(turnIds: string[]): Promise<void>;
    /** Forgets what is kept of the chats that `gone` names by key. */
    forgetChats(gone: (chatKey: string) => boolean): Promise<void>;
    /** The chat has another key now. */
    moveChat(from: string, to: string): Promise<void>;
}

/** The persona, card and preset texts of the moment, macros substituted. */
export interface ReaderPort {
    persona(): string;
    /** `tags` are ids; null where the character has no tag list (then tag filters let everything pass). */
    character(): { name: string; description: string; personality: string; scenario: string; depthPrompt: string; creatorNotes: string; avatar: string; tags: string[] | null };
    /** The host's macro substitution ({{user}}, {{char}}, variables of Tavern Helper …). */
    substitute(text: string): string;
    /** The user's regex scripts for world info, as the host applies them to an entry's text; `depth` of an entry at depth, else null. */
    rewriteEntry?(text: string, depth: number | null): string;
}

/** Loads worldbooks; the core reads and selects. */
export interface WorldbookPort {
    /** All books that `source` names, in the host's own scan order. A missing book comes back as a notice inside the result. */
    load(source: 'auto' | 'card' | 'world' | 'all'): Promise<{ books: Book[]; notices: Notice[] }>;
    /** The host's own world-info settings, for `scan: "sillytavern"`. */
    globalSettings(): GlobalScanSettings;
    /** Entries that the host's vector storage or other extensions force into the next scan. */
    forced(): { world: string; uid: number }[];
}

/** Runs untrusted code in isolation. */
export interface SandboxPort {
    run(job: SandboxJob, signal?: AbortSignal): Promise<SandboxResult>;
    /** Null when the code compiles, else the message of the syntax error and its line in the code (1-based). */
    checkSyntax(code: string): Promise<{ message: string; line?: number } | null>;
}

export interface SandboxJob {
    /** A function body that receives `params` and `state` and may `return` (or return a promise of) any JSON value. */
    code: string;
    params: unknown;
    state: unknown;
    /** Seeds Math.random. */
    seed: string;
    /** What Date says, ms since the epoch. */
    now: number;
    /** Ms. */
    deadline: number;
    /** Bytes. */
    memory: number;
}

export type SandboxResult =
    | { ok: true; value: unknown; log: string[]; ms: number; memory?: number }
    | { ok: false; kind: 'error' | 'timeout' | 'memory' | 'syntax' | 'aborted'; message: string; log: string[]; ms: number };

/** Where a record stands in the chat: a swipe of a message. */
export interface ReplyTarget {
    index: number;
    swipe: number;
    /** It is the swipe on display. */
    visible: boolean;
    /** What stands there now, unchecked. */
    record?: unknown;
}

/** Reads and writes the open chat. Only pipeline/commit.ts writes turn results through it. */
export interface ChatPort {
    read(): ChatView;
    /** Finds the swipe whose record has this id; null when it is gone. */
    find(turnId: string): ReplyTarget | null;
    /** Sets text and record of one swipe, keeping the host's copies in step; false when there is no such swipe. */
    write(target: { index: number; swipe: number }, change: { text?: string; record?: unknown }): boolean;
    /** Shows the message as it now is and tells the host's other extensions. */
    redraw(index: number): Promise<void>;
    /** Saves the chat file, if `chatKey` is still open. */
    save(chatKey: string): Promise<void>;
    /** Replaces `chatMetadata.narrative_agent`. */
    writeMetadata(value: unknown): Promise<void>;
    /** Takes a reply back that never came to be (a relay placeholder). */
    discard(target: { index: number; swipe: number }): Promise<void>;
}

/** Outputs of the turn in flight that were paid for, so that a reload loses none; empty at rest. */
export interface JournalPort {
    write(turnId: string, entry: { chatKey: string; outputs: Record<string, string> }): void;
    read(turnId: string): { chatKey: string; outputs: Record<string, string> } | null;
    /** The turns that have an entry. */
    turns(): { turnId: string; chatKey: string }[];
    clear(turnId?: string): void;
}
