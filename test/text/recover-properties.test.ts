import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { recoverAnalysis } from '../../src/agents/merged-analysis/output';

describe('an output cut anywhere', () => {
    const events = [
        { type: 'add_item', params: { item: '铜"钥匙', quantity: 15 } },
        { type: 'move', params: { location: '渡口,}]' } },
        { type: 'set_flag', params: { flag: 'a', value: { x: [1, 23] } } },
    ];
    const entries = ['[第3轮] 用户意图：过“桥” | 叙事要点：未, 放行', 'b'];
    const texts = [JSON.stringify({ events, summary_entries: entries }), JSON.stringify({ events, summary_entries: entries }, null, 2), JSON.stringify({ summary_entries: entries, events })];

    it.each(texts)('gives only whole items, in order, and says it was cut: %#', (text) => {
        for (let length = 0; length < text.length; length += 1) {
            for (const finish of ['length', 'stop'] as const) {
                const read = recoverAnalysis(text.slice(0, length), finish);
                if (!read.ok) continue;
                expect(read.truncated).toBe(true);
                expect(read.value.events).toEqual(events.slice(0, read.value.events.length));
                expect(read.value.summary_entries).toEqual(entries.slice(0, read.value.summary_entries.length));
            }
        }
    });
});

describe('valid JSON', () => {
    const piece = fc.constantFrom('"', '\\', '\n', ',', ':', '{', '}', '[', ']', '“', '”', '，', '：', '门', 'a', ' ', '<think>', '</think>', '```', "'", '//', '#');
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => `x${pieces.join('')}y`);
    const event = fc.record({ type: fc.constant('move'), params: fc.record({ location: text }) });
    const around = fc.constantFrom(['', ''], ['```json\n', '\n```'], ['<think>a {"b"</think>', ''], ['好的：', '（完）']);

    it('comes through to the letter, whatever stands in its strings and around it', () => {
        fc.assert(fc.property(fc.array(event, { maxLength: 3 }), fc.array(text, { maxLength: 2 }), around, (events, summary_entries, [before, after]) => {
            const read = recoverAnalysis(before + JSON.stringify({ events, summary_entries }) + after, 'stop');
            expect(read).toMatchObject({ ok: true, truncated: false, value: { events, summary_entries } });
        }), { numRuns: 500 });
    });
});
