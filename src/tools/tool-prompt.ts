import type { BuiltPrompt, PromptLanguage, PromptSection } from '../prompt/prompt-input';
import { canonicalContextOrder, type ContextKey, type ToolDefinition } from './definition';

const instructions: Record<PromptLanguage, string> = { zh: '请按要求输出。', en: 'Please produce the output as instructed.' };

/**
 * The prompt of an llm tool: its system_prompt; then, in one user message, the context it declared in the canonical
 * order, each in its tag, its own earlier outputs as `<tool_history>`, and the parameters the planning agent passed as
 * `<tool_params>`. What is empty leaves no tag.
 */
export function llmToolPrompt(
    tool: Pick<ToolDefinition, 'systemPrompt' | 'context'>,
    contextValues: Partial<Record<ContextKey, string>>,
    history: readonly string[],
    language: PromptLanguage,
    params: Record<string, unknown> = {},
): BuiltPrompt {
    const sections: PromptSection[] = [];
    const add = (name: string, body: string) => {
        if (body.trim() !== '') sections.push({ role: 'user', name, text: `<${name}>\n${body.trim()}\n</${name}>` });
    };
    if (tool.systemPrompt.trim() !== '') sections.push({ role: 'system', name: 'system_prompt', text: tool.systemPrompt });
    for (const key of canonicalContextOrder) if (tool.context.includes(key)) add(key, contextValues[key] ?? '');
    add('tool_history', history.join('\n\n'));
    if (Object.keys(params).length > 0) add('tool_params', JSON.stringify(params, null, 2));
    if (!sections.some((section) => section.role === 'user')) sections.push({ role: 'user', name: 'instruction', text: instructions[language] });
    const joined = (role: PromptSection['role']) => sections.filter((section) => section.role === role).map((section) => section.text).join('\n\n');
    const system = joined('system');
    return {
        messages: [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), { role: 'user', content: joined('user') }],
        sections,
    };
}
