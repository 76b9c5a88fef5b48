import type { DemoCard, DemoEntry } from './card';
import { northTower } from './world';

const tool = (name: string, order: number, definition: Record<string, unknown>): DemoEntry => ({
    comment: `[TOOL:${name}]`,
    position: 4,
    constant: true,
    order,
    content: JSON.stringify({ function: { name, description: `${name} 的用途`, parameters: definition.parameters ?? { type: 'object', properties: {} } }, ...definition, parameters: undefined }),
});

/** A code tool that computes from params and state. */
export const reckon = tool('reckon_damage', 901, {
    type: 'code',
    trigger: 'planning',
    parameters: { type: 'object', properties: { base: { type: 'number' }, armor: { type: 'number' } }, required: ['base'] },
    code: 'return "伤害=" + Math.max(1, params.base - (params.armor || 0)) + " 地点=" + state.location;',
});

/** An llm tool that answers before the writing. */
export const oracle = tool('oracle', 902, { type: 'llm', trigger: 'planning', context: ['user_input', 'recent_turns'], system_prompt: '你是【谶语】工具，给出一句谶语。' });

/** An llm tool that needs the analysis and reads its own earlier outputs. */
export const panel = tool('state_panel', 911, {
    type: 'llm', trigger: 'post_pipeline', context: ['narrative_text', 'state_summary'], system_prompt: '你是【状态面板】工具。', output_tag: 'state_panel', tag_lookback: 3,
});

/** Two llm tools that need nothing of the analysis. */
export const rumour = tool('rumour', 912, { type: 'llm', trigger: 'post_pipeline', context: ['narrative_text'], system_prompt: '你是【流言】工具。' });
export const weather = tool('weather', 910, { type: 'llm', trigger: 'post_pipeline', context: ['narrative_text', 'user_input'], system_prompt: '你是【天气】工具。' });

/** The demo's world with tools of every kind: dice and code, an llm tool for the writer, three that speak after the reply. */
export const towerOfTools: DemoCard = {
    ...northTower,
    file: 'tower-of-tools',
    name: '北塔·工具',
    bookName: '灰港城·工具',
    entries: [...northTower.entries.filter((entry) => entry.comment !== '[TOOL:state_panel]'), reckon, oracle, weather, panel, rumour],
};

/** No planning tools, but tools after the reply: merged turns. */
export const towerOfPanels: DemoCard = {
    ...northTower,
    file: 'tower-of-panels',
    name: '北塔·面板',
    bookName: '灰港城·面板',
    entries: [...northTower.entries.filter((entry) => !entry.comment.startsWith('[TOOL:')), weather, panel, rumour],
};
