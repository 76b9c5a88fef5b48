import { guideText } from '../agents/planning/guide-text';
import type { ModelPort, SandboxPort } from '../ports';
import type { WritingGuide } from '../prompt/prompt-input';
import { isNamed, recentTurns, recentTurnsText } from '../prompt/recent-turns';
import { knownContextText } from '../state/known-context';
import type { GameState } from '../state/state';
import { diceResultsText, type ToolsDeps } from '../tools/run-tools';
import { toolState } from '../tools/tool-state';
import { knownNames } from '../worldbook/known-names';
import { callModel, type CallCost, type CallDeps } from './call-model';
import type { ChatState } from './chat-state';
import type { TurnContext } from './turn-context';
import type { ToolRun } from '../turn-record';

/** What a turn knows by the time its tools run. */
export interface ToolMoment {
    /** The chat before the turn (planning tools) or with it (tools that wait for the analysis). */
    chat: ChatState;
    stateSummary: string;
    state: GameState;
    variables: unknown;
    narrative: string;
    guide: WritingGuide | null;
    planningRuns: readonly ToolRun[];
}

/** The tools' view of the turn: context values, state, and the one model-call path. `costs` collects what their calls cost. */
export function toolDeps(input: {
    context: TurnContext;
    moment: ToolMoment;
    calls: CallDeps;
    model: Pick<ModelPort, 'connectionOf'>;
    sandbox: SandboxPort;
    page?: SandboxPort;
    costs: CallCost[];
    signal: AbortSignal;
}): ToolsDeps {
    const { context, moment, calls, costs } = input;
    const { config, language, before } = context;
    const { pipeline, agents } = config;
    const recent = recentTurns(before.turns, { n: pipeline.recentTurnsForWriting, m: pipeline.writingGrowthMargin });
    const world = [...context.writer.worldinfo1, ...context.writer.worldinfo2, ...context.writer.worldinfo3];
    return {
        sandbox: input.sandbox,
        page: input.page,
        tools: config.tools,
        clock: calls.clock,
        seed: context.seed,
        state: toolState(moment.state, moment.variables),
        contextValues: {
            world_full: world.join('\n\n'),
            story_summary: moment.chat.fold.summaries.map((entry) => entry.text).join('\n'),
            recent_turns: recentTurnsText(recent, language, isNamed(recent, undefined)),
            narrative_text: moment.narrative,
            writing_guide: moment.guide ? guideText(moment.guide, language) : '',
            state_summary: moment.stateSummary,
            user_persona: context.persona,
            user_input: before.userInput,
            dice_results: diceResultsText(moment.planningRuns),
            known_context: knownContextText(config.state.autoSyncWorldInfo ? knownNames(context.library.entries) : null, moment.state, language),
        },
        replies: before.view.messages.filter((message) => !message.isUser && !message.isHidden).map((message) => message.text),
        language,
        signal: input.signal,
        connectionOf: input.model.connectionOf,
        concurrency: pipeline.toolConcurrency,
        async callModel(request, signal, prompt) {
            // Tools have no settings of their own for these; the analysis' are the nearest.
            const { timeout, retries } = agents.mergedAnalysis;
            const result = await callModel(calls, {
                request,
                sections: prompt.sections,
                timeout,
                retries,
                read: (reply) => ({ ok: true, value: reply.text, truncated: false }),
            }, signal);
            costs.push(result.cost);
            if (result.ok) return { ok: true, text: result.value };
            return { ok: false, message: String(result.notice.params.detail ?? result.kind), aborted: result.kind === 'aborted' };
        },
    };
}
