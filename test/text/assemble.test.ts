import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { assembleMessage, disassembleMessage, joinContinuation, unwrapNarrative } from '../../src/text/assemble';

describe('assembling a message', () => {
    it('follows the seed to the letter', () => {
        expect(assembleMessage({ narrative: '门开了。', summary: '[第1轮] 用户意图：开门 | 叙事要点：门开了', outputs: ['<panel>HP 3</panel>', '<map/>'], updateBlock: '<UpdateVariable></UpdateVariable>' }))
            .toBe('<context>门开了。</context>\n\n<summary>[第1轮] 用户意图：开门 | 叙事要点：门开了</summary>\n\n<panel>HP 3</panel>\n\n<map/>\n\n<UpdateVariable></UpdateVariable>');
        expect(assembleMessage({ narrative: '门开了。' })).toBe('<context>门开了。</context>');
    });

    it('unwraps what the model wrapped itself, and keeps prose it put behind', () => {
        expect(assembleMessage({ narrative: '好的：\n<context>\n*门*开了。\n</context>\n<summary>旧</summary>' })).toBe('<context>*门*开了。</context>');
        expect(assembleMessage({ narrative: '<think>想</think><context>一。</context>\n二。' })).toBe('<context>一。\n\n二。</context>');
        expect(assembleMessage({ narrative: '灯下有字：<context>勿近</context>。' })).not.toContain('<context><context>');
    });

    it('comes apart again, formatting kept', () => {
        const word = fc.array(fc.constantFrom('门', '开', ' a ', '**b**', '\n\n', '“', '。', '<b>c</b>', '```\nx\n```', '$&'), { minLength: 1, maxLength: 12 }).map((parts) => `甲${parts.join('')}乙`);
        const output = fc.constantFrom('<panel>HP 3</panel>', '<map a="1"/>', '<x><y>1</y></x>', '```html\n<b>1</b>\n```');
        fc.assert(fc.property(word, fc.option(fc.constantFrom('[第1轮] 用户意图：开门 | 叙事要点：门开了', 'plain')), fc.array(output, { maxLength: 3 }), (narrative, summary, outputs) => {
            const parts = disassembleMessage(assembleMessage({ narrative, summary, outputs }));
            expect(parts).toEqual({ narrative, summary, rest: outputs.join('\n\n'), continuation: '', tagged: true });
        }));
    });

    it('finds what a continue added, behind outputs it does not know and of any text it does', () => {
        const whole = assembleMessage({ narrative: '门开', summary: 's', outputs: ['<panel>HP</panel>'] });
        expect(disassembleMessage(`${whole}了一条缝。`)).toMatchObject({ narrative: '门开', summary: 's', rest: '<panel>HP</panel>', continuation: '了一条缝。' });
        expect(disassembleMessage(`${whole}\n\n<context>风<b>进</b>来。</context>`)).toMatchObject({ narrative: '门开', rest: '<panel>HP</panel>', continuation: '\n\n风<b>进</b>来。' });
        const plain = assembleMessage({ narrative: '门开', summary: 's', outputs: ['体力 3', '金币 2'] });
        expect(disassembleMessage(`${plain} 了。`, ['体力 3', 4])).toMatchObject({ rest: '体力 3\n\n金币 2', continuation: ' 了。' });
        expect(disassembleMessage('<context>门开</context>了。')).toMatchObject({ narrative: '门开', continuation: '了。', summary: null });
    });

    it('takes a commented variable block whole, and no part of it for prose', () => {
        const block = '<!--\n<UpdateVariable>\n<JSONPatch>[]</JSONPatch>\n</UpdateVariable>\n-->';
        const whole = assembleMessage({ narrative: '门开', summary: 's', updateBlock: block });
        expect(disassembleMessage(whole)).toMatchObject({ narrative: '门开', rest: block, continuation: '' });
        expect(unwrapNarrative(whole)).toBe('门开');
        expect(disassembleMessage(`${whole}了。`)).toMatchObject({ rest: block, continuation: '了。' });
    });

    it('joins a continuation to its narrative', () => {
        expect(joinContinuation('门开', '了一条缝。')).toBe('门开了一条缝。');
        expect(joinContinuation('He opened', ' the door.')).toBe('He opened the door.');
        expect(joinContinuation('门开了。', '风进来。')).toBe('门开了。\n\n风进来。');
        expect(joinContinuation('门开了。', '')).toBe('门开了。');
    });

    it('takes a message of before the extension whole', () => {
        expect(disassembleMessage('门开了。')).toEqual({ narrative: '门开了。', summary: null, rest: '', continuation: '', tagged: false });
    });
});
