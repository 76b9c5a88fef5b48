import { promptText, textOf, type ChatRequest } from './request';

/** Who a request comes from, told by its prompt alone, as any model would have to. */
export type AgentKind = 'planning' | 'writing' | 'mergedWriting' | 'mergedAnalysis' | 'mvuExtract' | 'tool' | 'relay' | 'condense' | 'chat';

/** Recognises the agent behind a request (seed: 各 Agent 的 Prompt 构成). What is nobody's is plain chat. */
export function recogniseAgent(request: ChatRequest): AgentKind {
    const system = promptText(request, 'system');
    const whole = promptText(request);
    const last = request.messages.at(-1);
    const end = last ? textOf(last).slice(-600) : '';
    if (/变量状态提取|variable state extraction|extract (the )?variable/i.test(system) || (/"patches"/.test(system) && /JSON Patch/i.test(system))) return 'mvuExtract';
    if (/summary_entries/.test(whole)) return 'mergedAnalysis';
    // Only tools that run after the writing see these.
    if (/<(narrative_text|known_context|tool_history|dice_results|world_full)>/.test(whole)) return 'tool';
    // A re-ask adds messages after the one that ends in the instruction.
    if (request.messages.some((message) => /请生成写作指导|write the writing guide/i.test(textOf(message).slice(-600)))) return 'planning';
    if (/【思维模式要求】|\[Thinking mode\]/.test(whole)) return 'mergedWriting';
    if (/<writing_guide>/.test(whole)) return 'writing';
    if (/只回复一个字符|reply with this single character/i.test(end)) return 'relay';
    if (/章节概要|chapter outline/i.test(system)) return 'condense';
    return /<user_input>|<state_summary>/.test(whole) ? 'tool' : 'chat';
}
