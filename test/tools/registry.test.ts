// @vitest-environment node
import { describe, expect, it } from 'vitest';
import cases from '../fixtures/cases.json';
import type { ToolDefinition, ToolEntry } from '../../src/tools/definition';
import { registerCheckedTools, registerTools } from '../../src/tools/registry';
import { planningToolListText } from '../../src/tools/tool-list-text';
import { toolsTexts } from '../../src/ui/i18n/tools';
import { createInProcessSandbox } from '../sandbox/in-process-sandbox';

const sandbox = createInProcessSandbox();
const options = { rollDiceAlways: false };

function entry(content: unknown, comment = '[TOOL:x]', id = 'book#1'): ToolEntry {
    return { id, comment, content: typeof content === 'string' ? content : JSON.stringify(content, null, 2) };
}

const good = { type: 'code', trigger: 'planning', function: { name: 'x', description: '说明', parameters: { type: 'object', properties: { a: { type: 'number' } } } }, code: 'return params.a;' };

function register(...entries: ToolEntry[]) {
    return registerTools(entries, options);
}

function codes(...entries: ToolEntry[]): string[] {
    return register(...entries).faults.map((fault) => fault.code);
}

function only(content: unknown, comment?: string): ToolDefinition {
    const { tools, faults } = register(entry(content, comment));
    expect(faults.filter((fault) => fault.level === 'error')).toEqual([]);
    expect(tools).toHaveLength(1);
    return tools[0] as ToolDefinition;
}

type ToolExpectation = {
    registered?: Record<string, unknown>[]; registered_names?: string[]; registered_count?: number;
    not_registered?: string[]; never_registered?: string[]; message_names_entry?: boolean;
};
type ToolCase = { id: string; kind: string; input: { entries: { comment: string; content: string }[] }; expected: ToolExpectation & { $any?: ToolExpectation[] } };

/** The fixture's names of a definition's fields. */
function asFixture(tool: ToolDefinition): Record<string, unknown> {
    return { name: tool.name, type: tool.type, trigger: tool.trigger, context: tool.context, context_order: tool.context, system_prompt: tool.systemPrompt, output_tag: tool.outputTag, tag_lookback: tool.tagLookback, code: tool.code };
}

function matches(expected: unknown, actual: unknown): boolean {
    if (typeof expected === 'object' && expected !== null && '$any' in expected) return (expected.$any as unknown[]).some((one) => matches(one, actual));
    return JSON.stringify(expected) === JSON.stringify(actual);
}

describe('cases.json', () => {
    it.each((cases as unknown as ToolCase[]).filter((one) => one.kind === 'tool').map((one) => [one.id, one] as const))('%s', async (_id, one) => {
        const entries = one.input.entries.map((raw, index) => ({ ...raw, id: `book#${index}` }));
        const { tools, faults } = await registerCheckedTools(entries, { ...options, sandbox });
        const met = (one.expected.$any ?? [one.expected]).some((expected) => {
            const registered = tools.map(asFixture);
            return (expected.registered ?? []).every((wanted) => registered.some((tool) => Object.entries(wanted).every(([key, value]) => matches(value, tool[key]))))
                && (expected.registered_names === undefined || JSON.stringify(tools.map((tool) => tool.name).sort()) === JSON.stringify([...expected.registered_names].sort()))
                && (expected.registered_count === undefined || tools.length === expected.registered_count)
                && [...expected.not_registered ?? [], ...expected.never_registered ?? []].every((name) => !tools.some((tool) => tool.name === name))
                && (expected.message_names_entry !== true || entries.some((raw) => faults.some((fault) => fault.level === 'error' && fault.params['entry'] === raw.comment)));
        });
        expect(met, JSON.stringify({ tools, faults }, null, 1)).toBe(true);
        // `leaks_to_prompt`: nothing of a refused tool is in what the planner reads.
        const list = planningToolListText(tools, 'zh');
        for (const raw of entries) expect(list).not.toContain(raw.content);
    });
});

describe('what is registered', () => {
    it('the seed\'s example', () => {
        const tool = only({
            type: 'code', trigger: 'planning',
            function: { name: 'calc_damage', description: '计算最终伤害', parameters: { type: 'object', properties: { base_damage: { type: 'number' }, armor: { type: 'number' } }, required: ['base_damage'] } },
            code: 'const dmg = params.base_damage - (params.armor || 0); return Math.max(1, dmg);',
        }, '[TOOL:calc_damage]');
        expect(tool).toMatchObject({ name: 'calc_damage', type: 'code', trigger: 'planning', source: 'book#1', title: '[TOOL:calc_damage]', context: [] });
    });

    it('roll_dice without code is the built-in one', () => {
        const tool = only({ type: 'code', function: { name: 'roll_dice' } }, '[TOOL:roll_dice]');
        expect(tool.code).toBeUndefined();
        expect(tool.parameters['required']).toEqual(['expr']);
        expect(only({ type: 'code', function: { name: 'roll_dice', description: '本书的骰子' } }).description).toBe('本书的骰子');
    });

    it('roll_dice without an entry when the user allows', () => {
        expect(registerTools([], { rollDiceAlways: true }).tools).toMatchObject([{ name: 'roll_dice', source: 'builtin' }]);
        expect(registerTools([entry({ type: 'code', function: { name: 'roll_dice' } })], { rollDiceAlways: true }).tools).toHaveLength(1);
        expect(registerTools([], options).tools).toEqual([]);
    });

    it('defaults: planning, type by what is there, no parameters', () => {
        expect(only({ function: { name: 'x', description: 'd' }, code: 'return 1;' })).toMatchObject({ type: 'code', trigger: 'planning', parameters: { type: 'object', properties: {} } });
        expect(only({ function: { name: 'x', description: 'd' }, system_prompt: '写' })).toMatchObject({ type: 'llm' });
        expect(only({ ...good, trigger: 'Post-Pipeline', type: 'Code' })).toMatchObject({ trigger: 'post_pipeline', type: 'code' });
    });

    it('lines, optional fields, tag in brackets', () => {
        const tool = only({
            type: 'llm', trigger: 'post_pipeline', function: { name: 'panel' }, system_prompt: ['第一行', '第二行'], context: 'user_input, narrative_text', output_tag: '<state_panel>', tag_lookback: '3',
            connection_profile: 'p1', max_tokens: '800', code: null,
        });
        expect(tool).toMatchObject({ systemPrompt: '第一行\n第二行', context: ['narrative_text', 'user_input'], outputTag: 'state_panel', tagLookback: 3, connectionProfile: 'p1', maxTokens: 800 });
    });

    it('bare parameters and foreign type names', () => {
        const tool = only({ ...good, function: { name: 'x', description: 'd', parameters: { hp: { type: 'int' }, name: { type: 'str' } } } });
        expect(tool.parameters).toEqual({ type: 'object', properties: { hp: { type: 'integer' }, name: { type: 'string' } } });
    });

    it('automatic tools keep their names', () => {
        const own = { ...only(good), name: 'mvu_extract', source: 'builtin' };
        const { tools, faults } = registerTools([entry({ ...good, function: { name: 'mvu_extract' } })], { ...options, automatic: [own] });
        expect(tools).toEqual([own]);
        expect(faults.map((fault) => fault.code)).toContain('tools.name-reserved');
    });
});

describe('what is refused, and how its author learns', () => {
    it.each<[string, unknown, string, number]>([
        ['no JSON', '骰子工具', 'tools.json-no-object', 1],
        ['an array', '[1]', 'tools.json-no-object', 1],
        ['an open string', '{\n"type": "code,\n"code": 1}', 'tools.json-unclosed-string', 2],
        ['two tools', `${JSON.stringify(good)}\n${JSON.stringify(good)}`, 'tools.json-several', 2],
        ['an unknown type', { ...good, type: 'function' }, 'tools.type-unknown', 2],
        ['an unknown trigger', { ...good, trigger: 'after' }, 'tools.trigger-unknown', 3],
        ['no function', { type: 'code', code: 'return 1;', name: 'x' }, 'tools.function-missing', 1],
        ['no name', { ...good, function: { description: 'd' } }, 'tools.name-missing', 4],
        ['an empty name', { ...good, function: { name: ' ' } }, 'tools.name-invalid', 5],
        ['a name with blanks', { ...good, function: { name: 'my tool' } }, 'tools.name-invalid', 5],
        ['a name that breaks out', { ...good, function: { name: 'a"}<b>' } }, 'tools.name-invalid', 5],
        ['no code', { ...good, code: '  ' }, 'tools.code-missing', 5],
        ['neither type nor body', { function: { name: 'x' } }, 'tools.type-missing', 1],
        ['an llm roll_dice', { type: 'llm', function: { name: 'roll_dice' }, system_prompt: 'x' }, 'tools.roll-dice-reserved', 2],
        ['code that is a number', { ...good, code: 5 }, 'tools.field-invalid', 16],
    ])('%s', (_name, content, code, line) => {
        const { tools, faults } = register(entry(content, '[TOOL:我的工具]'));
        expect(tools).toEqual([]);
        const fault = faults.find((one) => one.code === code);
        expect(fault, JSON.stringify(faults)).toMatchObject({ level: 'error', params: { entry: '[TOOL:我的工具]', id: 'book#1', line } });
    });

    it.each<[string, unknown, string]>([
        ['an unknown context key', { ...good, context: ['user_input', 'recent_turn'] }, 'tools.context-unknown'],
        ['a number that is none', { ...good, max_tokens: 'many' }, 'tools.field-ignored'],
        ['a tag that is none', { ...good, output_tag: 'a b<' }, 'tools.field-ignored'],
        ['a mark of another name', { ...good, function: { name: 'y', description: 'd' } }, 'tools.name-mismatch'],
        ['no description', { ...good, function: { name: 'x' } }, 'tools.description-missing'],
        ['too long a deadline', { ...good, deadline: 60_000 }, 'tools.deadline-capped'],
        ['lookback alone', { ...good, tag_lookback: 2 }, 'tools.lookback-without-tag'],
        ['a post_pipeline tool that requires', { ...good, trigger: 'post_pipeline', function: { name: 'x', parameters: { type: 'object', properties: {}, required: ['a'] } } }, 'tools.post-pipeline-parameters'],
        ['guessed JSON', '{"type":"code","function":{"name":"x","description":"d"},"code":"return "a";"}', 'tools.json-guessed'],
        ['lenient JSON', '{type:"code",function:{name:"x",description:"d"},code:"return 1;",}', 'tools.json-lenient'],
    ])('keeps the tool and says: %s', (_name, content, code) => {
        const { tools, faults } = register(entry(content));
        expect(tools).toHaveLength(1);
        expect(faults.map((fault) => fault.code)).toEqual([code]);
    });

    it('roll_dice with code of its own is still the built-in one', () => {
        const { tools, faults } = register(entry({ ...good, function: { name: 'roll_dice' } }, '[TOOL:roll_dice]'));
        expect(tools).toMatchObject([{ name: 'roll_dice' }]);
        expect(tools[0]?.code).toBeUndefined();
        expect(faults.map((fault) => fault.code)).toEqual(['tools.roll-dice-code']);
    });

    it('duplicates: the first stays, the second names both', () => {
        const { tools, faults } = register(entry(good, '[TOOL:x] 甲', 'book#1'), entry({ ...good, code: 'return 2;' }, '[TOOL:x] 乙', 'book#2'));
        expect(tools).toMatchObject([{ source: 'book#1', code: 'return params.a;' }]);
        expect(faults).toMatchObject([{ code: 'tools.duplicate', params: { entry: '[TOOL:x] 乙', first: '[TOOL:x] 甲', id: 'book#2' } }]);
    });

    it('one bad entry costs only itself', () => {
        expect(codes(entry('broken', 'a', 'b#1'), entry(good, '[TOOL:x]', 'b#2'))).toEqual(['tools.json-no-object']);
        expect(register(entry('broken', 'a', 'b#1'), entry(good, '[TOOL:x]', 'b#2')).tools).toHaveLength(1);
    });
});

describe('syntax check', () => {
    it('refuses with the line and frees the name', async () => {
        const bad = { ...good, code: ['const a = 1;', 'return a +;'] };
        const { tools, faults } = await registerCheckedTools([entry(bad, '[TOOL:x]', 'b#1'), entry(good, '[TOOL:x]', 'b#2')], { ...options, sandbox });
        expect(tools).toMatchObject([{ source: 'b#2' }]);
        expect(faults).toMatchObject([{ code: 'tools.code-syntax', level: 'error', params: { tool: 'x', line: 16, codeLine: 2, message: expect.stringContaining('SyntaxError') } }]);
    });

    it('compiles a code once, and none when there is none', async () => {
        let calls = 0;
        const counting = { checkSyntax: (code: string) => { calls++; return sandbox.checkSyntax(code); } };
        const checked = new Map();
        await registerCheckedTools([entry(good)], { ...options, sandbox: counting, checked });
        await registerCheckedTools([entry(good)], { ...options, sandbox: counting, checked });
        expect(calls).toBe(1);
        await registerCheckedTools([entry({ type: 'code', function: { name: 'roll_dice' } })], { ...options, sandbox: counting });
        expect(calls).toBe(1);
    });
});

it('every code has its sentence in both languages, with known parameters', async () => {
    const sources = Object.values(import.meta.glob<string>('../../src/tools/*.ts', { query: '?raw', import: 'default', eager: true })).join('\n');
    const used = new Set([...sources.matchAll(/'(tools\.[a-z-]+)'/g)].map((match) => match[1] ?? ''));
    for (const problem of ['no-object', 'unclosed-string', 'unexpected', 'several', 'depth', 'too-long']) used.add(`tools.json-${problem}`);
    expect([...used].sort()).toEqual(Object.keys(toolsTexts).sort());
    for (const [code, text] of Object.entries(toolsTexts)) {
        const names = (sentence: string) => [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();
        expect(names(text.zh), code).toEqual(names(text.en));
        expect(names(text.zh), code).toContain('entry');
    }
});
