import { PLANNING_RECALL_RULES, PLANNING_SYSTEM_SUFFIX, PLANNING_TOOL_RULES } from '../agents/planning/prompt';
import { SHARED_ENGINE, SHARED_PLANNING_TASK, SHARED_TOOLS_HEAD, SHARED_WRITING_TASK } from '../agents/shared-engine';
import { TOOL_BINDING, WRITING_SYSTEM_SUFFIX } from '../agents/writing/prompt';
import type { PromptInput } from './prompt-input';
import { plain, type MaybeSection } from './section';

/** Tools (only when there are any) and recall (only when enabled): what planning is told beside its engine. */
function planningRules(input: PromptInput, head = ''): MaybeSection[] {
    const { language, toolListText } = input;
    return [
        toolListText.trim() === '' ? null : plain('system', 'tool_list', `${head}${toolListText.trim()}\n\n${PLANNING_TOOL_RULES[language]}`),
        input.textRecallEnabled ? plain('system', 'recall_rules', PLANNING_RECALL_RULES[language]) : null,
    ];
}

/** Tool results bind the writer, only when there are any. */
function toolBinding(input: PromptInput, role: 'system' | 'user'): MaybeSection {
    return input.toolResults.some((result) => result.trim() !== '') ? plain(role, 'tool_binding', TOOL_BINDING[input.language]) : null;
}

/** The planning engine's own blocks in the seed's order. */
export function planningEngine(input: PromptInput): MaybeSection[] {
    return [plain('system', 'engine', PLANNING_SYSTEM_SUFFIX[input.language]), ...planningRules(input)];
}

/** The writing engine's own blocks in the seed's order. */
export function writingEngine(input: PromptInput): MaybeSection[] {
    return [plain('system', 'engine', WRITING_SYSTEM_SUFFIX[input.language]), toolBinding(input, 'system')];
}

/** The system blocks that planning and writing have in common in the shared layout. */
export function sharedEngine(input: PromptInput): MaybeSection[] {
    return [plain('system', 'engine', SHARED_ENGINE[input.language]), ...planningRules(input, `${SHARED_TOOLS_HEAD[input.language]}\n`)];
}

/** What planning is told at the end of its prompt in the shared layout. */
export function sharedPlanningTask(input: PromptInput): MaybeSection {
    return plain('user', 'task', SHARED_PLANNING_TASK[input.language]);
}

/** What writing is told at the end of its prompt in the shared layout. */
export function sharedWritingTask(input: PromptInput): MaybeSection[] {
    return [plain('user', 'task', SHARED_WRITING_TASK[input.language]), toolBinding(input, 'user')];
}
