import { promptText, textOf, type ChatRequest } from './request';

/** Who a request comes from, told by its prompt alone, as any model would have to. */
export type AgentKind = 'planning' | 'writing' | 'mergedWriting' | 'mergedAnalysis' | 'mvuExtract' | 'tool' | 'chat';

/** Recognises the agent behind a request (seed: 各 Agent 的 Prompt 构成). What is nobody's is plain chat. */
export function recogniseAgent(request: ChatRequest): AgentKind {
    const system = promptText(request, 'system');
    const last = request.messages.at(-1);
    const user = last ? textOf(last) : '';
    const whole = promptText(request);
    if (/变量状态提取|variable state extraction/i.test(system) || (/"patches"/.test(system) && /JSON Patch/i.test(system))) return 'mvuExtract';
    if (/summary_entries/.test(system)) return 'mergedAnalysis';
    if (/narrative_direction/.test(whole) || /请生成写作指导|(write|produce|generate|give) (the |a )?writing guide/i.test(user.slice(-400))) return 'planning';
    if (/<writing_guide>/.test(whole)) return 'writing';
    if (/【思维模式要求】|thinking mode|how to think/i.test(user.slice(-3000)) || (/<user_input>/.test(whole) && /<(story_summary|state_summary|recent_turns)>/.test(whole))) return 'mergedWriting';
    if (/<(narrative_text|known_context|tool_history|dice_results|world_full)>/.test(whole) || /<user_input>/.test(whole)) return 'tool';
    return 'chat';
}
