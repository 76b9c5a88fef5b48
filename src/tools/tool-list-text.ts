import type { PromptLanguage } from '../prompt/prompt-input';
import type { ToolDefinition } from './definition';

const heads: Record<PromptLanguage, string> = {
    zh: '【可用工具】\n需要时在 tool_calls 中调用，格式 {"tool": "工具名", "params": {…}}；只能使用下列工具名，params 须符合其参数 schema。不需要时 tool_calls 为 []。',
    en: '[Available tools]\nCall one in tool_calls when needed, as {"tool": "name", "params": {…}}; only the names below exist, and params must fit the schema. Otherwise tool_calls is [].',
};

/** The planning agent's list of the planning tools (seed: toolListText); '' when there are none. */
export function planningToolListText(tools: readonly ToolDefinition[], language: PromptLanguage): string {
    const planning = tools.filter((tool) => tool.trigger === 'planning');
    if (planning.length === 0) return '';
    const label = language === 'zh' ? '参数 schema：' : 'parameter schema: ';
    const colon = language === 'zh' ? '：' : ': ';
    const items = planning.map((tool) => {
        const description = tool.description.replace(/\s*\n\s*/g, ' ');
        return `- ${tool.name}${description === '' ? '' : colon + description}\n  ${label}${JSON.stringify(tool.parameters)}`;
    });
    return [heads[language], ...items].join('\n');
}
