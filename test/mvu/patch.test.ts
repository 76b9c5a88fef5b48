import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPatches } from '../../src/mvu/apply-patches';
import { patchOperations, type Patch } from '../../src/mvu/patch';
import { readPatches } from '../../src/mvu/read-patches';
import { deriveSchema } from '../../src/mvu/schema';
import type { VariableTree } from '../../src/mvu/tree';
import { agrees, casesOf } from './fixture-cases';

const hero = (): VariableTree => ({ 主角: { 生命值: 100, 信用点数: 500, 改装仓库: ['基础扫描器', '维修工具包'] }, 世界: { 当前地点: '起点', 天气: '晴朗' } });

function run(tree: VariableTree, output: string) {
    const read = readPatches(output);
    if (!read.ok) return { tree, rejected: [read.reason], results: [] };
    const { tree: after, results } = applyPatches(tree, read.patches);
    return { tree: after, rejected: [...read.rejected, ...results.filter((result) => !result.ok)], results };
}

describe('keys that only the author writes', () => {
    it('outlive a model that replaces the object around them', () => {
        const tree: VariableTree = { 主角: { 生命值: 100, _出身: '旧王室', $隐: 1, 装备: { 剑: 1, _编号: 7 } } };
        const { tree: after } = run(tree, '{"patches":[{"op":"replace","path":"/主角","value":{"生命值":90,"_出身":"渔夫","装备":{"弓":1}}}]}');
        expect(after).toEqual({ 主角: { 生命值: 90, _出身: '旧王室', $隐: 1, 装备: { 弓: 1, _编号: 7 } } });
    });
});

describe('the patch cases', () => {
    for (const each of casesOf('patch')) {
        it(`${each.id}: ${each.why}`, () => {
            const before = structuredClone(each.input['stat_data']) as VariableTree;
            const { tree, rejected } = run(before, String(each.input['model_output']));
            const expected = each.expected as { stat_data: unknown; rejected?: number; rejected_min?: number };
            expect(agrees(tree, expected.stat_data), JSON.stringify(tree)).toBe(true);
            const least = each.rejected_min ?? expected.rejected_min ?? 0;
            expect(rejected.length).toBeGreaterThanOrEqual(least);
            const exactly = each.rejected ?? expected.rejected;
            if (exactly !== undefined) expect(rejected).toHaveLength(exactly);
            expect(before).toEqual(each.input['stat_data']);
            expect(Object.keys(Object.prototype)).toEqual([]);
        });
    }
});

describe('the example of the seed', () => {
    it('works in the embedded executor', () => {
        const { tree, rejected } = run(hero(), '{"patches":[{"op":"replace","path":"/世界/当前地点","value":"矿洞"},{"op":"delta","path":"/主角/信用点数","value":-200},{"op":"insert","path":"/主角/改装仓库/-","value":"涡轮增压器V2"}]}');
        expect(rejected).toEqual([]);
        expect(tree).toEqual({ 主角: { 生命值: 100, 信用点数: 300, 改装仓库: ['基础扫描器', '维修工具包', '涡轮增压器V2'] }, 世界: { 当前地点: '矿洞', 天气: '晴朗' } });
    });
});

describe('readPatches', () => {
    const one = [{ op: 'delta', path: '/主角/生命值', value: -5 }];
    it.each([
        ['a bare list', '[{"op":"delta","path":"/主角/生命值","value":-5}]'],
        ['one operation', '{"op":"delta","path":"/主角/生命值","value":-5}'],
        ['prose around a fence', '变更如下：\n```json\n{"patches":[{"op":"delta","path":"/主角/生命值","value":-5}]}\n```\n以上。'],
        ['MVU\'s own block', '<UpdateVariable><JSONPatch>\n[{"op":"delta","path":"/主角/生命值","value":-5}]\n</JSONPatch></UpdateVariable>'],
        ['reasoning without its opening tag', '先想想 [{"op":"remove","path":"/世界"}]</think>{"patches":[{"op":"delta","path":"/主角/生命值","value":-5}]}'],
        ['single quotes, comments and a trailing comma', "{patches: [{op: 'delta', path: '/主角/生命值', value: -5,}, /* done */]}"],
        ['full-width punctuation', '{"patches"：[{"op"："delta"，"path"："/主角/生命值"，"value"：-5}]}'],
        ['a path as a list', '{"patches":[{"op":"delta","path":["主角","生命值"],"value":-5}]}'],
    ])('understands %s', (_, output) => {
        expect(readPatches(output)).toEqual({ ok: true, patches: one, rejected: [] });
    });

    it.each([
        ['<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final<|message|>{answer}'], ['[THINK]{draft}[/THINK]{answer}'], ['<seed:think>{draft}</seed:think>\n{answer}'],
        ['◁think▷{draft}◁/think▷{answer}'], ['<思考>{draft}</思考>{answer}'], ['{draft}</think>{answer}'], ['{draft}\n再想想，最终：\n{answer}'], ['{empty}\n更正：{answer}'], ['<think>\n先看规则。\n{answer}'],
    ])('takes no draft for the answer: %s', (form) => {
        const draft = '{"patches":[{"op":"replace","path":"/草稿","value":1}]}';
        const answer = '{"patches":[{"op":"delta","path":"/主角/体力","value":-5},{"op":"insert","path":"/日志/-","value":{"changes":[]}}]}';
        const text = form.replace('{draft}', draft).replace('{empty}', '{"patches": []}').replace('{answer}', answer);
        expect(readPatches(text)).toMatchObject({ ok: true, patches: [{ op: 'delta', path: '/主角/体力', value: -5 }, { op: 'insert', path: '/日志/-', value: { changes: [] } }], rejected: [] });
        expect(readPatches(JSON.stringify(answer))).toMatchObject({ ok: true, patches: [{ op: 'delta' }, { op: 'insert' }] });
    });

    it('reads nothing out of reasoning that never ends', () => {
        expect(readPatches('<think>也许 {"patches":[{"op":"replace","path":"/草稿","value":1}]}')).toMatchObject({ ok: false });
    });

    it('takes an empty list for no change', () => {
        expect(readPatches('{ "patches": [] }')).toEqual({ ok: true, patches: [], rejected: [] });
        expect(readPatches('[]')).toEqual({ ok: true, patches: [], rejected: [] });
    });

    it('does not take the made-up end of a cut answer', () => {
        const read = readPatches('{"patches":[{"op":"delta","path":"/主角/生命值","value":-5},{"op":"replace","path":"/世界/当前地点","value":"矿');
        expect(read).toMatchObject({ ok: true, patches: one, rejected: [{ path: '/世界/当前地点', ok: false, reason: { code: 'mvu.cut-off' } }] });
    });

    it('understands the older commands', () => {
        expect(readPatches("_.set('世界.当前地点', '起点', '矿洞');//到了\n_.add('主角.信用点数', -200);\n_.insert('主角.改装仓库', '绳子');\n_.remove('世界', '天气');")).toMatchObject({
            ok: true,
            patches: [
                { op: 'replace', path: '世界.当前地点', value: '矿洞' },
                { op: 'delta', path: '主角.信用点数', value: -200 },
                { op: 'insert', path: '主角.改装仓库', value: '绳子' },
                { op: 'remove', path: '世界["天气"]' },
            ],
        });
    });

    it.each(['', '没有变化。', '{"events":[]}', '[1,2]'])('says so when nothing can be read: %j', (output) => {
        expect(readPatches(output).ok).toBe(false);
    });

    it('rejects an operation it cannot understand and keeps the others', () => {
        const read = readPatches('{"patches":[5,{"op":"copy","path":"/a"},{"op":"replace","path":"/世界/天气"},{"op":"move","path":"/a"},{"op":"delta","path":"/主角/生命值","value":-5}]}');
        expect(read).toMatchObject({ ok: true, patches: one });
        expect(read.ok && read.rejected.map((each) => each.reason?.code)).toEqual(['mvu.patch-not-an-object', 'mvu.unknown-operation', 'mvu.no-value', 'mvu.no-from']);
    });
});

describe('applyPatches', () => {
    const reasonOf = (tree: VariableTree, patch: Patch, schema?: unknown) => applyPatches(tree, [patch], { schema }).results[0]?.reason?.code;

    it.each<[string, Patch]>([
        ['mvu.no-such-path', { op: 'replace', path: '/主角/魔力', value: 1 }],
        ['mvu.no-such-path', { op: 'delta', path: '/主角/改装仓库/9', value: 1 }],
        ['mvu.no-parent', { op: 'insert', path: '/主角/背包/绳子', value: 1 }],
        ['mvu.no-parent', { op: 'insert', path: '/主角/生命值/上限', value: 1 }],
        ['mvu.not-a-number', { op: 'replace', path: '/主角/生命值', value: '满' }],
        ['mvu.delta-not-a-number', { op: 'delta', path: '/主角/生命值', value: '很多' }],
        ['mvu.would-lose-structure', { op: 'replace', path: '/主角', value: '死了' }],
        ['mvu.would-lose-structure', { op: 'insert', path: '/主角', value: '死了' }],
        ['mvu.not-an-index', { op: 'insert', path: '/主角/改装仓库/最后', value: '绳子' }],
        ['mvu.new-root', { op: 'insert', path: '/天下', value: {} }],
        ['mvu.whole-tree', { op: 'replace', path: '/', value: {} }],
        ['mvu.move-into-itself', { op: 'move', from: '/主角', path: '/主角/自己' }],
        ['mvu.forbidden-key', { op: 'insert', path: '/主角/__proto__/x', value: 1 }],
        ['mvu.forbidden-key', { op: 'replace', path: 'constructor.prototype.x', value: 1 }],
    ])('refuses with %s: %j', (code, patch) => {
        expect(reasonOf(hero(), patch)).toBe(code);
    });

    it('keeps read-only keys from the model, not from the user', () => {
        const tree = { _内部: 1, 甲: { _锁: 2 } };
        expect(reasonOf(tree, { op: 'delta', path: '/甲/_锁', value: 1 })).toBe('mvu.read-only');
        expect(applyPatches(tree, [{ op: 'replace', path: '/甲/_锁', value: 3 }], { byUser: true }).tree).toEqual({ _内部: 1, 甲: { _锁: 3 } });
    });

    it('keeps a refused move whole', () => {
        const tree = { 地上: { 剑: 1 }, 手: { _锁: 0 } };
        const { tree: after, results } = applyPatches(tree, [{ op: 'move', from: '/地上/剑', path: '/手/左/剑' }]);
        expect(after).toEqual(tree);
        expect(results[0]?.ok).toBe(false);
    });

    it('moves between lists and objects', () => {
        expect(applyPatches({ 地上: ['剑', '盾'], 手: {} , 包: [] }, [{ op: 'move', from: '/地上/0', path: '/包/-' }, { op: 'move', from: '地上[0]', path: '手.左' }]).tree).toEqual({ 地上: [], 手: { 左: '盾' }, 包: ['剑'] });
    });

    it('removes a list\'s element by its value, never the list in its place', () => {
        const remove = (path: string, value?: unknown) => applyPatches({ 包: ['剑', '盾'] }, [{ op: 'remove', path, value }]);
        expect(remove('/包/盾').tree).toEqual({ 包: ['剑'] });
        expect(remove('/包', '剑').tree).toEqual({ 包: ['盾'] });
        expect(remove('/包', '斧')).toMatchObject({ tree: { 包: ['剑', '盾'] }, results: [{ ok: false }] });
        expect(remove('/包').tree).toEqual({});
    });

    it('prefers a key that exists as written to a path', () => {
        expect(applyPatches({ 'v1.0': 1, v1: { 0: 5 } }, [{ op: 'delta', path: 'v1.0', value: 1 }]).tree).toEqual({ 'v1.0': 2, v1: { 0: 5 } });
        expect(applyPatches({ 包: { '剑/盾': 1 } }, [{ op: 'delta', path: '/包/剑~1盾', value: 1 }]).tree).toEqual({ 包: { '剑/盾': 2 } });
    });

    it('fills a new element from the template and drops markers in values', () => {
        const raw = { 人: { $meta: { extensible: true, template: { 好感: 0, 衣: [] } }, 甲: { 好感: 5, 衣: [] } } };
        const schema = deriveSchema(raw);
        const { tree } = applyPatches({ 人: { 甲: { 好感: 5, 衣: [] } } }, [{ op: 'insert', path: '/人/乙', value: { 好感: 1, $meta: { extensible: true } } }], { schema });
        expect(tree).toEqual({ 人: { 甲: { 好感: 5, 衣: [] }, 乙: { 好感: 1, 衣: [] } } });
    });

    it('keeps what the author called required in an open object', () => {
        const schema = deriveSchema({ 包: { $meta: { extensible: true, required: ['钱'] }, 钱: 1, 信: 2 } });
        expect(reasonOf({ 包: { 钱: 1, 信: 2 } }, { op: 'remove', path: '/包/钱' }, schema)).toBe('mvu.required');
        expect(reasonOf({ 包: { 钱: 1, 信: 2 } }, { op: 'remove', path: '/包/信' }, schema)).toBeUndefined();
    });

    it('never shares references with its input, pollutes nothing and yields plain JSON, whatever it is given', () => {
        const key = fc.constantFrom('主角', '生命值', '改装仓库', '世界', '0', '-', '__proto__', 'constructor', 'prototype', '_x', '$y', 'a.b', '');
        const path = fc.oneof(fc.array(key, { maxLength: 4 }).map((keys) => `/${keys.join('/')}`), fc.array(key, { maxLength: 4 }).map((keys) => keys.join('.')), fc.string());
        const patch = fc.record({ op: fc.constantFrom(...patchOperations), path, from: path, value: fc.jsonValue() });
        fc.assert(fc.property(fc.array(patch, { maxLength: 6 }), (patches) => {
            const before = hero();
            const { tree, results } = applyPatches(before, patches);
            expect(before).toEqual(hero());
            expect(JSON.parse(JSON.stringify(tree))).toEqual(tree);
            expect(results).toHaveLength(patches.length);
            expect(results.every((result) => result.ok || result.reason !== undefined)).toBe(true);
            expect(Object.keys(Object.prototype)).toEqual([]);
            if (results.every((result) => !result.ok)) expect(tree).toEqual(hero());
        }), { numRuns: 300 });
    });
});
