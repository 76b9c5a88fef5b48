import type { VariablesPort } from '../mvu/port';
import type { Notice } from '../notice';
import type { SandboxPort } from '../ports';
import type { ToolDefinition } from '../tools/definition';
import { compactSnapshot } from '../worldbook/compact';
import type { CompactSnapshot, Snapshot } from '../worldbook/snapshot';
import { createChatReader } from './chat-state';
import { createCommit } from './commit';
import type { CompleteDeps } from './complete-turn';
import type { PipelineDeps } from './deps';
import { createLibrary, type LibraryReader } from './library';
import { createGatherer, type TurnContext, type TurnGatherer } from './turn-context';

/** The parts of the pipeline, built once and shared by everything that sequences them. */
export interface Core extends CompleteDeps {
    deps: PipelineDeps;
    library: LibraryReader;
    gatherer: TurnGatherer;
    page?: SandboxPort;
    compactSnapshot(snapshot: Snapshot): CompactSnapshot;
    /** The newest turn's context is known: the panel shows its snapshot and tools. */
    gathered(context: TurnContext): void;
    lastContext(): TurnContext | null;
    /** Reads books and tools of the open chat without a turn: nothing is initialised, recorded or called. */
    preview(): Promise<void>;
    /** The tools as last seen, by a turn or a preview. */
    tools(): SeenTools | null;
}

export interface SeenTools {
    chatKey: string | null;
    registered: ToolDefinition[];
    faults: Notice[];
}

/** `page` runs code of books the user has trusted with the page; absent = nobody can. */
export function createCore(deps: PipelineDeps, variables: VariablesPort, page?: SandboxPort): Core {
    const library = createLibrary(deps.worldbooks, deps.clock);
    let last: TurnContext | null = null;
    let seen: SeenTools | null = null;
    // Outputs of tools are no prose: their tags are those of the tools last seen.
    const outputTags = (): string[] => seen?.registered.flatMap((tool) => tool.outputTag ?? []) ?? [];
    const see = ({ before, tools, toolFaults }: TurnContext): void => {
        seen = { chatKey: before.view.chatKey, registered: tools, faults: toolFaults };
        deps.changed();
    };
    const reader = createChatReader(deps.chat, outputTags);
    const gatherer = createGatherer(deps, library, variables);
    return {
        deps,
        chat: deps.chat,
        model: deps.model,
        journal: deps.journal,
        log: deps.log,
        progress: deps.progress,
        sandbox: deps.sandbox,
        page,
        variables,
        library,
        reader,
        commit: createCommit(deps.chat),
        gatherer,
        compactSnapshot,
        gathered(context) {
            last = context;
            see(context);
        },
        lastContext: () => last,
        async preview() {
            const before = reader.before();
            const { chatKey } = before.view;
            if (chatKey === null) return;
            const context = await gatherer.gather({ before, trigger: 'normal', seed: 'preview', preview: true });
            if (deps.chat.read().chatKey === chatKey) see(context);
        },
        tools: () => seen,
    };
}
