import { describe, expect, it } from 'vitest';
import { condensePlan } from '../../src/state/condense-plan';
import { foldTurns } from '../../src/state/fold';
import type { TurnRecord } from '../../src/turn-record';
import { record, turnsOf } from './make';

const told = (count: number): TurnRecord[] => Array.from({ length: count }, (_, index) => record({ id: `r${index}`, summary: `要点${index + 1}` }));
const each = (): number => 10;

describe('condensePlan', () => {
    it('does nothing within the limit, without a limit, or for too few lines', () => {
        const fold = foldTurns(turnsOf(told(20)));
        expect(condensePlan(fold, each, 200)).toBeNull();
        expect(condensePlan(fold, each, 0)).toBeNull();
        expect(condensePlan(foldTurns(turnsOf(told(8))), each, 10)).toBeNull();
    });
    it('takes the oldest, down to half the limit, and keeps the newest', () => {
        const plan = condensePlan(foldTurns(turnsOf(told(20))), each, 190);
        expect(plan).toMatchObject({ from: 1, to: 11 });
        expect(plan?.lines[0]).toBe('[第1轮] 要点1');
        expect(condensePlan(foldTurns(turnsOf(told(20))), each, 1)?.to).toBe(14);
    });
    it('its chapter takes effect, is never condensed again, and is undone by deleting its last turn', () => {
        const records = told(20);
        const plan = condensePlan(foldTurns(turnsOf(records)), each, 190);
        if (!plan) throw new Error('no plan');
        const carried = records.map((one, index) => (index + 1 === plan.to ? { ...one, chapter: { from: plan.from, to: plan.to, of: plan.of, text: '从前' } } : one));
        const fold = foldTurns(turnsOf(carried));
        expect(fold.summaries[0]).toEqual({ from: 1, to: 11, text: '[第1-11轮] 从前', chapter: true });
        expect(fold.summaries).toHaveLength(10);
        expect(condensePlan(foldTurns(turnsOf([...carried, ...told(4)])), each, 95)).toMatchObject({ from: 12 });
        expect(foldTurns(turnsOf(carried.slice(0, 10))).summaries).toHaveLength(10);
        expect(foldTurns(turnsOf(carried.slice(0, 10))).summaries.some((entry) => entry.chapter)).toBe(false);
        expect(foldTurns(turnsOf(carried.slice(0, 11))).summaries).toHaveLength(1);
    });
});
