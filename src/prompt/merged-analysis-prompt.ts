import { ANALYSIS_INSTRUCTION, ANTI_HALLUCINATION, GREETING_ANALYSIS_INSTRUCTION, MERGED_ANALYSIS_SYSTEM } from '../agents/merged-analysis/prompt';
import { extraSection, stateSection, summarySection, userInputSection } from './parts';
import type { BuiltPrompt, PromptInput } from './prompt-input';
import { builtPrompt, plain, tagged } from './section';

/**
 * The merged analysis' prompt (seed: 合并分析 Agent, order table 3), in both layouts: summaries on top (they only grow), then
 * the state before this turn, this turn, the instruction. It sees no worldbook, no persona and no other turn.
 */
export function buildMergedAnalysisPrompt(input: PromptInput): BuiltPrompt {
    const { language } = input;
    const instruction = input.turnNumber === 0 ? GREETING_ANALYSIS_INSTRUCTION[language] : ANALYSIS_INSTRUCTION[language].replaceAll('{turn}', String(input.turnNumber));
    return builtPrompt([
        plain('system', 'engine', MERGED_ANALYSIS_SYSTEM[language]),
        input.antiHallucination ? plain('system', 'anti_hallucination', ANTI_HALLUCINATION[language]) : null,
        extraSection(input, 'mergedAnalysis'),
        summarySection(input),
        stateSection(input),
        userInputSection(input),
        tagged('user', 'narrative_text', input.narrative),
        plain('user', 'instruction', instruction),
    ]);
}
