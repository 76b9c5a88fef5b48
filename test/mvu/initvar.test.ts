import { describe, expect, it } from 'vitest';
import { readInitvar } from '../../src/mvu/initvar';
import { agrees, casesOf } from './fixture-cases';

function read(...contents: string[]) {
    return readInitvar(contents.map((content, index) => ({ id: `book#${index}`, comment: '[initvar]', content })));
}

describe('the initvar cases', () => {
    for (const each of casesOf('initvar')) {
        it(`${each.id}: ${each.why}`, () => {
            const entries = each.input['entries'] as { comment: string; content: string }[];
            const macros = each.input['macros'] as Record<string, string>;
            for (const substitute of [(text: string) => text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => macros[name] ?? whole), (text: string) => text]) {
                const result = readInitvar(entries.map((entry, uid) => ({ ...entry, id: `book#${uid}` })), substitute);
                if (result.tree === null) expect(result.notices.some((told) => told.level === 'error')).toBe(true);
                const actual = result.tree === null ? 'error' : { stat_data: result.tree };
                expect(agrees(actual, each.expected), JSON.stringify(actual)).toBe(true);
            }
        });
    }
});

describe('readInitvar', () => {
    it('reads the example of the seed', () => {
        const { tree, notices } = read('{"主角":{"生命值":100,"信用点数":500,"改装仓库":["基础扫描器","维修工具包"]},"世界":{"当前地点":"起点","天气":"晴朗"}}');
        expect(tree).toEqual({ 主角: { 生命值: 100, 信用点数: 500, 改装仓库: ['基础扫描器', '维修工具包'] }, 世界: { 当前地点: '起点', 天气: '晴朗' } });
        expect(notices).toEqual([]);
    });

    it.each([
        ['JSON5', "{ // hero\n 主角: { 生命值: +100, 护甲: .5, 代号: 0x10, 名: 'it\\'s', }, }", { 主角: { 生命值: 100, 护甲: 0.5, 代号: 16, 名: "it's" } }],
        ['a missing brace', '{"a": {"b": 1', { a: { b: 1 } }],
        ['full-width punctuation in JSON', '{"a"：1，"b"："x，y"}', { a: 1, b: 'x，y' }],
        ['a fence', '```yaml\na:\n  b: 1\n```', { a: { b: 1 } }],
        ['a wrapper around a fence', '<initvar>\n```json\n{"a": 1}\n```\n</initvar>', { a: 1 }],
        ['full-width colons below an ASCII one', '主角:\n  生命值：100\n  评语: |\n    甲：乙\n  在场:\n    - 丙：丁\n', { 主角: { 生命值: 100, 评语: '甲：乙\n', 在场: ['丙：丁'] } }],
        ['a fence inside prose', '初始变量如下：\n```json\n{"a":1}\n```\n以上', { a: 1 }],
        ['an object with prose after it', '{"a":1}\n说明', { a: 1 }],
        ['a macro as a key', '{{user}}:\n  hp: 1\n', { '{{user}}': { hp: 1 } }],
        ['bare values YAML reserves', '名: @某人\n备: [待定] 无\n重: *星*\n地: 城: 西\n数: 5', { 名: '@某人', 备: '[待定] 无', 重: '*星*', 地: '城: 西', 数: 5 }],
        ['an inline object with full-width punctuation', '主角：{生命值：100，名：甲}', { 主角: { 生命值: 100, 名: '甲' } }],
        ['a key written twice: the later wins', 'a: 1\na: 2', { a: 2 }],
        ['anchors', 'b: &b\n  x: 1\nc:\n  <<: *b\n  y: 2', { b: { x: 1 }, c: { x: 1, y: 2 } }],
        ['full-width blanks as indentation', '甲:\n\u3000乙: 1', { 甲: { 乙: 1 } }],
    ])('reads %s', (_, content, tree) => {
        expect(read(content).tree).toEqual(tree);
    });

    it.each([['prose', '这是一段说明。'], ['prose with a colon', '请注意，以下是说明：生命值从一百开始。'], ['a list', '[1, 2]'], ['TOML', 'hp = 1\nmp = 2'], ['a half-readable YAML', 'a: [1, 2\nb: "x'], ['a number', '5'], ['a tree deeper than any real one', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`], ['two documents', 'a: 1\n---\nb: 2']])('refuses %s and says which entry', (_, content) => {
        const { tree, notices } = read(content);
        expect(tree).toBeNull();
        expect(notices).toEqual([{ level: 'error', code: 'mvu.initvar-unreadable', params: { entry: 'book#0', title: '[initvar]' } }]);
    });

    it('merges the entries of a book in the order of uid, whatever order they come in', () => {
        const { tree, sources } = readInitvar([
            { id: 'book#7', comment: '', content: '{"a":{"x":2,"list":[9]}}' },
            { id: 'book#3', comment: '', content: '{"a":{"x":1,"y":1,"list":[1,2,3]}}' },
            { id: 'other#0', comment: '', content: '{"a":{"z":1},"b":1}' },
        ]);
        expect(tree).toEqual({ a: { x: 2, y: 1, list: [9] }, b: 1 });
        expect(sources.map((source) => source.entry)).toEqual(['book#3', 'book#7', 'other#0']);
    });

    it('reads what an input method made full-width', () => {
        expect(readInitvar([{ id: 'book#0', comment: '[initvar]', content: '｛“主角”：｛“体力”：100，“行囊”：［“斗篷”］｝｝' }]).tree).toEqual({ 主角: { 体力: 100, 行囊: ['斗篷'] } });
    });

    it('keeps the other entries when one cannot be read', () => {
        const { tree, notices } = read('a: 1', '胡言', '{"b": 2}');
        expect(tree).toEqual({ a: 1, b: 2 });
        expect(notices).toHaveLength(1);
    });

    it('moves markers to the schema', () => {
        const { tree, schema } = read('{"包": {"$meta": {"extensible": true, "required": ["钱"]}, "钱": 1, "信": 2}, "列": ["$__META_EXTENSIBLE__$", "甲"], "闭": [{"$arrayMeta": true, "$meta": {"template": {"数": 1}}}, {"名": "a"}]}');
        expect(tree).toEqual({ 包: { 钱: 1, 信: 2 }, 列: ['甲'], 闭: [{ 名: 'a' }] });
        expect(schema.extensible).toBe(false);
        expect(schema.properties['包']).toMatchObject({ extensible: true, properties: { 钱: { required: true }, 信: { required: false } } });
        expect(schema.properties['列']).toMatchObject({ extensible: true, elementType: { type: 'string' } });
        expect(schema.properties['闭']).toMatchObject({ extensible: false, template: { 数: 1 } });
    });

    it('survives a name that would break the syntax', () => {
        const { tree } = readInitvar([{ id: 'b#0', comment: '', content: '{"名": "{{user}}"}' }], (text) => text.replaceAll('{{user}}', '阿"呆": x'));
        expect(tree).toEqual({ 名: '阿"呆": x' });
    });

    it('does not touch the prototype', () => {
        const { tree } = read('{"__proto__": {"polluted": 1}, "a": 1}');
        expect(Object.keys(tree ?? {})).toEqual(['a']);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
});
