import { describe, expect, it } from 'vitest';
import { extractMessages, extractSystemPrompt, extractTool } from '../../src/mvu/extract-tool';
import { flattenVariables } from '../../src/mvu/flatten';
import { resolveVariableMacros } from '../../src/mvu/macros';
import { mvuTexts } from '../../src/ui/i18n/mvu';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const tree = { 主角: { 生命值: 100, 改装仓库: ['基础扫描器', '维修工具包'], 好感: [10, '[-30,100]之间'], $暗: 1 }, 技能: [{ 名称: '认路', 等级: 2 }, { 名称: '生火', 等级: 1 }], 包: {}, 天气: '', 夜: true };

describe('flattenVariables', () => {
    it('writes one line a leaf, hides $ keys and descriptions', () => {
        expect(flattenVariables(tree)).toBe(['主角/生命值：100', '主角/改装仓库：基础扫描器、维修工具包', '主角/好感：10', '技能：名称 认路，等级 2；名称 生火，等级 1', '包：无', '天气：无', '夜：是'].join('\n'));
    });

    it('speaks the prompt\'s language', () => {
        expect(flattenVariables({ hp: 1, bag: ['a', 'b'], empty: {} }, {}, 'en')).toBe('hp: 1\nbag: a, b\nempty: none');
    });

    it('caps long lists, long texts, deep and large trees', () => {
        expect(flattenVariables({ 列: Array.from({ length: 50 }, (_, index) => index) }, { items: 3 })).toBe('列：0、1、2、…（共 50 项）');
        expect(flattenVariables({ 文: '字'.repeat(500) }, { text: 10 })).toBe(`文：${'字'.repeat(10)}…`);
        expect(flattenVariables({ a: { b: { c: { d: 1 } } } }, { depth: 2 })).toBe('a/b：{"c":{"d":1}}');
        expect(flattenVariables(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, index])), { lines: 2 })).toBe('k0：0\nk1：1\n…（共 9 项变量）');
        expect(flattenVariables({})).toBe('');
    });
});

describe('resolveVariableMacros', () => {
    const lookup = (scope: string) => (scope === 'message' ? { stat_data: tree } : scope === 'chat' ? { 钱: 5 } : undefined);
    it('gives JSON for get_, the text itself for texts, null for nothing', () => {
        expect(resolveVariableMacros('生命 {{get_message_variable::stat_data.主角.生命值}}，{{get_message_variable::stat_data.技能[0].名称}}，{{get_chat_variable::钱}}，{{get_global_variable::无}}', lookup)).toBe('生命 100，认路，5，null');
        expect(resolveVariableMacros('{{get_message_variable::stat_data.主角}}', lookup)).toBe('{"生命值":100,"改装仓库":["基础扫描器","维修工具包"],"好感":[10,"[-30,100]之间"]}');
    });
    it('gives YAML indented to its column for format_', () => {
        expect(resolveVariableMacros('  {{format_message_variable::stat_data.技能}} 。', lookup)).toBe('  - 名称: 认路\n    等级: 2\n  - 名称: 生火\n    等级: 1 。');
        expect(resolveVariableMacros('甲\n乙: {{format_message_variable::stat_data.主角.生命值}} {{format_chat_variable::钱}}', lookup)).toBe('甲\n乙: 100 5');
    });
    it('leaves other macros alone', () => {
        expect(resolveVariableMacros('{{user}} {{getvar::a}}', lookup)).toBe('{{user}} {{getvar::a}}');
    });
});

describe('mvu_extract', () => {
    it('has the seed\'s prompt, prefix first, rules inside', () => {
        const prompt = extractSystemPrompt('前缀', ['当角色受到伤害时，减少 /主角/生命值', '价 $& 格']);
        expect(prompt.startsWith('前缀\n\n【任务：变量状态提取】\n从叙事文本中提取世界状态变更，输出 JSON Patch 格式。')).toBe(true);
        expect(prompt).toContain('以下为变量更新规则：\n当角色受到伤害时，减少 /主角/生命值\n\n价 $& 格\n\n输出格式（JSON Patch）：');
        expect(extractTool('前缀', []).trigger).toBe('post_pipeline');
    });
    it('shows the variables without hidden keys, the narrative and the user\'s words', () => {
        const [system, user] = extractMessages({ prefix: '前缀', rules: [], tree: { ...tree, _锁: 1 }, narrative: '他到了。', userInput: '走' });
        expect(system?.role).toBe('system');
        expect(user?.content).toContain('"生命值": 100');
        expect(user?.content).not.toContain('$暗');
        expect(user?.content).toContain('<user_input>\n走\n</user_input>');
        expect(user?.content).toContain('<narrative_text>\n他到了。\n</narrative_text>');
        expect(user?.content).toContain('以 _ 开头的键只读');
    });
});

describe('the sentences of this room', () => {
    it('cover every code it emits, with the parameters it gives', () => {
        const sources = ['src/mvu', 'src/host/mvu'].flatMap((folder) => readdirSync(resolve(import.meta.dirname, '../..', folder)).map((file) => readFileSync(join(import.meta.dirname, '../..', folder, file), 'utf8')));
        const codes = new Set(sources.flatMap((source) => [...source.matchAll(/'(mvu\.[a-z-]+)'/g)].map((match) => match[1] ?? '')));
        expect(codes.size).toBeGreaterThan(25);
        expect([...codes].filter((code) => !mvuTexts[code])).toEqual([]);
        expect(Object.keys(mvuTexts).filter((code) => !codes.has(code) && !['mvu.extra-model-left-to-mvu', 'mvu.extra-model-both', 'mvu.operation-unreadable'].includes(code))).toEqual([]);
    });
});
