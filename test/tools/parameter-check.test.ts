import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkParameters, parameterProblemsText } from '../../src/tools/parameter-check';

const schema = {
    type: 'object',
    properties: {
        base: { type: 'number', minimum: 0, maximum: 100 },
        count: { type: 'integer', default: 1 },
        kind: { type: 'string', enum: ['火', 'Ice'] },
        crit: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
        target: { type: 'object', properties: { name: { type: 'string' }, hp: { type: 'integer' } }, required: ['name'] },
        level: { type: ['integer', 'null'] },
        either: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['max'] }] },
    },
    required: ['base'],
};

function value(params: unknown): unknown {
    const result = checkParameters(schema, params);
    return result.ok ? result.value : parameterProblemsText(result.problems, 'zh');
}

describe('checkParameters', () => {
    it('fills defaults and keeps what fits', () => {
        expect(value({ base: 3, kind: '火', tags: ['a'], target: { name: '狼', hp: 5 }, level: null, either: 'max' }))
            .toEqual({ base: 3, count: 1, kind: '火', tags: ['a'], target: { name: '狼', hp: 5 }, level: null, either: 'max' });
    });

    it.each<[string, unknown, unknown]>([
        ['numeric text', { base: ' 12.5 ' }, { base: 12.5, count: 1 }],
        ['full-width digits', { base: '１２' }, { base: 12, count: 1 }],
        ['a Unicode minus', { base: 1, count: '−2' }, { base: 1, count: -2 }],
        ['a whole float', { base: 1, count: 2.0 }, { base: 1, count: 2 }],
        ['words of truth', { base: 1, crit: 'True' }, { base: 1, count: 1, crit: true }],
        ['the case of an enum', { base: 1, kind: ' ice' }, { base: 1, count: 1, kind: 'Ice' }],
        ['one for a list', { base: 1, tags: 'a' }, { base: 1, count: 1, tags: ['a'] }],
        ['JSON in text', { base: 1, tags: '["a", 2]', target: '{"name":"狼"}' }, { base: 1, count: 1, tags: ['a', '2'], target: { name: '狼' } }],
        ['null for an absent one', { base: 1, kind: null, crit: null }, { base: 1, count: 1 }],
        ['all params as JSON text', '{"base": 7}', { base: 7, count: 1 }],
        ['unknown ones stay', { base: 1, note: { a: [1] } }, { base: 1, count: 1, note: { a: [1] } }],
        ['numbers in text of a union', { base: 1, either: '5' }, { base: 1, count: 1, either: 5 }],
    ])('coerces %s', (_name, params, expected) => {
        expect(value(params)).toEqual(expected);
    });

    it.each<[unknown, string]>([
        [{}, '缺少参数 base'],
        [undefined, '缺少参数 base'],
        [{ base: '十' }, '参数 base 应为 number，收到 "十"'],
        [{ base: true }, '参数 base 应为 number，收到 true'],
        [{ base: '' }, '参数 base 应为 number，收到 ""'],
        [{ base: -1 }, '参数 base 不得小于 0，收到 -1'],
        [{ base: 101 }, '参数 base 不得大于 100，收到 101'],
        [{ base: 1, count: 2.5 }, '参数 count 应为 integer，收到 2.5'],
        [{ base: 1, kind: '雷' }, '参数 kind 只能是 "火", "Ice"，收到 "雷"'],
        [{ base: 1, tags: ['a', 'b', 'c', 'd'] }, '参数 tags 的长度为 4，至多 3'],
        [{ base: 1, tags: [{}] }, '参数 tags[0] 应为 string，收到 {}'],
        [{ base: 1, target: { hp: 'x' } }, '缺少参数 target.name；参数 target.hp 应为 integer，收到 "x"'],
        [{ base: 1, either: [] }, '参数 either 不符合任何一种允许的形式：[]'],
        [[1], '参数 params 应为 object，收到 [1]'],
        ['d20', '参数 params 应为 object，收到 "d20"'],
    ])('refuses %j', (params, text) => {
        expect(value(params)).toBe(text);
    });

    it('drops what additionalProperties: false forbids', () => {
        expect(checkParameters({ type: 'object', properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 })).toEqual({ ok: true, value: { a: 1 } });
    });

    it('carries no __proto__ through', () => {
        const params: unknown = JSON.parse('{"base": 1, "__proto__": {"polluted": 1}, "x": {"__proto__": {"polluted": 1}}}');
        const result = value(params) as Record<string, Record<string, unknown>>;
        expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
        expect(Object.keys(result['x'] ?? {})).toEqual([]);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    it('never throws, changes nothing it was given, and is stable', () => {
        fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (anySchema, params) => {
            const before = JSON.stringify(params);
            const loose = typeof anySchema === 'object' && anySchema !== null && !Array.isArray(anySchema) ? anySchema as Record<string, unknown> : { properties: { a: anySchema } };
            const result = checkParameters(loose, params);
            expect(JSON.stringify(params)).toBe(before);
            if (result.ok) expect(checkParameters(loose, result.value)).toEqual(result);
        }));
    });
});
