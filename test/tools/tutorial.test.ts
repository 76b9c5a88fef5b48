// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { initialState } from '../../src/state/state';
import type { ToolDefinition, ToolEntry } from '../../src/tools/definition';
import { registerCheckedTools } from '../../src/tools/registry';
import { runTool, type ToolDeps } from '../../src/tools/run-tool';
import { toolState } from '../../src/tools/tool-state';
import { translate } from '../../src/ui/i18n/index';
import { createInProcessSandbox } from '../sandbox/in-process-sandbox';

/** The tools in TUTORIAL.md are what authors copy: each is registered, tried and compared with what the text says. */
const tutorial = readFileSync('TUTORIAL.md', 'utf8');
const sandbox = createInProcessSandbox();
const options = { rollDiceAlways: false, sandbox };

interface Example extends ToolEntry { fence: string; after: string }

const examples: Example[] = [...tutorial.matchAll(/^条目标题：`(\[TOOL:[^\]`]+\])`\n\n```(json5?|bad)\n([\s\S]*?)\n```\n([\s\S]*?)(?=^条目标题：|^#{2,3} |(?![\s\S]))/gm)]
    .map(([, comment = '', fence = '', content = '', after = ''], index) => ({ id: `教程#${index}`, comment, fence, content, after }));

const state = toolState({ ...initialState(), relationships: { 老周: 40 }, inventory: { 治疗药水: 1 } });

function deps(more: Partial<ToolDeps> = {}): ToolDeps {
    return {
        sandbox, tools: { codeExecution: 'sandbox', pageBooks: [] }, callModel: () => Promise.resolve({ ok: true, text: 'ok' }), clock: { now: () => 0 }, seed: 'tutorial', state,
        contextValues: { narrative_text: '（本轮正文）', state_summary: '（游戏状态）', story_summary: '（全部摘要）' }, replies: ['<state_panel>（前几轮的面板，由旧到新）</state_panel>'],
        language: 'zh', signal: new AbortController().signal, ...more,
    };
}

async function registered(example: Example): Promise<ToolDefinition> {
    const { tools, faults } = await registerCheckedTools([example], options);
    // Strict examples give no remark at all; lenient ones say that they were read leniently.
    expect(faults.filter((fault) => fault.level === 'error' || example.fence === 'json')).toEqual([]);
    const [tool] = tools;
    if (tool === undefined) throw new Error(`${example.comment} is not registered`);
    return tool;
}

function fenceOf(text: string, name: string): string[] {
    return [...text.matchAll(new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)\\n\`\`\``, 'gm'))].map((match) => match[1] ?? '');
}

/** `#` stands for a number, a `*` at the end for the rest. */
function patternOf(expected: string): RegExp {
    const source = expected.replace(/\\n/g, '\n').replace(/[.+?^${}()|[\]\\*]/g, '\\$&').replace(/#/g, '-?\\d+').replace(/\\\*$/, '[\\s\\S]+');
    return new RegExp(`^${source}$`);
}

const good = examples.filter((example) => example.fence !== 'bad');
const bad = examples.filter((example) => example.fence === 'bad');

it('finds all examples of the tutorial', () => {
    expect(good.length + bad.length).toBe([...tutorial.matchAll(/^条目标题：/gm)].length);
    expect(good.length).toBeGreaterThanOrEqual(9);
    expect(bad.length).toBeGreaterThanOrEqual(6);
    const tried = good.flatMap((example) => [...fenceOf(example.after, 'try'), ...fenceOf(example.after, 'prompt')]);
    expect(tried.length).toBe([...tutorial.matchAll(/^```(?:try|prompt)$/gm)].length);
    for (const heading of ['条目路由', '指令(@@)', '工具', '[initvar] 与 [mvu_update]', '游戏状态与事件', '转义', '调试', '常见错误', 'English summary']) expect(tutorial).toContain(`\n## ${heading}\n`);
});

describe('examples do what the text says', () => {
    it.each(good.map((example) => [example.comment, example] as const))('%s', async (_comment, example) => {
        const tool = await registered(example);
        const tries = fenceOf(example.after, 'try').flatMap((block) => block.split('\n'));
        const prompts = fenceOf(example.after, 'prompt');
        expect(tries.length + prompts.length).toBeGreaterThan(0);
        for (const line of tries) {
            const [, name, params, expected] = /^(\S+) (\{.*?\}) → (.*)$/.exec(line) ?? [];
            expect(name, line).toBe(tool.name);
            const { text } = await runTool(tool, JSON.parse(params ?? ''), deps());
            expect(text).toMatch(patternOf(expected ?? ''));
        }
        for (const block of prompts) {
            const [head = '', ...lines] = block.split('\n');
            const [, name, params = '{}'] = /^(\S+)(?: (\{.*\}))?$/.exec(head) ?? [];
            expect(name).toBe(tool.name);
            const { prompt } = await runTool(tool, JSON.parse(params), deps());
            expect(prompt?.messages.at(-1)?.content).toBe(lines.join('\n'));
            expect(prompt?.messages[0]).toEqual({ role: 'system', content: tool.systemPrompt });
        }
    });
});

describe('mistakes are answered as the text says', () => {
    it.each(bad.map((example, index) => [`${index + 1} ${example.comment}`, example] as const))('%s', async (_comment, example) => {
        const { faults } = await registerCheckedTools([example], options);
        const quoted = [...example.after.matchAll(/^> (.*)$/gm)].map((match) => match[1] ?? '');
        expect(quoted).toHaveLength(1);
        expect(faults.map((fault) => translate(fault.code, fault.params, 'zh-CN'))).toEqual(quoted);
    });
});

it('the table of fields names every field, the table of context every key', async () => {
    const { toolContentSchema } = await import('../../src/tools/tool-content');
    const { canonicalContextOrder } = await import('../../src/tools/definition');
    for (const field of Object.keys(toolContentSchema.shape)) expect(tutorial).toMatch(new RegExp(`^\\| \`${field}[\`.]`, 'm'));
    const rows = [...tutorial.matchAll(/^\| `([a-z_]+)` \| [^|]+ \|$/gm)].map((match) => match[1]).filter((key) => (canonicalContextOrder as readonly string[]).includes(key ?? ''));
    expect(rows).toEqual([...canonicalContextOrder]);
});
