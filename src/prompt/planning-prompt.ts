import { PLANNING_INSTRUCTION } from '../agents/planning/prompt';
import { planningEngine } from './engine';
import { cardSection, extraSection, personaSection, recentSection, speakerSection, stateSection, summarySection, userInputSection } from './parts';
import type { BuiltPrompt, PromptInput } from './prompt-input';
import { builtPrompt, plain, tagged } from './section';
import { sharedPlanningPrompt } from './shared-layout';

/** The planning agent's prompt (seed: 规划 Agent, order table 1). */
export function buildPlanningPrompt(input: PromptInput): BuiltPrompt {
    if (input.layout === 'shared') return sharedPlanningPrompt(input);
    return builtPrompt([
        plain('system', 'preset', input.preset.planningContext),
        tagged('system', 'worldinfo1', input.planner.worldinfo1),
        ...planningEngine(input),
        extraSection(input, 'planning'),
        tagged('user', 'worldinfo2', input.planner.worldinfo2),
        cardSection(input.characterCard.planning),
        summarySection(input),
        personaSection(input),
        recentSection(input, input.windows.planning),
        tagged('user', 'worldinfo3', input.planner.worldinfo3),
        stateSection(input),
        userInputSection(input),
        speakerSection(input),
        plain('user', 'instruction', PLANNING_INSTRUCTION[input.language]),
    ]);
}
