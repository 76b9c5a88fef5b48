import { createAgentCalls } from './agent-calls';
import type { CallDeps } from './call-model';
import { gapsOf, type NumberedReply } from './catch-up';
import { baselineOf } from './chat-state';
import { completeTurn, type Completion } from './complete-turn';
import { condenseSummaries } from './condense';
import type { Core } from './core';
import { newRecord } from './new-record';
import { createTurnTrace, type TurnTrace } from './turn-trace';
import type { TurnRecord } from '../turn-record';
import type { TurnWork } from './turn-work';
import { notice } from '../notice';
import { unwrapNarrative } from '../text/assemble';
import type { Reply } from '../text/turn';

type TracedWork = TurnWork & { trace: TurnTrace };

/** What is done to replies that already stand in the chat: the second half of a turn, first or once more. */
export interface ReplyWork {
    /** Gathers anew for the reply at `index`. */
    gather(index: number, record: TurnRecord, options?: Partial<Pick<TurnWork, 'analyse' | 'onlyTools' | 'keepText'>>): Promise<TracedWork>;
    /** Completes the turn, keeps its trace, and condenses summaries that have grown too long. */
    finish(work: TracedWork, signal: AbortSignal): Promise<Completion>;
    /** Analyses a reply, which gets a record if it has none; `force`: although it was analysed before. */
    analyse(reply: Reply, turn: number, signal: AbortSignal, force: boolean): Promise<Completion>;
    /** Completes the incomplete turns whose replies stand before `until`, oldest first, up to the first that fails. */
    catchUp(signal: AbortSignal, until: number): Promise<void>;
}

export function createReplyWork(core: Core, callsFor: (trace: TurnTrace) => CallDeps): ReplyWork {
    const { deps, reader, commit, gatherer } = core;

    /** Gathers anew for a reply that already stands in the chat. */
    const gather = async (index: number, record: TurnRecord, options: Partial<Pick<TurnWork, 'analyse' | 'onlyTools' | 'keepText'>> = {}): Promise<TracedWork> => {
        const before = reader.before(index);
        // Read at once: a moment later another message may stand at this index.
        const text = deps.chat.read().messages[index]?.text ?? '';
        const context = await gatherer.gather({ before, trigger: 'normal', seed: record.seed });
        const trace = createTurnTrace(deps.traces);
        const calls = callsFor(trace);
        return {
            chatKey: before.view.chatKey ?? '',
            record,
            narrative: unwrapNarrative(text),
            text,
            context,
            agents: createAgentCalls(calls, context.config, context.language),
            calls,
            guide: null,
            planningRuns: record.tools.filter((run) => run.trigger === 'planning'),
            keepText: options.keepText ?? before.turnNumber === 0,
            analyse: options.analyse ?? true,
            onlyTools: options.onlyTools,
            trace,
        };
    };

    const finish = async (work: TracedWork, signal: AbortSignal): Promise<Completion> => {
        const result = await completeTurn(core, work, signal);
        await work.trace.save(work.record.id, work.chatKey);
        if (result === 'complete' && deps.config().pipeline.summaryTokenLimit > 0 && !signal.aborted) {
            await condenseSummaries({ ...deps, reader, commit }, work.agents, work.context.language, signal);
        }
        return result;
    };

    /** Gives a reply without a record one, and its analysis. */
    const analyse = async (reply: Reply, turn: number, signal: AbortSignal, force: boolean): Promise<Completion> => {
        const view = deps.chat.read();
        const message = view.messages[reply.index];
        if (!message || view.chatKey === null) return 'dropped';
        const covered = baselineOf(view.metadata)?.coversTurns ?? -1;
        const delivery = turn <= covered ? 'import' : deps.config().pipeline.delivery;
        const fresh = newRecord({ id: deps.newId(), swipe: message.swipe, mode: 'merged', delivery, seed: `${turn}/${message.swipe}/${deps.newId()}`, text: message.text });
        const kept = reply.record;
        const record: TurnRecord = kept ? { ...kept, ...(force ? { analysed: false, status: 'pending' as const, notices: [] } : {}) } : fresh;
        if (!kept) commit.begin(reply.index, message.swipe, record);
        const ran = new Set(record.tools.filter((run) => run.trigger === 'post_pipeline' && run.ok).map((run) => run.name));
        const work = await gather(reply.index, record, { analyse: force || !record.analysed });
        const waiting = work.context.tools.filter((tool) => tool.trigger === 'post_pipeline' && (force || !ran.has(tool.name))).map((tool) => tool.name);
        // Outputs that stand in the message cannot be told from new ones: when some ran, all run again.
        const rerun = ran.size === 0 || waiting.length === 0 ? waiting : work.context.tools.filter((tool) => tool.trigger === 'post_pipeline').map((tool) => tool.name);
        return finish({ ...work, onlyTools: turn === 0 ? [] : rerun }, signal);
    };

    const catchUp = async (signal: AbortSignal, until: number): Promise<void> => {
        const tried = new Set<string>();
        const nameOf = ({ reply }: NumberedReply): string => reply.record?.id ?? `unrecorded:${reply.index}`;
        // Looked for anew each time: positions may have changed.
        const next = (): NumberedReply | undefined => gapsOf(reader.now().turns).find((gap) => gap.reply.index < until && !tried.has(nameOf(gap)));
        for (let gap = next(); gap && !signal.aborted; gap = next()) {
            tried.add(nameOf(gap));
            deps.progress({ stage: 'catch_up', subject: String(gap.turn) });
            const result = await analyse(gap.reply, gap.turn, signal, false);
            if (result === 'incomplete' && !signal.aborted) {
                deps.notify(notice('warning', 'pipeline.catch-up-failed', { turn: gap.turn }));
                return;
            }
        }
    };

    return { gather, finish, analyse, catchUp };
}
