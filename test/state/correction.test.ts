import { describe, expect, it } from 'vitest';
import { applyEvent } from '../../src/state/apply-event';
import { correctionFor } from '../../src/state/correction';
import type { GameState } from '../../src/state/state';
import { initialState } from '../../src/state/state';

const state: GameState = { ...initialState(), inventory: { 'v1.5 核心': 3 }, relationships: { 艾琳: 5 }, quests: { 送信: { status: 'completed', stage: '桥' } }, flags: { 门: true } };

function corrected(path: string, value: unknown) {
    const event = correctionFor(path, value, state);
    if (!event) return null;
    const { state: after, record } = applyEvent(state, event, { turn: 2, by: 'user' });
    return record.accepted ? after : record.reason?.code;
}

describe('correctionFor', () => {
    it.each<[string, unknown, Partial<GameState>]>([
        ['time', { day: 1, hour: 0, minute: 30 }, { time: { day: 1, hour: 0, minute: 30 } }],
        ['location', '北塔', { location: '北塔' }],
        ['inventory.v1.5 核心', 1, { inventory: { 'v1.5 核心': 1 } }],
        ['inventory.v1.5 核心', undefined, { inventory: {} }],
        ['inventory.绳子', 2, { inventory: { 'v1.5 核心': 3, 绳子: 2 } }],
        ['relationships.艾琳', -100, { relationships: { 艾琳: -100 } }],
        ['relationships.艾琳', undefined, { relationships: {} }],
        ['quests.送信', { status: 'active', stage: '渡口', outcome: '' }, { quests: { 送信: { status: 'active', stage: '渡口' } } }],
        ['quests.送信', undefined, { quests: {} }],
        ['flags.门', { 开: 1 }, { flags: { 门: { 开: 1 } } }],
        ['flags.门', undefined, { flags: {} }],
    ])('%s becomes %j', (path, value, after) => expect(corrected(path, value)).toMatchObject(after));

    it('is nothing where the field is that already', () => {
        expect(corrected('location', '起点')).toBeNull();
        expect(corrected('flags.门', true)).toBeNull();
        expect(corrected('inventory.没有', undefined)).toBeNull();
    });
    it.each<[string, unknown, string]>([
        ['time', { day: 0, hour: 0, minute: 0 }, 'state.out-of-range'], ['inventory.绳子', -1, 'state.out-of-range'], ['inventory.绳子', '很多', 'state.not-number'], ['relationships.艾琳', 101, 'state.out-of-range'],
        ['quests.送信', { status: '好了' }, 'state.quest-status'], ['flags.__proto__', 1, 'state.unsafe-name'], ['eventLog.0', 1, 'state.unknown-field'],
    ])('%s as %j is refused with %s', (path, value, code) => expect(corrected(path, value)).toBe(code));
});
