import { describe, expect, it } from 'vitest';
import { canonicalContextOrder, type ToolDefinition } from '../../src/tools/definition';
import { dependsOnAnalysis } from '../../src/tools/schedule';
import { toolHistory } from '../../src/tools/tool-history';
import { planningToolListText } from '../../src/tools/tool-list-text';
import { llmToolPrompt } from '../../src/tools/tool-prompt';

const tool: ToolDefinition = { name: 't', type: 'llm', trigger: 'post_pipeline', description: '面板', parameters: { type: 'object', properties: {} }, context: [], systemPrompt: '你是面板。', source: 'b#1', title: 't' };

describe('llmToolPrompt', () => {
    it('keys in canonical order, each in its tag, whatever order they were declared in', () => {
        const values = Object.fromEntries(canonicalContextOrder.map((key) => [key, `<值 ${key}>`]));
        const { messages } = llmToolPrompt({ ...tool, context: [...canonicalContextOrder].reverse() }, values, [], 'zh');
        expect(messages).toEqual([
            { role: 'system', content: '你是面板。' },
            { role: 'user', content: canonicalContextOrder.map((key) => `<${key}>\n<值 ${key}>\n</${key}>`).join('\n\n') },
        ]);
    });

    it('only what was declared; empty values leave no tag', () => {
        const { messages } = llmToolPrompt({ ...tool, context: ['user_input', 'story_summary', 'dice_results'] }, { user_input: '开门', story_summary: ' ', narrative_text: '秘密' }, [], 'zh');
        expect(messages[1]?.content).toBe('<user_input>\n开门\n</user_input>');
    });

    it('history and params, and never an empty user message', () => {
        const { messages, sections } = llmToolPrompt({ ...tool, context: ['user_input'] }, { user_input: '走' }, ['面板一', '面板二'], 'zh', { 目标: '狼' });
        expect(messages[1]?.content).toBe('<user_input>\n走\n</user_input>\n\n<tool_history>\n面板一\n\n面板二\n</tool_history>\n\n<tool_params>\n{\n  "目标": "狼"\n}\n</tool_params>');
        expect(sections.map((section) => section.name)).toEqual(['system_prompt', 'user_input', 'tool_history', 'tool_params']);
        expect(llmToolPrompt({ systemPrompt: '', context: [] }, {}, [], 'en').messages).toEqual([{ role: 'user', content: 'Please produce the output as instructed.' }]);
    });
});

describe('toolHistory', () => {
    const texts = ['<context>一</context>\n\n<state_panel>\n血：1\n</state_panel>', '<context>没有面板</context>', '<state_panel lang="zh">血：2</State_Panel >', '<state_panel>断了', '<context>x</context><state_panel>旧</state_panel><state_panel>\r\n血：3\r\n好\r\n</state_panel>'];

    it('oldest first, trimmed, turns without one passed over', () => {
        expect(toolHistory(texts, 'state_panel', 3)).toEqual(['血：1', '血：2', '血：3\n好']);
        expect(toolHistory(texts, 'state_panel', 2)).toEqual(['血：2', '血：3\n好']);
        expect(toolHistory(texts, 'state_panel', 0)).toEqual([]);
        expect(toolHistory([], 'state_panel', 3)).toEqual([]);
    });

    it('does not take another tag, nor an unclosed one, nor an empty one', () => {
        expect(toolHistory(['<state_panel2>a</state_panel2>', '<state_panel>', '<state_panel> </state_panel>'], 'state_panel', 3)).toEqual([]);
        expect(toolHistory(['<面板.x>a</面板.x>', '<面板ax>b</面板ax>'], '面板.x', 3)).toEqual(['a']);
    });

    it('stays quick on hostile text', () => {
        const started = performance.now();
        toolHistory(['<a>'.repeat(20_000)], 'a', 1);
        toolHistory([`<a ${'x '.repeat(50_000)}`], 'a', 1);
        expect(performance.now() - started).toBeLessThan(300);
    });
});

describe('planningToolListText', () => {
    it('lists planning tools with their schema, nothing when there are none', () => {
        const planning: ToolDefinition = { ...tool, name: 'calc', trigger: 'planning', description: '算\n伤害', parameters: { type: 'object', properties: { a: { type: 'number' } } } };
        const text = planningToolListText([tool, planning], 'zh');
        expect(text).toContain('- calc：算 伤害\n  参数 schema：{"type":"object","properties":{"a":{"type":"number"}}}');
        expect(text).not.toContain('面板');
        expect(text).not.toContain('你是面板');
        expect(planningToolListText([planning], 'en')).toContain('- calc: 算 伤害');
        expect(planningToolListText([tool], 'zh')).toBe('');
    });
});

it('dependsOnAnalysis as the seed says', () => {
    expect(canonicalContextOrder.filter((key) => dependsOnAnalysis({ context: [key] }))).toEqual(['story_summary', 'state_summary', 'known_context']);
});
