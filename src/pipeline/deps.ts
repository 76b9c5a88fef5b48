import type { Config } from '../config';
import type { HoldChat } from './job-queue';
import type { Notice } from '../notice';
import type { ChatPort, ClockPort, JournalPort, LogPort, ModelPort, ReaderPort, SandboxPort, TokenPort, TraceStore, WorldbookPort } from '../ports';

/** Where a turn stands, for the progress line. */
export interface StageReport {
    stage: 'waiting' | 'catch_up' | 'snapshot' | 'planning' | 'tools' | 'writing' | 'analysis' | 'post_tools' | 'commit' | 'condense';
    subject?: string;
}

/** Everything the pipeline needs of the outside. */
export interface PipelineDeps {
    chat: ChatPort;
    model: ModelPort;
    tokens: TokenPort;
    clock: ClockPort;
    log: LogPort;
    traces: TraceStore;
    journal: JournalPort;
    readers: ReaderPort;
    worldbooks: WorldbookPort;
    sandbox: SandboxPort;
    config(): Config;
    /** Null = nothing runs. */
    progress(report: StageReport | null): void;
    notify(notice: Notice): void;
    /** The chat, its records or what is known of its worldbooks changed: redraw. */
    changed(): void;
    /** Keeps other tabs out of a chat while something runs for it here. */
    hold?: HoldChat;
    /** A fresh unique id. */
    newId(): string;
}
