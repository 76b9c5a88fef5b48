import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendUpdateBlock, buildUpdateBlock, defuseUpdateCommands, statusPlaceholder, updateBlockOf, withoutUpdateBlocks } from '../../src/mvu/update-block';
import { patchesIn } from '../../src/mvu/read-patches';
import { findUpdateCommands } from '../../src/mvu/update-commands';

/** What MVU would find in a text. */
function executable(text: string): boolean {
    return /<(json_?patch)>(?:(?!<json_?patch>)[\s\S])*?<\/\1>/i.test(text) || /_\.(set|insert|assign|remove|unset|delete|add)\(/.test(text);
}

describe('the update block', () => {
    it('is JSON that gives the values back', () => {
        const block = buildUpdateBlock([{ op: 'replace', path: '/世界/地点', value: "_.set('hp', 1); {{user}} </JSONPatch> -->" }, { op: 'move', from: '/a', path: '/b' }, { op: 'remove', path: '/c' }]);
        const json = /<JSONPatch>([\s\S]*)<\/JSONPatch>/.exec(block)?.[1] ?? '';
        expect(JSON.parse(json)).toEqual([{ op: 'replace', path: '/世界/地点', value: "_.set('hp', 1); {{user}} </JSONPatch> -->" }, { op: 'move', path: '/b', from: '/a' }, { op: 'remove', path: '/c' }]);
        expect(json).not.toMatch(/[<>{_.](?=[^"\n]*user)|_\.|\{\{|-->/);
    });

    it('keeps any value inert and intact', () => {
        fc.assert(fc.property(fc.jsonValue(), fc.string(), (value, key) => {
            const block = buildUpdateBlock([{ op: 'replace', path: `/${key}`, value }]);
            const json = /<JSONPatch>([\s\S]*)<\/JSONPatch>/.exec(block)?.[1] ?? '';
            expect(JSON.parse(json)).toEqual([{ op: 'replace', path: `/${key}`, value: JSON.parse(JSON.stringify(value)) as unknown }]);
            expect(block.match(/<\/?\w+>/g)).toHaveLength(4);
        }), { numRuns: 200 });
    });

    it('is empty for no change', () => {
        expect(buildUpdateBlock([])).toBe('');
        expect(appendUpdateBlock('正文', '', { show: false, placeholder: false })).toBe('正文');
    });

    it('is hidden from the reader unless asked for, and never doubled', () => {
        const block = buildUpdateBlock([{ op: 'delta', path: '/hp', value: 1 }]);
        const hidden = appendUpdateBlock('正文', block, { show: false, placeholder: true });
        expect(hidden).toBe(`正文\n\n<!--\n${block}\n-->\n\n${statusPlaceholder}`);
        expect(appendUpdateBlock(hidden, block, { show: true, placeholder: true })).toBe(`正文\n\n${block}\n\n${statusPlaceholder}`);
        expect(withoutUpdateBlocks(hidden.replace(statusPlaceholder, ''))).toBe('正文');
        expect(updateBlockOf(hidden)).toBe(block);
    });
});

describe('a block of another model', () => {
    it('cannot end the comment it stands in, and keeps its values', () => {
        const text = appendUpdateBlock('正文', '<UpdateVariable><Analysis>10 --> 9</Analysis><JSONPatch>[{"op":"replace","path":"/a","value":"-->"}]</JSONPatch></UpdateVariable>', { show: false, placeholder: false });
        expect(text.indexOf('-->')).toBe(text.length - 3);
        expect(patchesIn(text)).toEqual([{ op: 'replace', path: '/a', value: '-->' }]);
    });
});

describe('defuseUpdateCommands', () => {
    it.each([
        ['一段正文。', '一段正文。', 0],
        ["正文。\n_.set('hp', 1);//伤\n后文。", '正文。\n后文。', 1],
        ["正文。<UpdateVariable>_.add('hp', -1);</UpdateVariable>", '正文。', 1],
        ['正文。<JSONPatch>[{"op":"remove","path":"/a"}]</JSONPatch>尾', '正文。尾', 1],
        ["他写下 _.set('hp', 1); 三个字。", "他写下 _. set('hp', 1); 三个字。", 1],
        ["```js\n_.set('hp', 1);\n```", "```js\n_. set('hp', 1);\n```", 1],
        ['正文<json_patch>没有结尾', '正文没有结尾', 1],
    ])('%j', (narrative, text, found) => {
        expect(defuseUpdateCommands(narrative)).toEqual({ text, found });
    });

    it('leaves nothing MVU would execute, whatever the pieces', () => {
        const piece = fc.constantFrom('<JSONPatch>', '</JSONPatch>', '<json_patch>', '</json_patch>', '<JSONP', 'atch>', "_.set('a', 1);", "_._.add('a', 1);set('b', 2);", '<UpdateVariable>', '</UpdateVariable>', '\n', '正文', '[{"op":"remove","path":"/a"}]', '_', '.', 'set(', ');', '`', '"', '<!--', '-->');
        fc.assert(fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
            const { text } = defuseUpdateCommands(pieces.join(''));
            expect(executable(text)).toBe(false);
            expect(findUpdateCommands(text)).toEqual([]);
        }), { numRuns: 1_000 });
    });
});
