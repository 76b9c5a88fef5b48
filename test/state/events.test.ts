import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent } from '../../src/state/apply-event';
import { eventTypes, userEventTypes } from '../../src/state/event';
import type { GameState } from '../../src/state/state';
import { initialState } from '../../src/state/state';

type Params = Record<string, unknown>;

const base = (): GameState => ({
    ...initialState(),
    time: { day: 1, hour: 8, minute: 0 },
    inventory: { 铜板: 10, 火把: 2 },
    relationships: { 艾琳: 90 },
    quests: { 送信: { status: 'active' }, 旧账: { status: 'completed' } },
});

function apply(type: string, params: Params, by: 'analysis' | 'user' = 'analysis', state = base()) {
    return applyEvent(state, { type, params }, { turn: 3, by });
}
const reasonOf = (type: string, params: Params, by: 'analysis' | 'user' = 'analysis') => apply(type, params, by).record.reason?.code;

describe('the ten events', () => {
    it('move sets the place', () => expect(apply('move', { location: ' 北塔 ' }).state.location).toBe('北塔'));

    it.each([
        [5, 15], ['5', 15], ['+5', 15], ['５', 15], ['5个', 15], ['5 枚', 15], ['x5', 15], ['五', 15], ['五枚', 15], ['十二', 22], ['5铜板', 15], ['5枚铜板', 15], ['1,000', 1010], ['1.5万', 15010], [undefined, 11],
    ])('add_item reads %j', (quantity, owned) => expect(apply('add_item', { item: '铜板', quantity }).state.inventory['铜板']).toBe(owned));

    it.each([
        ['若干', 'state.not-number'], ['3-5', 'state.not-number'], ['3-5个', 'state.not-number'], ['十几个', 'state.not-number'], ['一百二', 'state.not-number'], ['1e3', 'state.not-number'], ['0x10', 'state.not-number'], ['10%', 'state.not-number'],
        ['', 'state.not-number'], [true, 'state.not-number'], [[3], 'state.not-number'], [{}, 'state.not-number'], [NaN, 'state.not-number'], [Infinity, 'state.not-number'], ['1,00', 'state.not-number'],
        [0, 'state.out-of-range'], [-1, 'state.out-of-range'], ['-3', 'state.out-of-range'], [1e15, 'state.out-of-range'], [2.5, 'state.not-whole'], ['半', 'state.not-whole'],
    ])('add_item refuses %j with %s', (quantity, code) => {
        const result = apply('add_item', { item: '铜板', quantity });
        expect(result.record).toMatchObject({ accepted: false, reason: { code } });
        expect(result.state.inventory).toEqual({ 铜板: 10, 火把: 2 });
    });

    it('remove_item takes away, and the last one takes the entry away', () => {
        expect(apply('remove_item', { item: '铜板', quantity: 4 }).state.inventory).toEqual({ 铜板: 6, 火把: 2 });
        expect(apply('remove_item', { item: '火把', quantity: 2 }).state.inventory).toEqual({ 铜板: 10 });
    });
    it('remove_item refuses more than owned and what is not owned', () => {
        expect(reasonOf('remove_item', { item: '火把', quantity: 3 })).toBe('state.not-enough');
        expect(reasonOf('remove_item', { item: '长矛', quantity: 1 })).toBe('state.not-owned');
        expect(reasonOf('remove_item', { item: 'toString', quantity: 1 })).toBe('state.not-owned');
    });

    it('relationships: a set value beyond the scale is refused, a change stops at its end', () => {
        expect(apply('set_relationship', { npc: '老许', value: -100 }).state.relationships['老许']).toBe(-100);
        expect(reasonOf('set_relationship', { npc: '老许', value: 101 })).toBe('state.out-of-range');
        expect(apply('modify_relationship', { npc: '艾琳', delta: '+30' }).state.relationships['艾琳']).toBe(100);
        expect(apply('modify_relationship', { npc: '生人', delta: -3 }).state.relationships['生人']).toBe(-3);
        expect(reasonOf('modify_relationship', { npc: '艾琳', delta: 0 })).toBe('state.zero');
        expect(reasonOf('modify_relationship', { npc: '艾琳', delta: 500 })).toBe('state.out-of-range');
        expect(reasonOf('modify_relationship', { npc: '艾琳', delta: '变好' })).toBe('state.not-number');
        expect(reasonOf('modify_relationship', { npc: '艾琳', value: 5 })).toBe('state.missing-parameter');
    });

    it('quests start once, advance while open, end once', () => {
        expect(apply('start_quest', { quest_id: '寻剑', stage: '打听' }).state.quests['寻剑']).toEqual({ status: 'active', stage: '打听' });
        expect(reasonOf('start_quest', { quest_id: '送信' })).toBe('state.quest-exists');
        expect(apply('advance_quest', { quest: '送信', stage: '过桥' }).state.quests['送信']).toEqual({ status: 'active', stage: '过桥' });
        expect(reasonOf('advance_quest', { quest_id: '寻剑', stage: 'x' })).toBe('state.unknown-quest');
        expect(reasonOf('advance_quest', { quest_id: '旧账', stage: 'x' })).toBe('state.quest-closed');
        expect(reasonOf('advance_quest', { quest_id: '送信' })).toBe('state.missing-parameter');
        expect(apply('complete_quest', { quest_id: '送信', outcome: '信已送到' }).state.quests['送信']).toEqual({ status: 'completed', outcome: '信已送到' });
        expect(apply('complete_quest', { quest_id: '送信', outcome: 'failed' }).state.quests['送信']?.status).toBe('failed');
        expect(reasonOf('complete_quest', { quest_id: '旧账' })).toBe('state.quest-closed');
        expect(reasonOf('complete_quest', { quest_id: '没有' })).toBe('state.unknown-quest');
    });

    it('flags hold any small JSON value and nothing else', () => {
        for (const value of [false, 0, '', null, [1, { a: 'b' }]]) expect(apply('set_flag', { key: '门', value }).state.flags['门']).toEqual(value);
        expect(reasonOf('set_flag', { flag: '门' })).toBe('state.missing-parameter');
        expect(reasonOf('set_flag', { flag: '门', value: 'x'.repeat(3000) })).toBe('state.flag-value');
        expect(reasonOf('set_flag', { flag: '门', value: NaN })).toBe('state.flag-value');
        expect(reasonOf('set_flag', { flag: '门', value: () => 1 })).toBe('state.flag-value');
        expect(reasonOf('set_flag', { flag: '门', value: JSON.parse('{"a":{"__proto__":{"x":1}}}') })).toBe('state.flag-value');
        const circle: Record<string, unknown> = {};
        circle.self = circle;
        expect(reasonOf('set_flag', { flag: '门', value: circle })).toBe('state.flag-value');
    });

    it('a flag value is a copy', () => {
        const value = { open: [1] };
        const { state } = apply('set_flag', { flag: '门', value });
        value.open.push(2);
        expect(state.flags['门']).toEqual({ open: [1] });
    });

    it.each<[Params, number]>([
        [{ amount: 59 }, 59], [{ amount: 1, unit: 'minute' }, 1], [{ amount: '2', unit: 'hours' }, 120], [{ amount: 0.5, unit: 'hours' }, 30], [{ amount: 1.1, unit: 'h' }, 66],
        [{ amount: 3, unit: '天' }, 4320], [{ amount: '两', unit: '小时' }, 120], [{ amount: '2个', unit: '小时' }, 120], [{ amount: '半小时' }, 30], [{ amount: '半个时辰' }, 60], [{ amount: '一个半小时' }, 90],
        [{ amount: '一刻钟' }, 15], [{ amount: '1小时30分钟' }, 90], [{ amount: '1h30m' }, 90], [{ amount: '2 hours and 30 minutes' }, 150], [{ duration: '３０分钟' }, 30], [{ amount: '2小时', unit: 'hours' }, 120],
        [{ hours: 2, minutes: '30' }, 150], [{ amount: 90, unit: 'seconds' }, -1], [{ amount: 120, unit: '秒' }, 2], [{ amount: 1, unit: '个小时' }, 60],
    ])('pass_time %j is %d minutes', (params, minutes) => {
        const { state, record } = apply('pass_time', params);
        expect(record.accepted).toBe(minutes > 0);
        const { day, hour, minute } = state.time;
        expect((day - 1) * 1440 + hour * 60 + minute - 480).toBe(Math.max(minutes, 0));
    });

    it.each<[Params, string]>([
        [{}, 'state.missing-parameter'], [{ amount: 0 }, 'state.not-positive'], [{ amount: -5 }, 'state.not-positive'], [{ amount: 1e12, unit: 'days' }, 'state.time-jump'], [{ amount: 2, unit: '回合' }, 'state.unknown-unit'],
        [{ amount: 1, unit: '月' }, 'state.unknown-unit'], [{ amount: '很久' }, 'state.not-number'], [{ amount: '3点' }, 'state.not-number'], [{ amount: 0.3 }, 'state.not-whole-minutes'], [{ amount: NaN }, 'state.not-number'],
        [{ amount: '2小时', unit: '天' }, 'state.conflicting-unit'], [{ amount: 1, unit: 5 }, 'state.not-text'], [{ hours: 'x' }, 'state.not-number'], [{ amount: '2-3', unit: '小时' }, 'state.not-number'],
    ])('pass_time %j is refused with %s', (params, code) => expect(reasonOf('pass_time', params)).toBe(code));

    it('the clock rolls over exactly, however time is cut', () => {
        fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { maxLength: 30 }), (steps) => {
            let state = initialState();
            for (const amount of steps) ({ state } = apply('pass_time', { amount }, 'analysis', state));
            const sum = steps.reduce((a, b) => a + b, 0);
            expect(state.time).toEqual({ day: Math.floor(sum / 1440) + 1, hour: Math.floor((sum % 1440) / 60), minute: sum % 60 });
        }));
    });
});

describe('what every event obeys', () => {
    it('reads harmless spellings of its name', () => {
        expect(apply('addItem', { item: '箭' }).state.inventory['箭']).toBe(1);
        expect(apply('ADD ITEM', { item: '箭' }).record.type).toBe('add_item');
        expect(apply('获得物品', { 物品: '箭', 数量: '三支' }).state.inventory['箭']).toBe(3);
    });
    it('refuses unknown events, and events of the user from an analysis', () => {
        expect(reasonOf('teleport', {})).toBe('state.unknown-event');
        expect(reasonOf('constructor', {})).toBe('state.unknown-event');
        expect(reasonOf('set_time', { day: 2, hour: 1, minute: 1 })).toBe('state.unknown-event');
        expect(reasonOf('set_item', { item: '箭', quantity: 5 })).toBe('state.unknown-event');
    });
    it('lets the user set what is', () => {
        expect(apply('set_time', { day: 2, hour: 23, minute: 59 }, 'user').state.time).toEqual({ day: 2, hour: 23, minute: 59 });
        expect(reasonOf('set_time', { day: 2, hour: 24, minute: 0 }, 'user')).toBe('state.out-of-range');
        expect(apply('set_item', { item: '铜板', quantity: 0 }, 'user').state.inventory).toEqual({ 火把: 2 });
        expect(apply('set_quest', { quest_id: '旧账', status: 'active' }, 'user').state.quests['旧账']).toEqual({ status: 'active' });
        expect(apply('remove_entry', { field: 'relationships', name: '艾琳' }, 'user').state.relationships).toEqual({});
        expect(reasonOf('remove_entry', { field: 'time', name: 'day' }, 'user')).toBe('state.unknown-field');
        expect(reasonOf('remove_entry', { field: 'flags', name: 'toString' }, 'user')).toBe('state.unknown-entry');
    });
    it.each(['__proto__', 'constructor', 'prototype'])('refuses %s as a name', (name) => {
        expect(reasonOf('add_item', { item: name })).toBe('state.unsafe-name');
        expect(reasonOf('set_flag', { flag: name, value: 1 })).toBe('state.unsafe-name');
        expect(reasonOf('set_relationship', { npc: name, value: 1 })).toBe('state.unsafe-name');
        expect(reasonOf('start_quest', { quest_id: name })).toBe('state.unsafe-name');
    });
    it('refuses names that are empty, long, of several lines, or no text', () => {
        expect(reasonOf('move', { location: '  ' })).toBe('state.missing-parameter');
        expect(reasonOf('move', { location: '塔'.repeat(500) })).toBe('state.too-long');
        expect(reasonOf('move', { location: '塔\n任务：无' })).toBe('state.control-character');
        expect(reasonOf('move', { location: ['塔'] })).toBe('state.not-text');
        expect(reasonOf('add_item', { item: 3 })).toBe('state.not-text');
    });
    it('keeps the last 200 of the log', () => {
        let state = initialState();
        for (let turn = 1; turn <= 230; turn += 1) ({ state } = applyEvent(state, { type: 'move', params: { location: `${turn}` } }, { turn, by: 'analysis' }));
        expect(state.eventLog).toHaveLength(200);
        expect(state.eventLog[0]?.turn).toBe(31);
    });
    it('never throws, never changes its input, survives JSON, keeps every rule', () => {
        const name = fc.constantFrom('铜板', '火把', '艾琳', '送信', '__proto__', 'constructor', 'toString', '', 'x');
        const value = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.double(), fc.string(), fc.constantFrom('3个', '+5', '半', '1,000', '-0'), name, fc.anything());
        const params = fc.dictionary(fc.constantFrom('item', 'quantity', 'npc', 'value', 'delta', 'location', 'quest_id', 'stage', 'outcome', 'flag', 'amount', 'unit', '__proto__', 'day', 'field', 'name', 'status'), value);
        const event = fc.record({ type: fc.oneof(fc.constantFrom(...eventTypes, ...userEventTypes), fc.string()), params });
        fc.assert(fc.property(fc.array(fc.tuple(event, fc.constantFrom('analysis' as const, 'user' as const)), { maxLength: 12 }), (events) => {
            let state = base();
            for (const [one, by] of events) {
                const text = JSON.stringify(state);
                const result = applyEvent(state, one, { turn: 1, by });
                expect(JSON.stringify(state)).toBe(text);
                if (!result.record.accepted) {
                    expect({ ...result.state, eventLog: [] }).toEqual({ ...state, eventLog: [] });
                    expect(result.record.reason?.code).toMatch(/^state\./);
                }
                state = result.state;
            }
            expect(JSON.parse(JSON.stringify(state))).toEqual(state);
            for (const owned of Object.values(state.inventory)) expect(Number.isInteger(owned) && owned > 0).toBe(true);
            for (const level of Object.values(state.relationships)) expect(Number.isInteger(level) && Math.abs(level) <= 100).toBe(true);
            expect(state.time.hour < 24 && state.time.minute < 60 && Number.isInteger(state.time.day)).toBe(true);
            expect(Object.keys(Object.prototype)).toEqual([]);
        }), { numRuns: 500 });
    });
});
