import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baselineSchema } from '../../src/state/baseline';
import { importOriginal } from '../../src/state/import-original';

const state = { time: { day: 2, hour: 5, minute: 6 }, location: '渡口', inventory: { 铜板: 4, 坏: -1 }, relationships: { 艾琳: 30, 坏: 999 }, quests: { 送信: 'active', 寻剑: { status: 'failed', stage: '桥' }, 坏: 5 }, flags: { 门: true }, eventLog: [{ type: 'move', params: { location: '渡口' } }, 'x'] };
const lines = ['[第1轮] 用户意图：a | 叙事要点：b', '[第2轮] c'];
const read = (chatStates: unknown, checkpoints: Record<string, string> = {}) => importOriginal({ chatStates, checkpoints, chatKeys: ['艾琳 - 2024', '艾琳.png/艾琳 - 2024'], turns: 5 });

describe('importOriginal', () => {
    it.each<[string, unknown]>([
        ['under state', { state, summaries: lines }],
        ['under gameState', { gameState: state, summaryStore: { entries: lines } }],
        ['flat', { ...state, summaries: lines }],
        ['as objects', { stateManager: { state }, summaries: lines.map((text, index) => ({ turn: index + 1, text })) }],
        ['as JSON text', JSON.stringify({ state, summaries: lines.join('\n') })],
    ])('reads a chat state %s', (_name, value) => {
        const { baseline, notices } = read({ '艾琳 - 2024': value, 别的: {} });
        expect(baseline?.state).toMatchObject({ time: { day: 2, hour: 5, minute: 6 }, location: '渡口', inventory: { 铜板: 4 }, relationships: { 艾琳: 30 }, quests: { 送信: { status: 'active' }, 寻剑: { status: 'failed', stage: '桥' } }, flags: { 门: true } });
        expect(baseline?.state.inventory).toEqual({ 铜板: 4 });
        expect(baseline?.summaries).toEqual([{ turn: 1, text: '用户意图：a | 叙事要点：b' }, { turn: 2, text: 'c' }]);
        expect(baseline?.coversTurns).toBe(5);
        expect(notices.map((one) => one.code)).toEqual(['state.original-imported', 'state.original-dropped']);
        expect(baselineSchema.safeParse(JSON.parse(JSON.stringify(baseline))).success).toBe(true);
    });
    it('falls back to the latest checkpoint of the chat', () => {
        const at = (turn: number, location: string) => JSON.stringify({ turn, state: { ...state, location } });
        const { baseline, found } = read({}, { 'na:checkpoint:艾琳 - 2024:3': at(3, '三'), 'na:checkpoint:艾琳 - 2024:10': at(10, '十'), 'na:checkpoint:别人:99': at(99, '别处') });
        expect(baseline?.state.location).toBe('十');
        expect(found.checkpoints).toHaveLength(2);
    });
    it('says nothing where the chat is not there, and says so where it cannot be read', () => {
        expect(read({ 别的: { state } })).toEqual({ baseline: null, notices: [], found: { chatStates: [], checkpoints: [] } });
        const bad = read({ '艾琳 - 2024': { foo: 1 } });
        expect(bad.baseline).toBeNull();
        expect(bad.notices[0]?.code).toBe('state.original-unreadable');
    });
    it('takes any garbage without throwing, and what it gives is valid', () => {
        fc.assert(fc.property(fc.anything(), fc.anything(), fc.string(), (a, b, text) => {
            const { baseline } = read({ '艾琳 - 2024': { state: a, inventory: b, summaries: b } }, { 'na:艾琳 - 2024': text });
            if (baseline) expect(baselineSchema.safeParse(JSON.parse(JSON.stringify(baseline))).error).toBeUndefined();
        }), { numRuns: 300 });
        const polluted = read(JSON.parse('{"艾琳 - 2024":{"state":{"inventory":{"__proto__":{"x":1},"剑":1}}}}'));
        expect(polluted.baseline?.state.inventory).toEqual({ 剑: 1 });
        expect(({} as Record<string, unknown>).x).toBeUndefined();
    });
});
