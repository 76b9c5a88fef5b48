import type { Config } from '../config';
import type { Notice } from '../notice';
import type { CallTrace } from '../pipeline/call-model';
import type { SandboxResult } from '../ports';
import type { Fold } from '../state/fold-types';
import type { ProposedEvent } from '../state/event';
import type { Turn } from '../text/turn';
import type { ToolDefinition } from '../tools/definition';
import type { ToolRun } from '../turn-record';
import type { BookIndex } from '../worldbook/book-index';
import type { Snapshot } from '../worldbook/snapshot';

/** What runs now, for the progress line. `stage` is a code: waiting, snapshot, planning, tools, writing, analysis, post_tools, commit, catch_up, condense. */
export interface Progress {
    stage: string;
    /** Tool or turn the stage is about. */
    subject?: string;
    /** Ms since the epoch. */
    startedAt: number;
    /** The whole turn's start. */
    turnStartedAt: number;
    stoppable: boolean;
}

export interface VariablesView {
    /** Who keeps the variables: MVU, our embedded store, or nobody. */
    keeper: 'mvu' | 'embedded' | 'none';
    tree: unknown;
    /** Entries the initial values came from. */
    initial: { entry: string; tree: unknown }[];
    notices: Notice[];
}

/** One model call with its full prompt and raw output. */
export type TraceCall = CallTrace;

export interface TraceView {
    turnId: string;
    calls: TraceCall[];
}

/** Everything the panel shows. Replaced as a whole when something changed; the UI never writes it. */
export interface AppView {
    version: string;
    config: Config;
    configNotices: Notice[];
    /** Null when no chat is open. */
    chatKey: string | null;
    fold: Fold;
    turns: Turn[];
    progress: Progress | null;
    /** Of the session, newest last. */
    notices: Notice[];
    /** `snapshot` is that of the newest turn (null: none this session, its record may hold one); `index` the books as they are now. */
    worldbook: { snapshot: Snapshot | null; index: BookIndex | null; notices: Notice[]; loadedAt: number | null };
    tools: { registered: ToolDefinition[]; faults: Notice[] };
    variables: VariablesView;
    /** Data of the original extension found in this installation. */
    oldData: { chats: number; imported: boolean } | null;
    /** Connection profiles of the host, for the per-agent settings. */
    profiles: { id: string; name: string }[];
}

/** What the user can ask for. Each resolves when done; a failure arrives as a notice in the view. */
export interface Intents {
    /** `path` as in the config schema, e.g. `pipeline.enableTextRecall`. */
    setConfig(path: string, value: unknown): void;
    refreshWorldbook(): Promise<void>;
    /** Re-analyses a reply (position in the chat) and all later ones where `onwards`. */
    reanalyse(messageIndex: number, onwards?: boolean): Promise<void>;
    rerunTool(messageIndex: number, tool: string): Promise<void>;
    correct(event: ProposedEvent): Promise<void>;
    undoCorrection(): Promise<void>;
    jumpTo(messageIndex: number): void;
    tryTool(tool: string, params: Record<string, unknown>): Promise<{ run: ToolRun; sandbox?: SandboxResult }>;
    /** Rolls again from the stored seed: the same dice. */
    replay(run: ToolRun): Promise<ToolRun>;
    loadTrace(turnId: string): Promise<TraceView | null>;
    /** `path` as a JSON pointer, `/主角/生命值`; of a value with a description the value alone is meant. */
    editVariable(path: string, value: unknown): Promise<void>;
    exportChat(): Promise<string>;
    importChat(json: string): Promise<void>;
    deleteOldData(): Promise<void>;
    dismissNotice(index: number): void;
    stop(): void;
}
