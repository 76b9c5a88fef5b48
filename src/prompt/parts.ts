import { guideText } from '../agents/planning/guide-text';
import { SPEAKER_LINE } from '../agents/writing/prompt';
import type { AgentName } from '../ports';
import type { PromptInput, RoutedEntries } from './prompt-input';
import { isNamed, recentTurns, recentTurnsText } from './recent-turns';
import { plain, tagged, type MaybeSection } from './section';
import { mergeOrdered } from './merge-ordered';

/** The sections that several agents' prompts are made of, by name (seed: 拼接 Prompt 的默认顺序). */

export function summarySection(input: PromptInput): MaybeSection {
    return tagged('user', 'story_summary', input.summaries);
}

export function personaSection(input: PromptInput): MaybeSection {
    return tagged('user', 'user_persona', input.persona);
}

/** The card's own text (`characterCard` setting; the seed reads none). */
export function cardSection(text: string): MaybeSection {
    return tagged('user', 'character_card', text);
}

export function recentSection(input: PromptInput, window: { n: number; m: number }): MaybeSection {
    return tagged('user', 'recent_turns', recentTurnsText(recentTurns(input.turns, window), input.language, isNamed(input.turns, input.speaker)));
}

export function stateSection(input: PromptInput): MaybeSection {
    return tagged('user', 'state_summary', input.stateSummary);
}

export function userInputSection(input: PromptInput): MaybeSection {
    return tagged('user', 'user_input', input.userInput);
}

export function recallSection(input: PromptInput): MaybeSection {
    const texts = input.recalled.map(({ turn, text }) => `${input.language === 'zh' ? `[第${turn}轮]` : `[Turn ${turn}]`}\n${text}`);
    return tagged('user', 'text_recall', texts.join('\n\n'));
}

export function guideSection(input: PromptInput): MaybeSection {
    return input.guide ? tagged('user', 'writing_guide', guideText(input.guide, input.language)) : null;
}

export function toolResultsSection(input: PromptInput): MaybeSection {
    return tagged('user', 'tool_results', input.toolResults);
}

/** Group chats: whose reply this is. */
export function speakerSection(input: PromptInput): MaybeSection {
    return input.speaker === undefined ? null : plain('user', 'speaker', SPEAKER_LINE[input.language].replaceAll('{speaker}', () => input.speaker ?? ''));
}

/** What the user appends to an agent's prompt. */
export function extraSection(input: PromptInput, agent: AgentName, role: 'system' | 'user' = 'system'): MaybeSection {
    return plain(role, 'extra', input.extraInstructions[agent] ?? '');
}

/** What an agent that plans and writes at once sees: both selections (seed: the union of the two). */
export function mergedEntries(input: PromptInput): RoutedEntries {
    const { planner, writer } = input;
    return {
        worldinfo1: mergeOrdered(planner.worldinfo1, writer.worldinfo1),
        worldinfo2: mergeOrdered(planner.worldinfo2, writer.worldinfo2),
        worldinfo3: mergeOrdered(planner.worldinfo3, writer.worldinfo3),
    };
}

/** The card text of an agent that plans and writes at once. */
export function mergedCard(input: PromptInput): string {
    return input.characterCard.writing !== '' ? input.characterCard.writing : input.characterCard.planning;
}
