import { relayPrompt } from '../agents/relay/prompt';
import { notice, type Notice } from '../notice';
import type { PromptMessage } from '../ports';
import type { PresetContext } from '../prompt/prompt-input';
import type { ProposedEvent } from '../state/event';
import { unwrapNarrative } from '../text/assemble';
import { createAgentCalls } from './agent-calls';
import type { CallDeps } from './call-model';
import type { StateBefore } from './chat-state';
import { continueReply } from './continue-reply';
import type { Core } from './core';
import { correctLastReply, undoLastCorrection } from './corrections';
import { createJobQueue } from './job-queue';
import { newRecord } from './new-record';
import { createOpenTurnSteps, type OpenTurn } from './open-turn';
import { messagesOf, TurnStopped } from './prepare-turn';
import { createProgressLanes } from './progress-lanes';
import { createReplyJobs } from './reply-jobs';
import { createReplyWork } from './reply-work';
import { createTurnTrace, type TurnTrace } from './turn-trace';

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
    /** The host begins to add text to the last reply: what runs for it is in vain, the whole is analysed afterwards. */
    continuing(): void;
    /** The host has added text to the reply at `index`, and has not saved it yet; `cut` as above. */
    continued(index: number, cut: boolean): void;
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

export function createOrchestrator(core: Core): Orchestrator {
    const { deps, reader, commit, gatherer } = core;
    const refusesStructuredOutput = new Set<string>();
    let open: OpenTurn | null = null;
    /** From a turn's preparation to the end of the host's generation; `open` may outlive it where no reply came. */
    let generating = false;
    /** The host adds text to the last reply. */
    let continuing = false;
    const lanes = createProgressLanes(deps.progress);

    const queue = createJobQueue(
        (error) => {
            deps.log.error('a turn could not be completed', error);
            deps.notify(notice('error', 'pipeline.unexpected', { detail: error instanceof Error ? error.message : String(error) }));
        },
        () => {
            if (queue.jobs().length === 0) {
                lanes.behindDone();
                if (!generating) deps.progress(null);
            }
            deps.changed();
        },
        deps.hold,
    );

    const callsFor = (trace: TurnTrace): CallDeps => ({
        model: deps.model,
        clock: deps.clock,
        log: deps.log,
        trace: (call) => trace.add(call),
        refusesStructuredOutput,
    });

    const behind: Core = { ...core, progress: lanes.behind, deps: { ...deps, progress: lanes.behind } };
    const replies = createReplyWork(behind, callsFor);
    const { narrate, recordOf, complete, relay, takeBack } = createOpenTurnSteps(core, replies.finish);

    const jobs = createReplyJobs({ core: behind, queue, replies, takeBack });
    const resume = (): void => {
        if (!continuing) jobs.resume(open?.id);
    };

    const tell = (notices: Notice[]): void => notices.forEach(deps.notify);

    return {
        async prepare(request) {
            const { signal, chatKey } = request;
            open = null;
            generating = true;
            lanes.release(true);
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
            await replies.catchUp(signal, until);
            if (signal.aborted) throw new TurnStopped('stopped');
            jobs.greeting(chatKey);

            lanes.ahead({ stage: 'snapshot' });
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
                abandoned: false,
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
                turn.abandoned = cut;
                return;
            }
            const prepared = turn.prepared;
            const narrative = unwrapNarrative(message.text);
            if (!prepared || narrative === '' || narrative === '...') {
                if (!cut) deps.notify(notice('warning', 'pipeline.empty-reply'));
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
                void turn.trace.save(turn.id, turn.chatKey);
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
                lanes.release(queue.jobs().length > 0);
                return;
            }
            const { prepared } = turn;
            const target = commit.locate(turn.id, turn.chatKey);
            if (!target) return;
            if (turn.delivery === 'relay') void jobs.add(turn.chatKey, turn.id, (signal) => (turn.abandoned ? takeBack(turn.id, turn.chatKey) : relay(turn, target.index, signal)));
            else if (prepared) void jobs.add(turn.chatKey, turn.id, (signal) => complete(turn, reply, prepared, signal));
        },

        continuing() {
            const { chatKey, messages } = deps.chat.read();
            if (chatKey === null) return;
            continuing = true;
            queue.end('target-gone', (job) => commit.locate(job.turnId, chatKey)?.index === messages.length - 1);
        },

        continued(index, cut) {
            continuing = false;
            const chatKey = deps.chat.read().chatKey;
            const record = continueReply(core, index, cut);
            if (!record || chatKey === null || cut) return;
            void jobs.add(chatKey, record.id, async (signal) => {
                const at = commit.locate(record.id, chatKey)?.index;
                if (at !== undefined) await replies.finish(await replies.gather(at, record), signal);
            });
        },

        writingAgent: () => open?.prepared?.agent ?? null,

        ended() {
            // With streaming the reply is announced after this; a failed call never announces one.
            generating = false;
            lanes.release(queue.jobs().length > 0);
            if (!continuing) return;
            // The text that was added is announced within a moment, or never was any.
            void deps.clock.wait(500).then(() => {
                continuing = false;
                resume();
            });
        },

        stop() {
            // `open` stays: what a stopped stream has brought so far is announced after this.
            queue.end('stopped');
            generating = false;
            lanes.release(queue.jobs().length > 0);
        },

        chatChanged() {
            queue.end('chat-changed');
            open = null;
            generating = false;
            continuing = false;
            lanes.release(false);
            core.library.forget();
            deps.changed();
            resume();
            const { chatKey } = deps.chat.read();
            if (chatKey !== null) jobs.clearJournal(chatKey);
        },

        messagesChanged() {
            const chatKey = deps.chat.read().chatKey;
            if (chatKey !== null) queue.end('target-gone', (job) => job.turnId !== 'greeting' && job.chatKey === chatKey && commit.locate(job.turnId, chatKey) === null);
            resume();
            deps.changed();
        },

        edited(index) {
            deps.changed();
            jobs.edited(index);
        },

        reanalyse: jobs.reanalyse,
        rerunTool: jobs.rerunTool,
        correct: (event) => correctLastReply({ ...deps, reader, commit }, event),
        undoCorrection: () => undoLastCorrection({ ...deps, reader, commit }),
        working: () => queue.jobs().length > 0,
    };
}
