import { PLANNING_RECALL_RULES, PLANNING_SYSTEM_SUFFIX, PLANNING_TOOL_RULES } from '../agents/planning/prompt';
import { TOOL_BINDING, WRITING_SYSTEM_SUFFIX } from '../agents/writing/prompt';
import type { PromptInput } from './prompt-input';
import { plain, type MaybeSection } from './section';

/** The planning engine's own blocks: instructions, tools (only when there are any), recall (only when enabled). */
export function planningEngine(input: PromptInput, role: 'system' | 'user'): MaybeSection[] {
    const { language, toolListText } = input;
    return [
        plain(role, 'engine', PLANNING_SYSTEM_SUFFIX[language]),
        toolListText.trim() === '' ? null : plain(role, 'tool_list', `${toolListText.trim()}\n\n${PLANNING_TOOL_RULES[language]}`),
        input.textRecallEnabled ? plain(role, 'recall_rules', PLANNING_RECALL_RULES[language]) : null,
    ];
}

/** The writing engine's own blocks; tool results bind it only when there are any. */
export function writingEngine(input: PromptInput, role: 'system' | 'user'): MaybeSection[] {
    const bound = input.toolResults.some((result) => result.trim() !== '');
    return [plain(role, 'engine', WRITING_SYSTEM_SUFFIX[input.language]), bound ? plain(role, 'tool_binding', TOOL_BINDING[input.language]) : null];
}
