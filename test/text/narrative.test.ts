import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { narrativeOf } from '../../src/text/narrative';
import { tagContents } from '../../src/text/tags';

const prose = (text: string) => narrativeOf(text).narrative;

describe('the narrative of a message', () => {
    it.each([
        ['variable blocks', '<context>走。<UpdateVariable>\n<Analysis>x</Analysis>\n_.set("hp", 1);\n</UpdateVariable>停。</context><StatusPlaceHolderImpl/>', '走。停。'],
        ['an unclosed variable block', '走。\n<UpdateVariable>_.set("hp", 1);', '走。'],
        ['lower-case and other variable blocks', '走。<update>a</update><variableupdate>b</variableupdate><initvar>c</initvar><status_current_variable>d</status_current_variable><JSONPatch>[]</JSONPatch>', '走。'],
        ['a placeholder without its slash', '<StatusPlaceHolderImpl>走。', '走。'],
        ['status blocks', '<StatusBlock>HP 3</StatusBlock>走。<状态栏>饿</状态栏><div class="status-bar">HP</div>', '走。'],
        ['HTML', '<p>走。</p><p>“<font color="red">停</font>”。<br>看<b>灯</b>。</p>', '走。\n“停”。\n看灯。'],
        ['an HTML page and fences', '走。\n```html\n<html><body>面板</body></html>\n```\n停。\n~~~\nx\n~~~', '走。\n\n停。'],
        ['comments', '走<!-- 伏笔\n -->。', '走。'],
        ['reasoning', '<think>要写<context>草稿</context></think><context>走。</context>', '走。'],
        ['reasoning opened by the template', '先想想。</think>走。', '走。'],
        ['reasoning that never closes, the story after it', '<thinking>先想\n<context>走。</context>', '走。'],
        ['a summary and tool outputs', '<context>走。</context>\n\n<summary>[第1轮] 用户意图：走</summary>\n\n<panel>HP</panel>', '走。'],
        ['a context that was cut off', '<context>走。停', '走。停'],
        ['a lone closing tag', '走。</context>\n<summary>x</summary>', '走。'],
        ['a forgotten inner closing tag', '<context>走。<context>停。</context>', '走。停。'],
        ['a story in a plain fence', '```\n走。\n```', '走。'],
        ['what only looks like markup', 'a < b，c > d，<勿近>，1<2', 'a < b，c > d，<勿近>，1<2'],
        ['emphasis', '*走*，**停**。', '*走*，**停**。'],
    ])('cleans %s', (_name, text, expected) => {
        expect(prose(text)).toBe(expected);
    });

    it('comes back as it is when cleaned again', () => {
        const piece = fc.constantFrom('走。', '\n', '<context>', '</context>', '<b>', '</b>', '<think>', '</think>', '```', '\n```\n', '<details>', '</details>', '<UpdateVariable>', '</UpdateVariable>', '<x>', '</x>', '<', '>', '"', '<summary>', '</summary>', '<!--', '-->', ' ');
        fc.assert(fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
            const once = prose(pieces.join(''));
            expect(prose(once)).toBe(once);
        }), { numRuns: 500 });
    });
});

describe('tagContents', () => {
    it('gives outermost closed contents in order, whatever case, attributes and blanks', () => {
        expect(tagContents('<Panel a=">"> 1 </panel >x<PANEL>2<panel>3</panel></PANEL><panel>4', 'panel')).toEqual([' 1 ', '2<panel>3</panel>']);
        expect(tagContents('<state_panel>a</state_panel><state_panel_b>c</state_panel_b>', 'state_panel')).toEqual(['a']);
    });
});
