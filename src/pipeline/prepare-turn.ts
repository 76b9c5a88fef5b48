import type { PromptMessage } from '../ports';
import { buildMergedWritingPrompt } from '../prompt/merged-writing-prompt';
import { buildPlanningPrompt } from '../prompt/planning-prompt';
import type { BuiltPrompt, PresetContext, WritingGuide } from '../prompt/prompt-input';
import { recallTurns } from '../prompt/recall';
import { recentTurns, writerWindow } from '../prompt/recent-turns';
import { buildWritingPrompt } from '../prompt/writing-prompt';
import { notice, type Notice } from '../notice';
import type { ToolOutcome } from '../tools/run-tool';
import { runPlanningTools, type ToolsDeps } from '../tools/run-tools';
import { planningToolListText } from '../tools/tool-list-text';
import type { AgentCalls } from './agent-calls';
import type { CallCost } from './call-model';
import { chooseMode, type Mode } from './modes';
import { promptInput, type TurnContext } from './turn-context';

/** Characters of recalled original text in one prompt. */
const recallCap = 12_000;

/** A turn ready to be written. */
export interface PreparedNarrative {
    mode: Mode;
    agent: 'writing' | 'mergedWriting';
    prompt: BuiltPrompt;
    guide: WritingGuide | null;
    planning: ToolOutcome[];
    costs: CallCost[];
    notices: Notice[];
}

export interface PrepareSteps {
    agents: AgentCalls;
    preset: PresetContext;
    report(stage: 'planning' | 'tools', subject?: string): void;
    toolDeps(costs: CallCost[]): ToolsDeps;
    signal: AbortSignal;
}

/** Thrown where the user stopped a turn before its narrative. */
export class TurnStopped extends Error {
    override readonly name = 'TurnStopped';
}

/**
 * Runs the stages before the narrative and builds the writing agent's prompt (seed: 串行模式, 合并输出模式). Planning that
 * cannot be had turns the turn into merged writing, and says so. Rejects with TurnStopped only.
 */
export async function prepareNarrative(context: TurnContext, steps: PrepareSteps): Promise<PreparedNarrative> {
    const costs: CallCost[] = [];
    const notices: Notice[] = [];
    const stopIfAborted = (): void => {
        if (steps.signal.aborted) throw new TurnStopped('stopped');
    };
    const merged = (): PreparedNarrative => ({
        mode: 'merged',
        agent: 'mergedWriting',
        prompt: buildMergedWritingPrompt(promptInput(context, steps.preset)),
        guide: null,
        planning: [],
        costs,
        notices,
    });

    stopIfAborted();
    if (chooseMode(context.config, context.tools) === 'merged') return merged();

    steps.report('planning');
    const planningTools = context.tools.filter((tool) => tool.trigger === 'planning');
    // The shared layout keeps the list in the prefix that planner and writer have in common.
    const toolListText = planningToolListText(planningTools, context.language);
    const plan = await steps.agents.plan(
        buildPlanningPrompt(promptInput(context, steps.preset, { toolListText })),
        planningTools,
        steps.signal,
    );
    costs.push(plan.cost);
    stopIfAborted();
    if (!plan.ok) {
        notices.push(plan.notice, notice('warning', 'pipeline.planning-fell-back'));
        return merged();
    }
    notices.push(...plan.notices);
    const guide = plan.value;

    let planning: ToolOutcome[] = [];
    if (guide.tool_calls.length > 0) {
        steps.report('tools', guide.tool_calls.map((call) => call.tool).join(', '));
        planning = await runPlanningTools(guide.tool_calls, context.tools, steps.toolDeps(costs));
        stopIfAborted();
    }
    return {
        mode: 'planning',
        agent: 'writing',
        prompt: buildWritingPrompt(promptInput(context, steps.preset, {
            guide,
            toolListText,
            toolResults: planning.map((outcome) => outcome.text),
            recalled: context.config.pipeline.enableTextRecall ? recalledTexts(context, guide.text_recall) : [],
        })),
        guide,
        planning,
        costs,
        notices,
    };
}

function recalledTexts(context: TurnContext, numbers: number[]): { turn: number; text: string }[] {
    const { windows, layout } = promptInput(context, { planningContext: '', writingSystemContext: '', writingUserContext: '' });
    const shown = recentTurns(context.before.turns, writerWindow(windows, layout, 'planning')).map((turn) => turn.number);
    return recallTurns(context.before.turns, numbers, { shown, cap: recallCap });
}

/** The messages the host sends in its own writing call. */
export function messagesOf(prepared: PreparedNarrative): PromptMessage[] {
    return prepared.prompt.messages.map((message) => ({ ...message }));
}
