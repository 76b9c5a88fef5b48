import type { VariablesPort } from '../mvu/port';
import type { SandboxPort } from '../ports';
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
}

/** `page` runs code of books the user has trusted with the page; absent = nobody can. */
export function createCore(deps: PipelineDeps, variables: VariablesPort, page?: SandboxPort): Core {
    const library = createLibrary(deps.worldbooks);
    let last: TurnContext | null = null;
    // Outputs of tools are no prose: their tags are those of the tools last seen.
    const outputTags = (): string[] => last?.tools.flatMap((tool) => tool.outputTag ?? []) ?? [];
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
        reader: createChatReader(deps.chat, outputTags),
        commit: createCommit(deps.chat),
        gatherer: createGatherer(deps, library, variables),
        compactSnapshot,
        gathered(context) {
            last = context;
            deps.changed();
        },
        lastContext: () => last,
    };
}
