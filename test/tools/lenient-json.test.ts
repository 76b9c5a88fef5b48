import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOfField } from '../../src/tools/json-position';
import { readLenientJson } from '../../src/tools/lenient-json';

function value(text: string): unknown {
    const reading = readLenientJson(text);
    return reading.ok ? reading.value : `refused: ${reading.problem} line ${reading.line}`;
}

describe('readLenientJson', () => {
    it('takes strict JSON as it is, whatever it holds', () => {
        fc.assert(fc.property(fc.jsonValue(), (data) => {
            expect(readLenientJson(JSON.stringify(data))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(data)), repairs: [] });
        }));
    });

    it('reads any object the same with a trailing comma, a comment and blanks', () => {
        fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, noNullPrototype: true }), (data) => {
            const text = `// 说明\n${JSON.stringify(data, null, 2).slice(0, -2)},\n}\n`;
            expect(value(text)).toEqual(JSON.parse(JSON.stringify(data)));
        }), { numRuns: 300 });
    });

    it.each<[string, string, unknown]>([
        ['raw newlines in a string', '{"code":"const a = 1;\n// raw\nreturn a;","b":1}', { code: 'const a = 1;\n// raw\nreturn a;', b: 1 }],
        ['CRLF', '{"code":"a\r\nb",}', { code: 'a\nb' }],
        ['trailing commas', '{"a":[1,2,],"b":{"c":1,},}', { a: [1, 2], b: { c: 1 } }],
        ['comments', '{/* x */"a":1,// y\n"b":"// kept /* kept */"}', { a: 1, b: '// kept /* kept */' }],
        ['JSON5 quotes and keys', '{type: \'llm\', "p": \'say "hi", it\\\'s\',}', { type: 'llm', p: 'say "hi", it\'s' }],
        ['template literal', '{type:"code", code:`if (a) {\n return "x";\n}`}', { type: 'code', code: 'if (a) {\n return "x";\n}' }],
        ['joined strings', '{code: "a;" +\n "b;", n: 1}', { code: 'a;b;', n: 1 }],
        ['unescaped quotes in code', '{"code":"return params.name + "x";","trigger":"planning"}', { code: 'return params.name + "x";', trigger: 'planning' }],
        ['unescaped quotes in a ternary', '{"code":"return a < 3 ? "低" : "高";","b":1}', { code: 'return a < 3 ? "低" : "高";', b: 1 }],
        ['unescaped arguments', '{"code":"return f("a", "b");"}', { code: 'return f("a", "b");' }],
        ['unescaped quotes in prose', '{"system_prompt":"他说"你好"，然后走了", "type":"llm"}', { system_prompt: '他说"你好"，然后走了', type: 'llm' }],
        ['full-width punctuation', '{“type”：“llm”，“trigger”："planning"}', { type: 'llm', trigger: 'planning' }],
        ['missing comma at a line end', '{"a":"x"\n"b":1\n"c":true}', { a: 'x', b: 1, c: true }],
        ['missing closing brace', '{"a":{"b":"c"}', { a: { b: 'c' } }],
        ['a fence around', '```json\n{"a":1,}\n```', { a: 1 }],
        ['the seed\'s head lines', '// comment: [TOOL:x]\n// content:\n{"a":"b"}', { a: 'b' }],
        ['prose before', '工具如下：\n{"a":1}', { a: 1 }],
        ['a semicolon after', '{a:1};', { a: 1 }],
        ['numbers of JSON5', '{a:+1,b:.5,c:0x10,d:-2,e:1.}', { a: 1, b: 0.5, c: 16, d: -2, e: 1 }],
        ['words', '{a:True,b:None,c:llm}', { a: true, b: null, c: 'llm' }],
        ['backslashes JSON does not know', '{"code":"return /\\d+/.test(params.t);"}', { code: 'return /\\d+/.test(params.t);' }],
        ['a BOM', '\uFEFF{"a":1}', { a: 1 }],
    ])('%s', (_name, text, expected) => {
        expect(value(text)).toEqual(expected);
    });

    it('says what it overlooked, and where', () => {
        const reading = readLenientJson('{\n"a": 1,\n"code": "x = "y";",\n}');
        expect(reading.ok && reading.repairs).toEqual([
            { kind: 'inner-quote', line: 3, risky: true },
            { kind: 'comma', line: 3, risky: false },
        ]);
    });

    it('refuses the unclear with a line', () => {
        expect(value('just text')).toBe('refused: no-object line 1');
        expect(value('')).toBe('refused: no-object line 1');
        expect(value('{\n"a": "open\n}')).toBe('refused: unclosed-string line 2');
        expect(value('{"a":1}\n{"b":2}')).toBe('refused: several line 2');
        expect(value('{\n"a": 1 2,\n}')).toBe('refused: unexpected line 2');
        expect(value('['.repeat(500))).toMatch(/refused/);
        expect(value(`{"a":${'['.repeat(500)}`)).toBe('refused: depth line 1');
    });

    it('never throws and never hangs', () => {
        const piece = fc.constantFrom('{', '}', '[', ']', '"', '\'', ':', ',', '\\', '\n', '//', '/*', 'a', '：', '“', '`', '+', '1', ' ');
        fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
            readLenientJson(parts.join(''));
        }), { numRuns: 2000 });
    });

    it.each([
        ['comments that reach to the end', `{"a": "${'"/*'.repeat(20_000)}*/`],
        ['quotes', `{"a": ${'"'.repeat(60_000)}`],
        ['quotes and commas', `{"a": "${'", "'.repeat(15_000)}`],
        ['backslashes', `{"a": "${'\\'.repeat(60_000)}`],
        ['blanks', `{"a": "${'" '.repeat(100)}${' '.repeat(60_000)}`],
        ['fences', `\`\`\`\n${'\n\`\`\` '.repeat(12_000)}x`],
        ['a megabyte', `{"a": "${'"x'.repeat(500_000)}`],
    ])('a hostile entry costs little time: %s', (_name, text) => {
        const started = performance.now();
        readLenientJson(text);
        expect(performance.now() - started).toBeLessThan(400);
    });

    it('does not set a prototype', () => {
        const read = value('{"__proto__": {"polluted": 1},}') as Record<string, unknown>;
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
});

it('lineOfField follows the path', () => {
    const text = '{\n  "type": "code",\n  "function": {\n    "name": "x",\n    "description": "type: y"\n  },\n  code: "z"\n}';
    expect(lineOfField(text, ['function', 'name'])).toBe(4);
    expect(lineOfField(text, ['code'])).toBe(7);
    expect(lineOfField(text, ['absent'])).toBe(1);
});
