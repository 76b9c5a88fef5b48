import { notice, type Notice } from '../notice';
import type { PromptMessage } from '../ports';
import { relayPrompt } from '../agents/relay/prompt';
import type { PresetContext } from '../prompt/prompt-input';
import type { ProposedEvent } from '../state/event';
import { unwrapNarrative } from '../text/assemble';
import type { Reply } from '../text/turn';
import { createAgentCalls, type AgentCalls } from './agent-calls';
import type { CallDeps } from './call-model';
import { gapsOf, greetingOf, interruptedOf } from './catch-up';
import { baselineOf, type StateBefore } from './chat-state';
import { completeTurn, type Completion, type TurnWork } from './complete-turn';
import { condenseSummaries } from './condense';
import { correctLastReply, undoLastCorrection } from './corrections';
import type { Core } from './core';
import { createJobQueue } from './job-queue';
import { newRecord } from './new-record';
import { messagesOf, prepareNarrative, TurnStopped, type PreparedNarrative } from './prepare-turn';
import { continueReply } from './continue-reply';
import { toolDeps } from './tool-context';
import type { TurnContext } from './turn-context';
import { createTurnTrace, type TurnTrace } from './turn-trace';
import type { TurnRecord } from './turn-record';
import { rerunTool } from './rerun-tool';

export interface GenerationRequest {
    kind: 'normal' | 'regenerate' | 'swipe';
    chatKey: string;
    /** The preset's texts, for `presetMode: split`. */
    preset: PresetContext;
    signal: AbortSignal;
}

/** Sequences everything: the only place that knows what comes after what. */
export interface Orchestrator {
    /** Everything before the narrative; the messages for the host's own call. Rejects with TurnStopped when aborted. */
    prepare(request: GenerationRequest): Promise<PromptMessage[]>;
    /** The reply stands at `index` and is not saved yet; `cut` = stopped or broken off while it was written. */
    received(index: number, cut: boolean): void;
    /** The host is done with the reply: the rest of the turn begins, in the background. */
    finished(): void;
    /** The host has added text to the reply at `index`. */
    continued(index: number): void;
    /** Which agent the host's call is for now, to apply its limits. */
    writingAgent(): 'writing' | 'mergedWriting' | null;
    /** The host's generation is over, with or without a reply. */
    ended(): void;
    stop(): void;
    chatChanged(): void;
    messagesChanged(): void;
    edited(index: number): void;
    reanalyse(index: number, onwards: boolean): Promise<void>;
    rerunTool(index: number, tool: string): Promise<void>;
    correct(event: ProposedEvent): Promise<void>;
    undoCorrection(): Promise<void>;
    /** Background work goes on that Stop would end. */
    working(): boolean;
}

/** A turn between its prompt and its reply. */
interface OpenTurn {
    chatKey: string;
    id: string;
    kind: GenerationRequest['kind'];
    context: TurnContext;
    prepared: PreparedNarrative | null;
    preset: PresetContext;
    trace: TurnTrace;
    calls: CallDeps;
    agents: AgentCalls;
    delivery: 'stream' | 'relay';
    writingStarted: number;
    reply: { record: TurnRecord; text: string; narrative: string } | null;
}

export function createOrchestrator(core: Core): Orchestrator {
    const { deps, reader, commit, gatherer } = core;
    const refusesStructuredOutput = new Set<string>();
    let open: OpenTurn | null = null;

    const queue = createJobQueue(
        (error) => {
            deps.log.error('a turn could not be completed', error);
            deps.notify(notice('error', 'pipeline.unexpected', { detail: error instanceof Error ? error.message : String(error) }));
        },
        () => {
            if (queue.jobs().length === 0 && !open) deps.progress(null);
            deps.changed();
        },
    );

    const callsFor = (trace: TurnTrace): CallDeps => ({
        model: deps.model,
        clock: deps.clock,
        log: deps.log,
        trace: (call) => trace.add(call),
        refusesStructuredOutput,
    });

    const tell = (notices: Notice[]): void => notices.forEach(deps.notify);

    /** Gathers anew for a reply that already stands in the chat. */
    const workOf = async (index: number, record: TurnRecord, options: Partial<Pick<TurnWork, 'analyse' | 'onlyTools' | 'keepText'>> = {}): Promise<TurnWork & { trace: TurnTrace }> => {
        const before = reader.before(index);
        const context = await gatherer.gather({ before, trigger: 'normal', seed: record.seed });
        const trace = createTurnTrace(deps.traces);
        const calls = callsFor(trace);
        const text = deps.chat.read().messages[index]?.text ?? '';
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

    const finishWork = async (work: TurnWork & { trace: TurnTrace }, signal: AbortSignal): Promise<Completion> => {
        const result = await completeTurn(core, work, signal);
        await work.trace.save(work.record.id);
        if (result === 'complete' && deps.config().pipeline.summaryTokenLimit > 0 && !signal.aborted) {
            await condenseSummaries({ ...deps, reader, commit }, work.agents, work.context.language, signal);
        }
        return result;
    };

    /** Gives a reply without a record one, and its analysis. */
    const analyseReply = async (reply: Reply, turn: number, signal: AbortSignal, force: boolean): Promise<Completion> => {
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
        const work = await workOf(reply.index, record, { analyse: force || !record.analysed });
        const waiting = work.context.tools.filter((tool) => tool.trigger === 'post_pipeline' && (force || !ran.has(tool.name))).map((tool) => tool.name);
        // Outputs that stand in the message cannot be told from new ones: when some ran, all run again.
        const rerun = ran.size === 0 || waiting.length === 0 ? waiting : work.context.tools.filter((tool) => tool.trigger === 'post_pipeline').map((tool) => tool.name);
        return finishWork({ ...work, onlyTools: turn === 0 ? [] : rerun }, signal);
    };

    const catchUp = async (signal: AbortSignal, until: number): Promise<void> => {
        for (const gap of gapsOf(reader.now().turns)) {
            if (signal.aborted) return;
            if (gap.reply.index >= until) continue;
            deps.progress({ stage: 'catch_up', subject: String(gap.turn) });
            const result = await analyseReply(gap.reply, gap.turn, signal, false);
            if (result === 'incomplete' && !signal.aborted) {
                deps.notify(notice('warning', 'pipeline.catch-up-failed', { turn: gap.turn }));
                return;
            }
        }
    };

    const background = (chatKey: string, id: string, run: (signal: AbortSignal) => Promise<unknown>): Promise<void> => queue.add(id, chatKey, async (signal) => void (await run(signal))).promise;

    const analyseGreeting = (chatKey: string): void => {
        const greeting = greetingOf(reader.now().turns);
        if (greeting) void background(chatKey, 'greeting', (signal) => analyseReply(greeting, 0, signal, false));
    };

    const narrate = (turn: OpenTurn, signal: AbortSignal): Promise<PreparedNarrative> => prepareNarrative(turn.context, {
        agents: turn.agents,
        preset: turn.preset,
        signal,
        report: (stage, subject) => deps.progress({ stage, subject }),
        toolDeps: (costs) => toolDeps({
            context: turn.context,
            moment: {
                chat: turn.context.before,
                state: turn.context.before.fold.state,
                stateSummary: turn.context.stateSummary,
                variables: turn.context.variables?.tree,
                narrative: '',
                guide: null,
                planningRuns: [],
            },
            calls: turn.calls,
            model: deps.model,
            sandbox: deps.sandbox,
            page: core.page,
            costs,
            signal,
        }),
    });

    /** What the record of a fresh reply holds of its preparation. */
    const recordOf = (turn: OpenTurn, swipe: number, text: string, prepared: PreparedNarrative): TurnRecord => ({
        ...newRecord({ id: turn.id, swipe, mode: prepared.mode, delivery: turn.delivery, seed: turn.context.seed, text }),
        snapshot: core.compactSnapshot(turn.context.snapshot),
        tools: prepared.planning.map((outcome) => outcome.run),
        calls: prepared.costs,
        notices: [...prepared.notices, ...turn.context.notices],
    });

    const complete = (turn: OpenTurn, reply: NonNullable<OpenTurn['reply']>, prepared: PreparedNarrative, signal: AbortSignal): Promise<Completion> => finishWork({
        chatKey: turn.chatKey,
        record: reply.record,
        narrative: reply.narrative,
        text: reply.text,
        context: turn.context,
        agents: turn.agents,
        calls: turn.calls,
        guide: prepared.guide,
        planningRuns: prepared.planning.map((outcome) => outcome.run),
        keepText: false,
        analyse: true,
        trace: turn.trace,
    }, signal);

    /** Relay delivery (seed): the placeholder stands in the chat, the whole pipeline runs now. */
    const relay = async (turn: OpenTurn, index: number, signal: AbortSignal): Promise<void> => {
        const swipe = deps.chat.read().messages[index]?.swipe ?? 0;
        const giveUp = async (): Promise<void> => {
            const target = commit.locate(turn.id, turn.chatKey);
            if (target && signal.reason !== 'chat-changed') await deps.chat.discard(target);
        };
        try {
            const prepared = await narrate(turn, signal);
            deps.progress({ stage: 'writing' });
            const written = await turn.agents.write(prepared.agent, prepared.prompt, signal);
            if (!written.ok) {
                deps.notify(written.notice);
                return await giveUp();
            }
            const record = { ...recordOf(turn, swipe, written.value, prepared), calls: [...prepared.costs, written.cost] };
            // The narrative shows at once; the analysis follows.
            if (!(await commit.finish(turn.id, turn.chatKey, { text: written.value, record }))) return;
            await complete(turn, { record, text: written.value, narrative: written.value }, prepared, signal);
        } catch (error) {
            if (!(error instanceof TurnStopped)) throw error;
            await giveUp();
        }
    };

    return {
        async prepare(request) {
            const { signal, chatKey } = request;
            open = null;
            const swiping = request.kind !== 'normal';
            const last = deps.chat.read().messages.length - 1;
            // A regenerate has taken its reply away: what still runs for it is in vain.
            queue.end('target-gone', (job) => job.turnId !== 'greeting' && commit.locate(job.turnId, chatKey) === null);
            const aboutSwiped = (turnId: string): boolean => turnId === 'greeting' || (swiping && commit.locate(turnId, chatKey)?.index === last);
            if (queue.jobs().some((job) => !aboutSwiped(job.turnId))) {
                deps.progress({ stage: 'waiting' });
                await queue.idle(signal, (job) => aboutSwiped(job.turnId));
            }
            if (signal.aborted) throw new TurnStopped('stopped');
            const until = request.kind === 'swipe' ? last : last + 1;
            await catchUp(signal, until);
            if (signal.aborted) throw new TurnStopped('stopped');
            analyseGreeting(chatKey);

            deps.progress({ stage: 'snapshot' });
            const before: StateBefore = reader.before(until);
            const swipe = request.kind === 'swipe' ? (deps.chat.read().messages[last]?.swipe ?? 0) : 0;
            const id = deps.newId();
            const context = await gatherer.gather({ before, trigger: request.kind, seed: `${before.turnNumber}/${swipe}/${id}` });
            // What authors must know at once; the rest of the worldbook's notices stands in its tab.
            tell([...context.notices, ...context.snapshot.notices.filter((each) => each.level === 'error')]);
            const trace = createTurnTrace(deps.traces);
            const calls = callsFor(trace);
            const turn: OpenTurn = {
                chatKey,
                id,
                kind: request.kind,
                context,
                prepared: null,
                preset: request.preset,
                trace,
                calls,
                agents: createAgentCalls(calls, context.config, context.language),
                delivery: context.config.pipeline.delivery,
                writingStarted: deps.clock.now(),
                reply: null,
            };
            core.gathered(context);
            if (signal.aborted) throw new TurnStopped('stopped');
            open = turn;
            if (turn.delivery === 'relay') return relayPrompt(context.language);
            try {
                const prepared = await narrate(turn, signal);
                tell(prepared.notices);
                turn.prepared = prepared;
                turn.writingStarted = deps.clock.now();
                deps.progress({ stage: 'writing' });
                return messagesOf(prepared);
            } catch (error) {
                open = null;
                throw error;
            }
        },

        received(index, cut) {
            const turn = open;
            if (!turn) return;
            const view = deps.chat.read();
            const message = view.messages[index];
            if (!message || view.chatKey !== turn.chatKey) {
                open = null;
                return;
            }
            if (turn.delivery === 'relay') {
                const record = newRecord({ id: turn.id, swipe: message.swipe, mode: 'merged', delivery: 'relay', seed: turn.context.seed, text: message.text });
                commit.begin(index, message.swipe, record);
                turn.reply = { record, text: message.text, narrative: '' };
                if (cut) open = null;
                return;
            }
            const prepared = turn.prepared;
            const narrative = unwrapNarrative(message.text);
            if (!prepared || narrative === '' || narrative === '...') {
                commit.clear(index, message.swipe);
                open = null;
                return;
            }
            const cost = { purpose: prepared.agent, ms: deps.clock.now() - turn.writingStarted };
            turn.trace.add({ purpose: prepared.agent, sections: prepared.prompt.sections, output: message.text, ms: cost.ms });
            let record = recordOf(turn, message.swipe, message.text, prepared);
            record = { ...record, calls: [...record.calls, cost] };
            if (cut) {
                record = { ...record, status: 'incomplete', reason: notice('info', 'pipeline.stopped') };
                open = null;
                void turn.trace.save(turn.id);
                deps.progress(null);
            } else turn.reply = { record, text: message.text, narrative };
            commit.begin(index, message.swipe, record);
            deps.changed();
        },

        finished() {
            const turn = open;
            const reply = turn?.reply;
            open = null;
            if (!turn || !reply) {
                if (queue.jobs().length === 0) deps.progress(null);
                return;
            }
            const { prepared } = turn;
            const target = commit.locate(turn.id, turn.chatKey);
            if (!target) return;
            if (turn.delivery === 'relay') void background(turn.chatKey, turn.id, (signal) => relay(turn, target.index, signal));
            else if (prepared) void background(turn.chatKey, turn.id, (signal) => complete(turn, reply, prepared, signal));
        },

        continued(index) {
            const chatKey = deps.chat.read().chatKey;
            const record = continueReply(core, index);
            if (!record || chatKey === null) return;
            void background(chatKey, record.id, async (signal) => {
                const at = commit.locate(record.id, chatKey)?.index;
                if (at !== undefined) await finishWork(await workOf(at, record), signal);
            });
        },

        writingAgent: () => open?.prepared?.agent ?? null,

        ended() {
            // With streaming the reply is announced after this; a failed call never announces one.
            if (queue.jobs().length === 0) deps.progress(null);
        },

        stop() {
            queue.end('stopped');
            if (open && !open.reply) open = null;
            if (queue.jobs().length === 0) deps.progress(null);
        },

        chatChanged() {
            queue.end('chat-changed');
            open = null;
            deps.progress(null);
            core.library.forget();
            deps.changed();
            const { view, turns } = reader.now();
            const { chatKey } = view;
            if (chatKey === null || !deps.config().enabled) return;
            for (const gap of interruptedOf(turns)) {
                void background(chatKey, gap.reply.record?.id ?? '', (signal) => analyseReply(gap.reply, gap.turn, signal, false));
            }
        },

        messagesChanged() {
            const chatKey = deps.chat.read().chatKey;
            if (chatKey !== null) queue.end('target-gone', (job) => job.turnId !== 'greeting' && job.chatKey === chatKey && commit.locate(job.turnId, chatKey) === null);
            deps.changed();
        },

        edited(index) {
            deps.changed();
            if (!deps.config().enabled || !deps.config().pipeline.reanalyseEdits) return;
            const { view, turns } = reader.now();
            const found = turns.flatMap((turn) => turn.replies.map((reply) => ({ turn: turn.number, reply }))).find(({ reply }) => reply.index === index);
            if (!found?.reply.stale || view.chatKey === null) return;
            void background(view.chatKey, found.reply.record?.id ?? '', (signal) => analyseReply(found.reply, found.turn, signal, true));
        },

        async reanalyse(index, onwards) {
            const { view, turns } = reader.now();
            const { chatKey } = view;
            if (chatKey === null) return;
            const chosen = turns.flatMap((turn) => turn.replies.map((reply) => ({ turn: turn.number, reply }))).filter(({ reply }) => (onwards ? reply.index >= index : reply.index === index));
            for (const { reply, turn } of chosen) {
                await background(chatKey, reply.record?.id ?? `reanalyse:${reply.index}`, async (signal) => {
                    const current = reader.now().turns.flatMap((each) => each.replies).find((each) => each.index === reply.index);
                    if (current) {
                        deps.progress({ stage: 'catch_up', subject: String(turn) });
                        await analyseReply(current, turn, signal, true);
                    }
                });
            }
        },

        async rerunTool(index, tool) {
            const chatKey = deps.chat.read().chatKey;
            const record = reader.now().turns.flatMap((turn) => turn.replies).find((reply) => reply.index === index)?.record;
            if (chatKey === null || !record) return;
            await background(chatKey, record.id, async (signal) => {
                deps.progress({ stage: 'post_tools', subject: tool });
                const work = await workOf(index, record, { analyse: false, onlyTools: [tool] });
                await rerunTool(core, work, tool, signal);
                await work.trace.save(record.id);
            });
        },

        correct: (event) => correctLastReply({ ...deps, reader, commit }, event),
        undoCorrection: () => undoLastCorrection({ ...deps, reader, commit }),
        working: () => queue.jobs().length > 0,
    };
}
