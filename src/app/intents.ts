import { notice } from '../notice';
import type { CallDeps } from '../pipeline/call-model';
import { baselineOf } from '../pipeline/chat-state';
import type { Core } from '../pipeline/core';
import type { Orchestrator } from '../pipeline/orchestrator';
import { editVariable } from '../pipeline/edit-variable';
import { toolDeps } from '../pipeline/tool-context';
import { exportChatData, placeRecords, readChatExport } from '../state/chat-export';
import { narrativeHash } from '../text/narrative';
import { replayRoll, runTool } from '../tools/run-tool';
import type { Intents, TraceView } from './port';
import type { Session } from './session';

export interface IntentParts {
    core: Core;
    orchestrator: Orchestrator;
    session: Session;
    /** Drops what is known of the worldbooks and reads them anew. */
    refreshWorldbook(): Promise<void>;
    jumpTo(messageIndex: number): void;
    deleteOldData(): Promise<void>;
    /** Ends the host's own generation, where one runs. */
    stopGeneration(): void;
    changed(): void;
}

/** What the panel's controls do. Nothing here writes state by itself: it goes through the pipeline. */
export function createIntents(parts: IntentParts): Intents {
    const { core, orchestrator, session } = parts;
    const { deps } = core;

    const replies = () => deps.chat.read().messages
        .filter((message) => !message.isUser && !message.isNarrator)
        .map((message) => ({ index: message.index, narrative: narrativeHash(message.text) }));

    return {
        setConfig: session.setConfig,
        refreshWorldbook: parts.refreshWorldbook,
        reanalyse: (index, onwards) => orchestrator.reanalyse(index, onwards ?? false),
        rerunTool: orchestrator.rerunTool,
        correct: orchestrator.correct,
        undoCorrection: orchestrator.undoCorrection,
        jumpTo: parts.jumpTo,

        async tryTool(name, params) {
            const before = core.reader.before();
            const seed = `try/${deps.newId()}`;
            const context = await core.gatherer.gather({ before, trigger: 'normal', seed, preview: true });
            const tool = context.tools.find((each) => each.name === name);
            if (!tool) throw new Error(`tool ${name} is not active`);
            const calls: CallDeps = { model: deps.model, clock: deps.clock, log: deps.log, trace: () => undefined, refusesStructuredOutput: new Set() };
            const signal = new AbortController().signal;
            const last = before.turns.at(-1);
            const outcome = await runTool(tool, params, toolDeps({
                context,
                moment: {
                    chat: before,
                    state: before.fold.state,
                    stateSummary: context.stateSummary,
                    variables: context.variables?.tree,
                    narrative: last?.replies.at(-1)?.narrative ?? '',
                    guide: null,
                    planningRuns: [],
                },
                calls,
                model: deps.model,
                sandbox: core.sandbox,
                page: core.page,
                costs: [],
                signal,
            }));
            // Here the author sees a post_pipeline tool's text as well.
            return { run: { ...outcome.run, output: outcome.run.output ?? outcome.text }, sandbox: outcome.sandbox };
        },

        replay: async (run) => replayRoll(run, session.config().promptLanguage === 'en' ? 'en' : 'zh'),
        loadTrace: async (turnId) => (await deps.traces.load(turnId)) as TraceView | null,

        async editVariable(path, value) {
            await editVariable(core, path, value);
            parts.changed();
        },

        async exportChat() {
            const { view, turns } = core.reader.now();
            const hashes = new Map(replies().map((reply) => [reply.index, reply.narrative]));
            return exportChatData({
                chat: view.chatKey ?? '',
                exportedAt: deps.clock.now(),
                baseline: baselineOf(view.metadata),
                replies: turns.flatMap((turn) => turn.replies.flatMap((reply) => (reply.record ? [{ index: reply.index, narrative: hashes.get(reply.index) ?? '', record: reply.record }] : []))),
            });
        },

        async importChat(json) {
            const read = readChatExport(json);
            if (!read.ok) {
                session.notify(read.notice);
                return;
            }
            const view = deps.chat.read();
            if (view.chatKey === null) return;
            const { placed, left } = placeRecords(read.file, replies());
            for (const { index, record } of placed) core.commit.begin(index, view.messages[index]?.swipe ?? 0, { ...record, swipe: view.messages[index]?.swipe ?? 0 });
            if (read.file.baseline) await deps.chat.writeMetadata({ v: 1, baseline: read.file.baseline, importedAt: deps.clock.now() });
            await deps.chat.save(view.chatKey);
            session.notify(notice(left > 0 ? 'warning' : 'info', 'pipeline.imported', { placed: placed.length, left }));
            parts.changed();
        },

        deleteOldData: parts.deleteOldData,
        dismissNotice: session.dismiss,
        stop() {
            parts.stopGeneration();
            orchestrator.stop();
        },
    };
}
