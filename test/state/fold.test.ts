import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TurnRecord } from '../../src/turn-record';
import type { Baseline } from '../../src/state/baseline';
import { createFolder, foldTurns } from '../../src/state/fold';
import { initialState } from '../../src/state/state';
import { summaryMark } from '../../src/text/summary-line';
import type { Turn } from '../../src/text/turn';
import { event, record, reply, turn, turnsOf } from './make';

const told = (turns: Turn[], baseline?: Baseline): string[] => foldTurns(turns, baseline).summaries.map((entry) => entry.text);

describe('foldTurns', () => {
    it('starts at the seed state', () => expect(foldTurns([]).state).toEqual(initialState()));

    it('applies the analysis, then the user, and says what changed', () => {
        const fold = foldTurns(turnsOf([
            record({ events: [event('add_item', { item: '钥匙', quantity: 2 }), event('remove_item', { item: '剑' })], corrections: [event('set_item', { item: '钥匙', quantity: 1 })] }),
            record({ events: [event('move', { location: '北塔' }), event('move', { location: '起点' })] }),
        ]));
        expect(fold.state.inventory).toEqual({ 钥匙: 1 });
        expect(fold.turns[1]?.events.map(({ by, accepted }) => [by, accepted])).toEqual([['analysis', true], ['analysis', false], ['user', true]]);
        expect(fold.turns[1]?.changes).toEqual([{ path: 'inventory.钥匙', before: undefined, after: 1 }]);
        expect(fold.turns[2]?.changes).toEqual([]);
        expect(fold.state.eventLog).toHaveLength(5);
    });

    it('user events inside an analysis are refused', () => {
        expect(foldTurns(turnsOf([record({ events: [event('set_item', { item: '钥匙', quantity: 9 })] })])).state.inventory).toEqual({});
    });

    it('numbers summaries itself', () => {
        expect(told(turnsOf([record({ summary: '[第9轮] 用户意图：a | 叙事要点：b' }), record({ summary: '【第三轮】第3轮：c\nd' }), record({ summary: '[Turn 7] e' }), record({ summary: '  ' })])))
            .toEqual(['[第1轮] 用户意图：a | 叙事要点：b', '[第2轮] c d', '[第3轮] e']);
    });

    it('gives one line to each reply of a group turn, and reads summaries that only the message holds', () => {
        const turns = [turn(1, [reply(1, { record: record({ summary: '甲' }) }), reply(2, { writtenSummary: '[第8轮] 乙' })])];
        expect(told(turns)).toEqual(['[第1轮] 甲', '[第1轮] 乙']);
    });

    it('tells the status of a turn', () => {
        const status = (...replies: Parameters<typeof reply>[1][]) => foldTurns([turn(1, replies.map((part, index) => reply(index, part)))]).turns[0]?.status;
        expect(status()).toBe('none');
        expect(status({})).toBe('none');
        expect(status({ record: record() })).toBe('complete');
        expect(status({ record: record(), stale: true })).toBe('stale');
        expect(status({ record: record() }, {})).toBe('incomplete');
        expect(status({ record: record({ status: 'incomplete' }) }, { record: record({ status: 'pending' }) })).toBe('pending');
    });

    it('a stale record still counts', () => {
        const turns = [turn(1, [reply(1, { stale: true, record: record({ events: [event('move', { location: '桥' })] }) })])];
        expect(foldTurns(turns).state.location).toBe('桥');
    });

    it('folds 2,000 turns in under 50 ms', () => {
        const turns = turnsOf(Array.from({ length: 2000 }, (_, index) => record({
            id: `r${index}`, summary: `[第${index}轮] 用户意图：向前走 | 叙事要点：走了第${index}步，看见了许多东西`,
            events: [event('add_item', { item: `物${index % 200}`, quantity: 1 }), event('pass_time', { amount: '10', unit: '分钟' }), event('modify_relationship', { npc: `人${index % 50}`, delta: 1 })],
        })));
        foldTurns(turns);
        const times = Array.from({ length: 12 }).map(() => {
            const start = performance.now();
            foldTurns(turns);
            return performance.now() - start;
        });
        expect(Math.min(...times)).toBeLessThan(50);
    });
});

describe('chapters', () => {
    const plain = (text: string, part: Partial<TurnRecord> = {}) => record({ summary: text, ...part });
    const of = ['一', '二', '三'].map(summaryMark);
    const story = () => [plain('零'), plain('一'), plain('二'), plain('三', { chapter: { from: 2, to: 4, text: '[第2轮] 章', of } }), plain('四')];

    it('stand in the place of the summaries they were made from', () => {
        const fold = foldTurns(turnsOf(story()));
        expect(fold.summaries.map(({ from, to, chapter, text }) => [from, to, chapter, text])).toEqual([
            [1, 1, false, '[第1轮] 零'], [2, 4, true, '[第2-4轮] 章'], [5, 5, false, '[第5轮] 四'],
        ]);
    });
    it('go with the turn that carries them', () => expect(told(turnsOf(story().slice(0, 3)))).toEqual(['[第1轮] 零', '[第2轮] 一', '[第3轮] 二']));
    it('move when an earlier turn is deleted', () => expect(told(turnsOf(story().slice(1)))).toEqual(['[第1-3轮] 章', '[第4轮] 四']));
    it('lapse when one of their turns is deleted or told anew', () => {
        const gone = story();
        gone.splice(2, 1);
        expect(told(turnsOf(gone))).toEqual(['[第1轮] 零', '[第2轮] 一', '[第3轮] 三', '[第4轮] 四']);
        const anew = story();
        anew[1] = plain('一改');
        expect(told(turnsOf(anew))).toHaveLength(5);
    });
    it('without marks go by their turn numbers', () => {
        expect(told(turnsOf([plain('一'), plain('二', { chapter: { from: 1, to: 2, text: '章' } }), plain('三')]))).toEqual(['[第1-2轮] 章', '[第3轮] 三']);
        expect(told(turnsOf([plain('一', { chapter: { from: 1, to: 2, text: '章' } }), plain('二')]))).toEqual(['[第1轮] 一', '[第2轮] 二']);
    });
    it('the newest wins where two overlap', () => {
        const turns = turnsOf([plain('一'), plain('二', { chapter: { from: 1, to: 2, text: '旧' } }), plain('三', { chapter: { from: 2, to: 3, text: '新' } })]);
        expect(told(turns)).toEqual(['[第1轮] 一', '[第2-3轮] 新']);
    });
});

describe('a baseline', () => {
    const baseline: Baseline = {
        state: { ...initialState(), location: '旧城', inventory: { 剑: 1 } },
        summaries: [{ turn: 0, text: '前情' }, { turn: 1, text: '[第1轮] 甲' }, { turn: 2, text: '乙' }],
        coversTurns: 2,
    };
    it('is where the fold begins', () => {
        const turns = turnsOf([null, null, record({ summary: '丙', events: [event('add_item', { item: '剑' })] })]);
        expect(foldTurns(turns, baseline).state).toMatchObject({ location: '旧城', inventory: { 剑: 2 } });
        expect(told(turns, baseline)).toEqual(['[第0轮] 前情', '[第1轮] 甲', '[第2轮] 乙', '[第3轮] 丙']);
    });
    it('gives way to what the turns say themselves, and ends with the chat', () => {
        expect(told([turn(0), turn(1, [reply(1, { writtenSummary: '[第1轮] 甲改' })])], baseline)).toEqual(['[第0轮] 前情', '[第1轮] 甲改']);
    });
    it('is not counted twice when an old reply is analysed', () => {
        const again = (delivery: TurnRecord['delivery']) => foldTurns(turnsOf([record({ delivery, events: [event('add_item', { item: '剑' })] })]), baseline).state.inventory['剑'];
        expect(again('import')).toBe(1);
        expect(again('stream')).toBe(2);
    });
});

describe('createFolder', () => {
    it('gives what the plain fold gives, whatever the chat was before', () => {
        const anyRecord = fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 5, arbitrary: fc.record({
            status: fc.constantFrom('complete' as const, 'pending' as const, 'incomplete' as const),
            events: fc.array(fc.record({ type: fc.constantFrom('add_item', 'remove_item', 'pass_time'), params: fc.record({ item: fc.constantFrom('a', 'b'), quantity: fc.integer({ min: 0, max: 3 }), amount: fc.integer({ min: 0, max: 900 }) }) }), { maxLength: 2 }),
            summary: fc.constantFrom('甲', '乙', '丙'),
            chapter: fc.option(fc.record({ from: fc.integer({ min: 1, max: 5 }), to: fc.integer({ min: 1, max: 60 }), text: fc.constant('章') }), { nil: undefined, freq: 5 }),
        }).map((part) => record(part)) });
        const edit = fc.tuple(fc.nat(120), fc.nat(3), fc.array(anyRecord, { maxLength: 50 }));
        fc.assert(fc.property(fc.array(edit, { minLength: 1, maxLength: 8 }), (edits) => {
            const folder = createFolder();
            let records: (TurnRecord | null)[] = [];
            for (const [at, gone, added] of edits) {
                records = [...records.slice(0, at), ...added, ...records.slice(at + gone)];
                // Parsed anew at each reading, as from a chat: equal, not identical.
                const turns = turnsOf(records.map((one) => (one === null ? null : record(one))));
                expect(folder(turns)).toEqual(foldTurns(turns));
            }
        }), { numRuns: 150 });
    });
    it('notices a record that changed under the same id', () => {
        const folder = createFolder();
        folder(turnsOf([record({ status: 'pending' })]));
        expect(folder(turnsOf([record({ events: [event('move', { location: '桥' })] })])).state.location).toBe('桥');
    });
    it('gives the same object for an unchanged chat, and keeps the turns before a change', () => {
        const folder = createFolder();
        const records = [record(), record({ summary: 'b' })];
        const first = folder(turnsOf(records));
        expect(folder(turnsOf(records))).toBe(first);
        const grown = folder(turnsOf([...records, record()]));
        expect(grown.turns[1]).toBe(first.turns[1]);
        expect(first.turns).toHaveLength(3);
    });
});
