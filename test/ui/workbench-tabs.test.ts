import { describe, expect, it } from 'vitest';
import { parameterFields, readParameters } from '../../src/ui/panel/tools/parameter-field';
import { searchTree } from '../../src/ui/panel/variables/search-tree';
import { sampleTrace } from './preview/sample';
import { all, element, mounted, settle, text } from './mounted';

describe('the Tools tab', () => {
    it('shows faults, each tool’s last run, and replays a roll', async () => {
        const { intents, click } = await mounted();
        await click('[data-tab="tools"]');
        expect(text('[data-code="tools.json-unexpected"]')).toContain('[TOOL:weather]');
        await click('[data-tool="roll_dice"] .na-card-head');
        expect(text('[data-tool="roll_dice"]')).toContain('1d20 = [17, 4]+2');
        await click('[data-tool="roll_dice"] [data-testid="replay"]');
        expect(intents.replay.mock.calls[0]?.[0]).toMatchObject({ name: 'roll_dice', seed: 'chat:60:0:0' });
        expect(text('[data-testid="replayed"]')).toContain('检定结果');
        await click('[data-tool="calc_damage"] .na-card-head');
        expect(text('[data-tool="calc_damage"] .na-run-failed')).toContain('armor 不是数字');
    });

    it('runs one tool again on its message', async () => {
        const { intents, click } = await mounted();
        await click('[data-tab="tools"]');
        await click('[data-tool="state_panel"] .na-card-head');
        await click('[data-testid="rerun-tool"]');
        expect(intents.rerunTool).toHaveBeenCalledWith(120, 'state_panel');
    });

    it('tries a tool from a form made of its schema', async () => {
        const { intents, click, type } = await mounted();
        await click('[data-tab="tools"]');
        await click('[data-tool="calc_damage"] .na-card-head');
        await type('[name="base_damage"]', '8');
        await type('[name="critical"]', 'true', 'change');
        element('.na-try').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
        await settle();
        expect(intents.tryTool).toHaveBeenCalledWith('calc_damage', { base_damage: 8, critical: true });
        const outcome = text('[data-testid="try-outcome"]');
        expect(outcome).toContain('7');
        expect(outcome).toContain('said aloud');
        expect(outcome).toContain('2 KB');
    });

    it('tries a tool from raw JSON and refuses what is not JSON', async () => {
        const { intents, click, type, toast } = await mounted();
        await click('[data-tab="tools"]');
        await click('[data-tool="calc_damage"] .na-card-head');
        await click('.na-try [data-value="json"]');
        await type('.na-try textarea', '{oops');
        element('.na-try').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
        await settle();
        expect(intents.tryTool).not.toHaveBeenCalled();
        expect(toast).toHaveBeenCalledWith('warning', expect.any(String));
    });

    it('lets a named book’s code into the page only after a warning about it', async () => {
        const { intents, click, show, view } = await mounted();
        await click('[data-tab="tools"]');
        await click('[data-tool="calc_damage"] .na-card-head');
        expect(all('[data-testid="page-permission"]')).toHaveLength(0);
        await show({ config: { ...view.config, tools: { ...view.config.tools, codeExecution: 'page' } } });
        await click('[data-testid="page-permission"] button');
        expect(intents.setConfig).toHaveBeenLastCalledWith('tools.pageBooks', ['北塔世界设定']);
    });

    it('reads boxes by their type', () => {
        const fields = parameterFields({ type: 'object', properties: { n: { type: 'integer' }, on: { type: 'boolean' }, list: { type: 'array' }, word: { type: 'string', default: 'x' }, unset: { type: 'string' } }, required: ['n'] });
        expect(fields.map((field) => field.kind)).toEqual(['number', 'switch', 'json', 'text', 'text']);
        expect(fields[3]?.initial).toBe('x');
        expect(readParameters(fields, { n: '3', on: 'false', list: '[1]', word: '12', unset: '' })).toEqual({ n: 3, on: false, list: [1], word: '12' });
    });
});

describe('the Variables tab', () => {
    it('shows the tree, the turn’s updates with their results, and where values began', async () => {
        const { click } = await mounted();
        await click('[data-tab="variables"]');
        expect(text('[data-path="/主角/生命值"]')).toContain('0 到 100');
        expect(all('[data-field="patches"] li').map((row) => row.dataset.ok)).toEqual(['true', 'true', 'false']);
        await click('[data-field="initial"] .na-block-toggle');
        expect(text('[data-field="initial"]')).toContain('[initvar] 初始变量');
    });

    it('edits the value of a described variable and leaves its description', async () => {
        const { intents, click, press } = await mounted();
        await click('[data-tab="variables"]');
        await click('[data-path="/主角/生命值"] .na-editable');
        (element('[data-path="/主角/生命值"] input') as HTMLInputElement).value = '40';
        await press('[data-path="/主角/生命值"] input', 'Enter');
        expect(intents.editVariable).toHaveBeenCalledWith('/主角/生命值', 40);
    });

    it('shows the initial values before the first turn', async () => {
        const { click, show, view } = await mounted();
        await click('[data-tab="variables"]');
        await show({ variables: { ...view.variables, keeper: 'none', tree: null } });
        expect(text('#narrative_agent_tabpanel')).toContain('when the first turn begins');
        await click('[data-field="initial"] .na-block-toggle');
        expect(text('[data-field="initial"]')).toContain('[initvar] 初始变量');
    });

    it('finds by name and by value', () => {
        const tree = { 主角: { 生命值: [86, '上限 100'], 名字: '兰' }, 世界: { 天气: '雨' } };
        expect(searchTree(tree, '天气')).toEqual([{ path: '/世界/天气', value: '雨' }]);
        expect(searchTree(tree, '兰').map((leaf) => leaf.path)).toEqual(['/主角/名字']);
        expect(searchTree({ 'a/b': { 'c~d': 1 } }, '1')).toEqual([{ path: '/a~1b/c~0d', value: 1 }]);
        expect(searchTree(tree, '主角').map((leaf) => leaf.path)).toEqual(['/主角/生命值', '/主角/名字']);
    });
});

describe('the Calls tab', () => {
    it('shows each call’s prompt by section and what the model answered', async () => {
        const { intents, click } = await mounted();
        intents.loadTrace.mockImplementation(async (id) => sampleTrace(id));
        await click('[data-tab="calls"]');
        expect(intents.loadTrace).toHaveBeenCalledWith('turn-60');
        await click('[data-purpose="planning"] .na-card-head');
        expect(all('[data-purpose="planning"] [data-section]').map((row) => row.dataset.section)).toEqual(['worldinfo1', 'engine', 'tool_list', 'worldinfo2', 'story_summary', 'recent_turns', 'worldinfo3', 'state_summary', 'user_input', 'instruction']);
        await click('[data-purpose="planning"] [data-section="user_input"] button');
        expect(text('[data-purpose="planning"] [data-section="user_input"] pre')).toContain('铜钥匙');
        expect(text('[data-purpose="planning"]')).toContain('narrative_direction');
        expect(text('[data-purpose="mergedAnalysis"]')).toContain('failed');
    });

    it('falls back to what the record kept when the trace is gone', async () => {
        const { click } = await mounted();
        await click('[data-tab="calls"]');
        expect(text('#narrative_agent_panel')).toContain('no longer on this device');
        expect(text('#narrative_agent_panel')).toContain('2 attempts');
    });
});
