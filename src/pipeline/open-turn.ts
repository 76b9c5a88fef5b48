import type { PresetContext } from '../prompt/prompt-input';
import type { AgentCalls } from './agent-calls';
import type { CallDeps } from './call-model';
import type { Completion } from './complete-turn';
import type { Core } from './core';
import { newRecord } from './new-record';
import { prepareNarrative, TurnStopped, type PreparedNarrative } from './prepare-turn';
import type { ReplyWork } from './reply-work';
import { toolDeps } from './tool-context';
import type { TurnContext } from './turn-context';
import type { TurnRecord } from '../turn-record';
import type { TurnTrace } from './turn-trace';

/** A turn between its prompt and its reply. */
export interface OpenTurn {
    chatKey: string;
    id: string;
    kind: 'normal' | 'regenerate' | 'swipe';
    context: TurnContext;
    prepared: PreparedNarrative | null;
    preset: PresetContext;
    trace: TurnTrace;
    calls: CallDeps;
    agents: AgentCalls;
    delivery: 'stream' | 'relay';
    writingStarted: number;
    reply: { record: TurnRecord; text: string; narrative: string } | null;
    /** The user stopped the placeholder call: the relay will not run. */
    abandoned: boolean;
}

/** The steps of an open turn. */
export interface OpenTurnSteps {
    /** All that comes before the narrative. Rejects with TurnStopped when aborted. */
    narrate(turn: OpenTurn, signal: AbortSignal): Promise<PreparedNarrative>;
    /** What the record of a fresh reply holds of its preparation. */
    recordOf(turn: OpenTurn, swipe: number, text: string, prepared: PreparedNarrative): TurnRecord;
    /** All that comes after the narrative. */
    complete(turn: OpenTurn, reply: NonNullable<OpenTurn['reply']>, prepared: PreparedNarrative, signal: AbortSignal): Promise<Completion>;
    /** Relay delivery (seed): the placeholder stands in the chat at `index`, the whole pipeline runs now. */
    relay(turn: OpenTurn, index: number, signal: AbortSignal): Promise<void>;
    /** Takes a relay's placeholder out of the chat; the user's line stays. */
    takeBack(turnId: string, chatKey: string): Promise<void>;
}

export function createOpenTurnSteps(core: Core, finish: ReplyWork['finish']): OpenTurnSteps {
    const { deps, commit } = core;

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

    const recordOf = (turn: OpenTurn, swipe: number, text: string, prepared: PreparedNarrative): TurnRecord => ({
        ...newRecord({ id: turn.id, swipe, mode: prepared.mode, delivery: turn.delivery, seed: turn.context.seed, text }),
        snapshot: core.compactSnapshot(turn.context.snapshot),
        tools: prepared.planning.map((outcome) => outcome.run),
        calls: prepared.costs,
        notices: [...prepared.notices, ...turn.context.notices],
    });

    const complete = (turn: OpenTurn, reply: NonNullable<OpenTurn['reply']>, prepared: PreparedNarrative, signal: AbortSignal): Promise<Completion> => finish({
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

    const takeBack = async (turnId: string, chatKey: string): Promise<void> => {
        const target = commit.locate(turnId, chatKey);
        if (target) await deps.chat.discard(target);
    };

    const relay = async (turn: OpenTurn, index: number, signal: AbortSignal): Promise<void> => {
        const swipe = deps.chat.read().messages[index]?.swipe ?? 0;
        // In a chat that was left the placeholder is taken back when it is opened again.
        const giveUp = (): Promise<void> => (signal.reason === 'chat-changed' ? Promise.resolve() : takeBack(turn.id, turn.chatKey));
        try {
            const prepared = await narrate(turn, signal);
            prepared.notices.forEach(deps.notify);
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

    return { narrate, recordOf, complete, relay, takeBack };
}
