// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { toolRunSchema } from '../../src/turn-record';
import { initialState } from '../../src/state/state';
import type { ModelRequest, SandboxPort } from '../../src/ports';
import type { ToolDefinition } from '../../src/tools/definition';
import { rollDiceTool } from '../../src/tools/roll-dice-tool';
import { executionOf, replayRoll, runTool, type ToolModelReply } from '../../src/tools/run-tool';
import { diceResultsText, runPlanningTools, runPostPipelineTools, type ToolsDeps } from '../../src/tools/run-tools';
import { toolState } from '../../src/tools/tool-state';
import { createPageExecution } from '../../src/sandbox/page-execution';
import { createInProcessSandbox } from '../sandbox/in-process-sandbox';

const sandbox = createInProcessSandbox();

function tool(more: Partial<ToolDefinition> & { name: string }): ToolDefinition {
    return { type: 'code', trigger: 'planning', description: 'd', parameters: { type: 'object', properties: {} }, context: [], systemPrompt: '', source: '书#1', title: more.name, ...more };
}

function deps(more: Partial<ToolsDeps> = {}): ToolsDeps {
    let time = 1_700_000_000_000;
    return {
        sandbox, tools: { codeExecution: 'sandbox', pageBooks: [] }, callModel: () => Promise.resolve({ ok: false, message: 'no model' }), clock: { now: () => (time += 5) }, seed: 'turn-seed',
        state: toolState(initialState()), contextValues: {}, replies: [], language: 'zh', signal: new AbortController().signal, connectionOf: (request) => request.connectionProfile ?? 'main', concurrency: 2, ...more,
    };
}

const damage = tool({
    name: 'calc_damage', code: 'const dmg = params.base_damage - (params.armor || 0); return Math.max(1, dmg);',
    parameters: { type: 'object', properties: { base_damage: { type: 'number' }, armor: { type: 'number' } }, required: ['base_damage'] },
});

describe('roll_dice', () => {
    it('gives the seed\'s line, records every die and the seed, and replays the same', async () => {
        const [outcome] = await runPlanningTools([{ tool: 'roll_dice', params: { expr: '1d20+5', mode: 'advantage', dc: 15 } }], [rollDiceTool()], deps());
        expect(outcome?.text).toMatch(/^检定结果：1d20（优势，\[\d+\]、\[\d+\]取高） = \[\d+\]\+5 = \d+ \(DC 15\) → (成功|失败)/);
        const run = toolRunSchema.parse(outcome?.run);
        expect(run).toMatchObject({ name: 'roll_dice', ok: true, seed: 'turn-seed/roll_dice/0', output: outcome?.text, detail: { dc: 15, mode: 'advantage', dice: [[1, 20]], modifier: 5 } });
        expect(replayRoll(JSON.parse(JSON.stringify(run)), 'zh')).toEqual(run);
        expect(JSON.stringify(run).length).toBeLessThan(800);
    });

    it('calls of one turn differ, so does another turn (a swipe)', async () => {
        const call = { tool: 'roll_dice', params: { expr: '10d20' } };
        const first = await runPlanningTools([call, call], [rollDiceTool()], deps());
        const swiped = await runPlanningTools([call], [rollDiceTool()], deps({ seed: 'other' }));
        const rolls = [...first, ...swiped].map((outcome) => JSON.stringify(outcome.run.detail?.['attempts']));
        expect(new Set(rolls).size).toBe(3);
        expect(first.map((outcome) => outcome.run.seed)).toEqual(['turn-seed/roll_dice/0', 'turn-seed/roll_dice/1']);
    });

    it('a refused roll tells the writer and has no result', async () => {
        const [outcome] = await runPlanningTools([{ tool: 'roll_dice', params: { expr: '1d20+{{mod}}+' } }], [rollDiceTool()], deps());
        expect(outcome?.run).toMatchObject({ ok: false, error: expect.stringContaining('{{mod}}') });
        expect(outcome?.text).toMatch(/^工具 roll_dice 执行失败：.*不要编造/);
        expect(diceResultsText(outcome === undefined ? [] : [outcome.run])).toBe('');
    });

    it('dice_results holds the rolls', async () => {
        const outcomes = await runPlanningTools([{ tool: 'roll_dice', params: '2d6' }, { tool: 'calc_damage', params: { base_damage: 3 } }], [rollDiceTool(), damage], deps());
        expect(diceResultsText(outcomes.map((outcome) => outcome.run))).toMatch(/^检定结果：2d6 = /);
    });
});

describe('code tools', () => {
    it('runs with checked params and the state', async () => {
        const outcome = await runTool(damage, { base_damage: '12', armor: 5 }, deps());
        expect(outcome).toMatchObject({ text: 'calc_damage 结果：7', run: { ok: true, seed: 'turn-seed/calc_damage/0' }, sandbox: { ok: true, value: 7 } });
        const place = await runTool(tool({ name: 'where', code: 'return { at: state.location, hp: state.主角.生命值, all: state.stat_data.主角.生命值 };' }), {}, deps({ state: toolState(initialState(), { 主角: { 生命值: 100 } }) }));
        expect(place.text).toBe('where 结果：{"at":"起点","hp":100,"all":100}');
    });

    it.each<[string, string, unknown, RegExp]>([
        ['a throw', 'throw new Error("没有弹药");', {}, /没有弹药/],
        ['a loop', 'for (;;);', {}, /超过 500 毫秒/],
        ['memory', 'const a = []; for (;;) a.push(new Uint8Array(1 << 20));', {}, /内存|毫秒/],
        ['syntax', 'return a +;', {}, /SyntaxError/],
    ])('%s becomes a tool error the writer is told about', async (_name, code, params, pattern) => {
        const outcome = await runTool(tool({ name: 'bad', code }), params, deps());
        expect(outcome.run).toMatchObject({ ok: false, error: expect.stringMatching(pattern) });
        expect(outcome.text).toMatch(/^工具 bad 执行失败：/);
    });

    it('wrong params are refused before the call', async () => {
        const outcome = await runTool(damage, { armor: 'x' }, deps());
        expect(outcome.run.error).toBe('缺少参数 base_damage；参数 armor 应为 number，收到 "x"');
        expect(outcome.sandbox).toBeUndefined();
    });

    it('undefined is no value, said so', async () => {
        expect((await runTool(tool({ name: 'mute', code: 'params.a;' }), {}, deps())).text).toBe('mute 结果：（无返回值）');
    });

    it('a sandbox that rejects costs only the tool', async () => {
        const broken: SandboxPort = { run: () => Promise.reject(new Error('worker gone')), checkSyntax: () => Promise.resolve(null) };
        expect((await runTool(damage, { base_damage: 1 }, deps({ sandbox: broken }))).run).toMatchObject({ ok: false, error: 'worker gone' });
    });

    it('the page only for a named book while the setting says so', async () => {
        expect(executionOf({ source: '书#1' }, { codeExecution: 'page', pageBooks: ['书'] })).toBe('page');
        expect(executionOf({ source: '书#1' }, { codeExecution: 'sandbox', pageBooks: ['书'] })).toBe('sandbox');
        expect(executionOf({ source: '别的#1' }, { codeExecution: 'page', pageBooks: ['书'] })).toBe('sandbox');
        expect(executionOf({ source: 'a#b#3' }, { codeExecution: 'page', pageBooks: ['a#b'] })).toBe('page');
        const state = { location: '起点' };
        const peek = tool({ name: 'peek', code: 'state.location = "x"; return typeof process;' });
        const inPage = await runTool(peek, {}, deps({ page: createPageExecution(), tools: { codeExecution: 'page', pageBooks: ['书'] }, state }));
        expect(inPage.text).toBe('peek 结果：object');
        expect(state).toEqual({ location: '起点' });
        expect((await runTool(peek, {}, deps({ page: createPageExecution(), state }))).text).toBe('peek 结果：undefined');
    });
});

describe('llm tools', () => {
    const panel = tool({ name: 'panel', type: 'llm', trigger: 'post_pipeline', context: ['user_input', 'world_full'], systemPrompt: '写面板', outputTag: 'state_panel', tagLookback: 2, maxTokens: 300, connectionProfile: 'cheap' });

    it('sends context, history and limits through the one call path; its output is for the message', async () => {
        const requests: ModelRequest[] = [];
        const [outcome] = await runPostPipelineTools([panel], deps({
            callModel: (request) => { requests.push(request); return Promise.resolve({ ok: true, text: '<think>先想想</think>\n <state_panel>血：4</state_panel>\n' }); },
            contextValues: { user_input: '走', world_full: '世界', narrative_text: '秘密' }, replies: ['<state_panel>血：1</state_panel>', 'x', '<state_panel>血：3</state_panel>'],
        }));
        expect(requests).toEqual([{
            purpose: 'tool:panel', maxTokens: 300, connectionProfile: 'cheap',
            messages: [{ role: 'system', content: '写面板' }, { role: 'user', content: '<world_full>\n世界\n</world_full>\n\n<user_input>\n走\n</user_input>\n\n<tool_history>\n血：1\n\n血：3\n</tool_history>' }],
        }]);
        expect(outcome).toMatchObject({ text: '<state_panel>血：4</state_panel>', run: { ok: true, trigger: 'post_pipeline', length: 30 } });
        expect(outcome?.run.output).toBeUndefined();
    });

    it('adds the declared tag where the model forgot it', async () => {
        const [outcome] = await runPostPipelineTools([panel], deps({ callModel: () => Promise.resolve({ ok: true, text: '血：4' }) }));
        expect(outcome?.text).toBe('<state_panel>\n血：4\n</state_panel>');
    });

    it('a failed post_pipeline tool leaves nothing in the message', async () => {
        const outcomes = await runPostPipelineTools([panel, { ...panel, name: 'mute' }, { ...panel, name: 'gone' }], deps({
            callModel: (request): Promise<ToolModelReply> => Promise.resolve(request.purpose === 'tool:mute' ? { ok: true, text: '  ' } : { ok: false, message: 'HTTP 500', aborted: request.purpose === 'tool:gone' }),
        }));
        expect(outcomes.map((outcome) => [outcome.text, outcome.run.ok, outcome.run.error])).toEqual([['', false, 'HTTP 500'], ['', false, '模型没有输出'], ['', false, '已停止']]);
    });

    it('a planning one gets its params and tells the writer', async () => {
        const outcome = await runTool(tool({ name: 'ask', type: 'llm', parameters: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] } }), { who: '狼' }, deps({
            callModel: (request) => Promise.resolve({ ok: true, text: request.messages.at(-1)?.content.includes('"who": "狼"') === true ? '它在林中' : '?' }),
        }));
        expect(outcome).toMatchObject({ text: 'ask 结果：它在林中', run: { output: 'ask 结果：它在林中' } });
    });

    it('a long planning result is cut', async () => {
        const outcome = await runTool(tool({ name: 'ask', type: 'llm' }), {}, deps({ callModel: () => Promise.resolve({ ok: true, text: '长'.repeat(50_000) }) }));
        expect(outcome.text.length).toBeLessThan(4_100);
    });
});

describe('a turn\'s calls', () => {
    it('at once, limited per connection, in the order of the calls', async () => {
        let running = 0;
        let most = 0;
        const finished: string[] = [];
        // The first call ends when the third, which waits for its place, has ended: no clock decides the order.
        let thirdEnded: () => void = () => undefined;
        const third = new Promise<void>((resolve) => { thirdEnded = resolve; });
        const llm = (name: string, connectionProfile?: string) => tool({ name, type: 'llm', connectionProfile });
        const outcomes = await runPlanningTools(['a', 'b', 'c', 'd'].map((name) => ({ tool: name, params: {} })), [llm('a'), llm('b'), llm('c'), llm('d', 'other')], deps({
            concurrency: 2,
            callModel: async (request) => {
                most = Math.max(most, ++running);
                if (request.purpose === 'tool:a') await third;
                else await new Promise((resolve) => { setTimeout(resolve, 5); });
                running--;
                finished.push(request.purpose);
                if (request.purpose === 'tool:c') thirdEnded();
                return { ok: true, text: request.purpose };
            },
        }));
        expect(most).toBe(3);
        expect(finished.at(-1)).toBe('tool:a');
        expect(outcomes.map((outcome) => outcome.run.name)).toEqual(['a', 'b', 'c', 'd']);
    });

    it('unknown names, post_pipeline tools, near names, too many calls', async () => {
        const post = tool({ name: 'panel', type: 'llm', trigger: 'post_pipeline' });
        const outcomes = await runPlanningTools([{ tool: 'fly', params: {} }, { tool: 'panel', params: {} }, { tool: ' Calc_Damage', params: { base_damage: 2 } }], [damage, post], deps());
        expect(outcomes.map((outcome) => outcome.run.ok)).toEqual([false, false, true]);
        expect(outcomes[0]?.text).toContain('calc_damage');
        expect(outcomes[1]?.text).toContain('不能由规划调用');
        const many = await runPlanningTools(Array.from({ length: 500 }, () => ({ tool: 'calc_damage', params: { base_damage: 1 } })), [damage], deps());
        expect(many).toHaveLength(21);
        expect(many.at(-1)?.run).toMatchObject({ ok: false, error: '一轮最多调用 20 次工具' });
    });

    it('stops when the turn is stopped', async () => {
        const controller = new AbortController();
        controller.abort();
        const outcomes = await runPlanningTools([{ tool: 'calc_damage', params: { base_damage: 1 } }, { tool: 'roll_dice', params: { expr: 'd20' } }], [damage, rollDiceTool()], deps({ signal: controller.signal }));
        expect(outcomes.map((outcome) => outcome.run.error)).toEqual(['已停止', '已停止']);
    });

    it('in English', async () => {
        const outcomes = await runPlanningTools([{ tool: 'roll_dice', params: { expr: '1d20', dc: 1 } }, { tool: 'calc_damage', params: {} }], [damage, rollDiceTool('en')], deps({ language: 'en' }));
        expect(outcomes[0]?.text).toMatch(/^Check result: 1d20 = \[\d+\] = \d+ \(DC 1\) → success/);
        expect(outcomes[1]?.text).toBe('The tool calc_damage failed: base_damage is missing. There is no result; do not invent one.');
    });

    it('a post_pipeline code tool reads its context as params', async () => {
        const count = tool({ name: 'count', trigger: 'post_pipeline', context: ['narrative_text'], code: 'return `<字数>${params.narrative_text.length}</字数>`;' });
        const [outcome] = await runPostPipelineTools([count], deps({ contextValues: { narrative_text: '你好' } }));
        expect(outcome?.text).toBe('<字数>2</字数>');
    });
});
