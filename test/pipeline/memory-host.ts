import { createDriver } from '../../src/app/driver';
import { createSession, type Session } from '../../src/app/session';
import { configSchema, type Config } from '../../src/config';
import { connectBridge } from '../../src/host/bridge';
import { createChatPort } from '../../src/host/chat-port';
import { renumberSwipes } from '../../src/host/chat-records';
import { createJournal } from '../../src/host/journal';
import type { VariablesPort } from '../../src/mvu/port';
import { createCore, type Core } from '../../src/pipeline/core';
import { createOrchestrator, type Orchestrator } from '../../src/pipeline/orchestrator';
import type { LogPort, TraceStore } from '../../src/ports';
import { shippedScanSettings } from '../../src/worldbook/context';
import type { Book } from '../../src/worldbook/entry';
import { createFakeClock, type FakeClock } from './fake-clock';
import { createMemoryTavern, type MemoryTavern, type Server, type Witness, type Writing } from './memory-tavern';
import { createScriptedModel, type ScriptedModel } from './scripted-model';

/** One page with the extension in it: SillyTavern and the model in memory, everything of ours real but the panel. */
export interface MemoryHost {
    tavern: MemoryTavern;
    core: Core;
    orchestrator: Orchestrator;
    session: Session;
    model: ScriptedModel;
    clock: FakeClock;
    /** Turn ids whose traces are kept. */
    traces: Map<string, unknown>;
    /** What the log was told at level error. */
    errors: string[];
    /** The page goes away as on a reload: what runs is never heard of again. */
    leave(): void;
}

export interface HostOptions {
    server: Server;
    config?: Record<string, unknown>;
    streaming?: boolean;
    witness?: Partial<Witness>;
    book?: Book;
    write?(): Writing;
}

const noVariables: VariablesPort = {
    keeper: () => 'none',
    read: () => null,
    initialise: async () => ({ did: 'nothing', sources: [], notices: [] }),
    update: async () => ({ results: [], block: '', tree: null }),
    announce: async (_index, text) => text,
    edit: async () => ({ results: [], block: '', tree: null, index: 0 }),
    extraModelMode: () => false,
    lookup: () => () => undefined,
};

export const emptyBook: Book = { name: '空', origin: 'card', shape: 'world', data: { entries: {} } };

/** A post_pipeline tool whose output stands in every reply. */
export const panelBook: Book = {
    name: '面板',
    origin: 'card',
    shape: 'world',
    data: {
        entries: {
            0: {
                uid: 0, key: [], keysecondary: [], comment: '[TOOL:panel]', constant: true, position: 4, order: 1, selective: false,
                content: JSON.stringify({ type: 'llm', trigger: 'post_pipeline', function: { name: 'panel', description: '面板', parameters: { type: 'object', properties: {} } }, context: ['state_summary'], system_prompt: '面板', output_tag: 'panel' }),
            },
        },
    },
};

/** Opens the page: SillyTavern starts, the extension loads, and the chat that was open last is open again. */
export async function openHost(options: HostOptions): Promise<MemoryHost> {
    const clock = createFakeClock();
    const model = createScriptedModel(clock);
    const errors: string[] = [];
    const ignore = (): void => undefined;
    const witness: Witness = { userLine: ignore, replyGone: ignore, reply: ignore, swipe: ignore, grown: ignore, saved: ignore, opened: ignore, ...options.witness };
    const tavern = createMemoryTavern({ server: options.server, clock, streaming: options.streaming ?? true, witness, write: options.write ?? (() => ({ pieces: ['雾更浓了。'], end: 'whole' })) });
    (globalThis as { SillyTavern?: unknown }).SillyTavern = { getContext: () => tavern.context };

    let stored: unknown = configSchema.parse(options.config ?? {}) satisfies Config;
    const session = createSession({ read: () => stored, write: (config) => void (stored = config) }, clock.now, ignore);
    const log: LogPort = { debug: ignore, info: ignore, warn: ignore, error: (message, detail) => void errors.push(`${message} ${detail instanceof Error ? detail.stack ?? detail.message : String(detail ?? '')}`) };
    const traces = new Map<string, unknown>();
    const traceStore: TraceStore = {
        save: async (turnId, trace) => void traces.set(turnId, trace),
        load: async (turnId) => traces.get(turnId) ?? null,
        forget: async (turnIds) => turnIds.forEach((turnId) => traces.delete(turnId)),
        forgetChats: async () => undefined,
        moveChat: async () => undefined,
    };
    const book = options.book ?? emptyBook;
    const core = createCore({
        chat: createChatPort(),
        model,
        tokens: { estimate: (text) => text.length, count: async (text) => text.length },
        clock,
        log,
        traces: traceStore,
        journal: createJournal(log, () => session.config().state.persistToLocalStorage),
        readers: { persona: () => '', character: () => ({ name: '兰', description: '', personality: '', scenario: '', depthPrompt: '', creatorNotes: '', avatar: 'lan.png', tags: null }), substitute: (text) => text },
        worldbooks: { load: async () => ({ books: [book], notices: [] }), globalSettings: () => shippedScanSettings, forced: () => [] },
        sandbox: { run: async () => ({ ok: false, kind: 'error', message: 'none here', log: [], ms: 0 }), checkSyntax: async () => null },
        config: session.config,
        progress: session.report,
        notify: session.notify,
        changed: ignore,
        newId: () => `t${(ids += 1)}`,
    }, noVariables);
    const orchestrator = createOrchestrator(core);
    const driver = createDriver({
        core,
        orchestrator,
        session,
        readPreset: async () => ({ planningContext: '', writingSystemContext: '', writingUserContext: '' }),
        renumberSwipes,
        chatOpened: ignore,
    });
    const page = new AbortController();
    connectBridge(driver, () => false, page.signal);
    await tavern.open(options.server.active);
    return {
        tavern,
        core,
        orchestrator,
        session,
        model,
        clock,
        traces,
        errors,
        leave() {
            page.abort();
            clock.drop();
            model.call = () => new Promise(() => undefined);
        },
    };
}

/** Ids are unique over all pages, as random ones are. */
let ids = 0;
