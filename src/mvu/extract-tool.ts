import type { ModelRequest, PromptMessage } from '../ports';
import type { PromptLanguage } from '../prompt/prompt-input';
import type { ToolDefinition } from '../tools/definition';
import { extractTaskEn, extractTaskZh } from './extract-prompt';
import { withoutHidden } from './flatten';
import { patchesJsonSchema } from './patch';
import { isContainer, isObject, type VariableTree } from './tree';

/** Name of the automatic tool (seed). */
export const extractToolName = 'mvu_extract';

/** Structured output of the tool's answer. */
export const extractOutput: NonNullable<ModelRequest['structuredOutput']> = { name: 'variable_patches', schema: patchesJsonSchema, strict: false };

/** The whole system prompt: `prefix` is SHARED_ANALYSIS_PREFIX, `rules` the contents of the active [mvu_update] entries. */
export function extractSystemPrompt(prefix: string, rules: readonly string[], language: PromptLanguage = 'zh'): string {
    const none = language === 'zh' ? '（没有额外规则）' : '(no further rules)';
    const joined = rules.map((rule) => rule.trim()).filter((rule) => rule !== '').join('\n\n') || none;
    const task = (language === 'zh' ? extractTaskZh : extractTaskEn).replace('{mvuRules}', () => joined);
    return [prefix.trim(), task].filter((part) => part !== '').join('\n\n');
}

/**
 * The tool the seed registers as soon as there is an [initvar] or [mvu_update] entry: post_pipeline, llm. It asks for no
 * context keys, because its messages carry the variables themselves, and leaves no text in the message but the update block.
 */
export function extractTool(prefix: string, rules: readonly string[], language: PromptLanguage = 'zh'): ToolDefinition {
    return {
        name: extractToolName,
        type: 'llm',
        trigger: 'post_pipeline',
        description: language === 'zh' ? '从本轮叙事中提取 MVU 变量变更' : 'Extracts the changes of the MVU variables from this turn',
        parameters: { type: 'object', properties: {} },
        context: [],
        systemPrompt: extractSystemPrompt(prefix, rules, language),
        source: 'builtin',
        title: extractToolName,
    };
}

function hasReadOnly(value: unknown): boolean {
    if (!isContainer(value)) return false;
    return Object.entries(value).some(([key, child]) => (isObject(value) && key.startsWith('_')) || hasReadOnly(child));
}

export interface ExtractInput {
    prefix: string;
    rules: readonly string[];
    /** Variables before this turn. */
    tree: VariableTree;
    narrative: string;
    userInput: string;
    language?: PromptLanguage;
    /** What the user appends to every analysis prompt. */
    extraInstructions?: string;
}

/** The messages of the tool's call: rules that stay the same first, then the variables, then what happened. */
export function extractMessages(input: ExtractInput): PromptMessage[] {
    const zh = (input.language ?? 'zh') === 'zh';
    const readOnly = hasReadOnly(input.tree) ? (zh ? '\n（以 _ 开头的键只读，不要修改。）' : '\n(Keys that start with _ are read-only.)') : '';
    const parts = [
        `${zh ? '当前变量状态：' : 'Current variables:'}\n<current_variables>\n${JSON.stringify(withoutHidden(input.tree), null, 1)}\n</current_variables>${readOnly}`,
        `<user_input>\n${input.userInput.trim()}\n</user_input>`,
        `<narrative_text>\n${input.narrative.trim()}\n</narrative_text>`,
        input.extraInstructions?.trim() ?? '',
        zh ? '请按变量更新规则输出本轮的 JSON Patch。' : 'Answer with this turn\'s JSON Patch, following the rules for updating variables.',
    ];
    return [
        { role: 'system', content: extractSystemPrompt(input.prefix, input.rules, input.language) },
        { role: 'user', content: parts.filter((part) => part !== '').join('\n\n') },
    ];
}
