import fc from 'fast-check';
import seedrandom from 'seedrandom';
import { describe, expect, it } from 'vitest';
import cases from '../fixtures/cases.json';
import { rollDice, type DiceRoll } from '../../src/tools/dice';
import { diceErrorText, diceText } from '../../src/tools/dice-text';
import { diceModes, parseDice, type DiceError } from '../../src/tools/dice-notation';

function roll(params: Record<string, unknown>, seed = 's'): DiceRoll {
    const result = rollDice(params, seedrandom(seed));
    if (!result.ok) throw new Error(result.error.code);
    return result.roll;
}

function refusal(params: Record<string, unknown>): DiceError['code'] | 'rolled' {
    const result = rollDice(params, seedrandom('s'));
    return result.ok ? 'rolled' : result.error.code;
}

/** A stream that gives the faces named, of dice with so many sides. */
function faces(sides: number, ...values: number[]) {
    const left = [...values];
    return () => ((left.shift() ?? 1) - 0.5) / sides;
}

function text(params: Record<string, unknown>, stream: () => number, language: 'zh' | 'en' = 'zh'): string {
    const result = rollDice(params, stream);
    return result.ok ? diceText(result.roll, language) : diceErrorText(result.error, language);
}

interface DiceExpectation { range?: [number, number]; dice?: [number, number][]; modifier?: number }
type DiceCase = { id: string; kind: string; input: { expr: unknown; mode: string; dc?: number }; expected: unknown; why: string };

describe('cases.json', () => {
    it.each((cases as DiceCase[]).filter((one) => one.kind === 'dice').map((one) => [one.id, one] as const))('%s', (_id, one) => {
        const any = (one.expected as { $any?: unknown[] }).$any ?? [one.expected];
        const results = Array.from({ length: 400 }, (_, seed) => rollDice(one.input, seedrandom(String(seed))));
        const met = any.some((expected) => {
            if (expected === 'error') return results.every((result) => !result.ok);
            const { range, dice, modifier } = expected as DiceExpectation;
            return results.every((result) => result.ok
                && (range === undefined || result.roll.total >= range[0] && result.roll.total <= range[1])
                && (dice === undefined || JSON.stringify(result.roll.dice) === JSON.stringify(dice))
                && (modifier === undefined || result.roll.modifier === modifier));
        });
        expect(met, JSON.stringify(results[0])).toBe(true);
        const range = any.map((expected) => (expected as DiceExpectation).range).find((found) => found !== undefined);
        const totals = results.flatMap((result) => result.ok ? [result.roll.total] : []);
        if (range !== undefined && totals.length > 0) {
            expect(Math.min(...totals)).toBeLessThanOrEqual(range[0] + 1);
            expect(Math.max(...totals)).toBeGreaterThanOrEqual(range[1] - 1);
        }
    });
});

describe('notation', () => {
    it.each([
        ['d20', '1d20', 0], ['1D20', '1d20', 0], ['2d6+3-1', '2d6', 2], ['3+2d6-1', '2d6', 2], [' 3 + 2d6 - 1 ', '2d6', 2], ['4d6kh3', '4d6kh3', 0], ['4d6k3', '4d6kh3', 0],
        ['2d20kl', '2d20kl1', 0], ['4d6dl1', '4d6kh3', 0], ['4d6dh1', '4d6kl3', 0], ['d%', '1d100', 0], ['d％', '1d100', 0], ['２ｄ６＋３', '2d6', 3], ['1d20−2', '1d20', -2], ['1d20–2', '1d20', -2],
        ['1d20－2', '1d20', -2], ['1d20　+　2', '1d20', 2], ['1d20+1d4+2', '1d20+1d4', 2], ['1d20-1d4', '1d20-1d4', 0], ['-1+d8', '1d8', -1], ['2 d 6', '2d6', 0], ['1d20+-2', '1d20', -2], ['+d6', '1d6', 0],
    ])('%s', (written, expr, modifier) => {
        const parsed = parseDice(written);
        expect(parsed.ok && parsed.expression).toMatchObject({ text: expr, modifier });
    });

    it.each<[unknown, DiceError['code']]>([
        ['', 'missing'], [undefined, 'missing'], [null, 'missing'], [{}, 'missing'], ['20', 'no-dice'], [20, 'no-dice'], ['5+3', 'no-dice'], ['4d0', 'no-sides'], ['0d6', 'no-count'], ['1000000d1000000', 'too-many-dice'],
        ['101d6', 'too-many-dice'], ['60d6+60d6', 'too-many-dice'], ['1d10001', 'too-many-sides'], ['1d20+{{mod}}+', 'unexpected'], ['1d20+', 'unexpected'], ['1d20++2', 'unexpected'], ['2d6*2', 'unexpected'], ['1d6/2', 'unexpected'], ['(1d6)', 'unexpected'],
        ['1d2.5', 'unexpected'], ['1 0d6', 'unexpected'], ['d', 'unexpected'], ['1d6d6', 'unexpected'], ['1d20 5', 'unexpected'], ['4d6kh5', 'keep'], ['4d6kh0', 'keep'], ['4d6dl4', 'keep'], ['1d6+99999999', 'too-large'], ['d6+'.repeat(100), 'too-long'],
        [`d6${'+1'.repeat(30)}`, 'too-many-terms'], ['掷骰子', 'unexpected'], ['1d20 优势 劣势', 'mode-twice'],
    ])('refuses %s', (expr, code) => {
        expect(refusal({ expr })).toBe(code);
    });

    it('never throws, and what it rolls stays within what was asked', () => {
        fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'0123456789d+-kh l%!优势 ') }), fc.constantFrom(...diceModes), (expr, mode) => {
            const result = rollDice({ expr, mode }, seedrandom(expr));
            if (!result.ok) return;
            const { roll: made } = result;
            for (const group of made.attempts.flatMap((attempt) => attempt.groups)) {
                for (const chain of group.dice) {
                    expect(chain.length).toBeLessThanOrEqual(11);
                    for (const value of chain) expect(value >= 1 && value <= group.sides && Number.isInteger(value)).toBe(true);
                }
            }
            const used = made.attempts[made.used];
            const sum = used?.groups.reduce((all, group) => all + group.sign * group.dice.filter((_, at) => !group.dropped.includes(at)).flat().reduce((a, b) => a + b, 0), 0);
            expect(made.total).toBe((sum ?? 0) + made.modifier);
        }), { numRuns: 2000 });
    });
});

describe('rolling', () => {
    it('is fair and reaches both ends', () => {
        const counts = new Map<number, number>();
        const stream = seedrandom('fair');
        for (let i = 0; i < 20_000; i++) {
            const result = rollDice({ expr: 'd20' }, stream);
            if (result.ok) counts.set(result.roll.total, (counts.get(result.roll.total) ?? 0) + 1);
        }
        expect([...counts.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
        for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    });

    it('the same seed gives the same dice, another seed others', () => {
        expect(roll({ expr: '6d6' }, 'a')).toEqual(roll({ expr: '6d6' }, 'a'));
        expect(roll({ expr: '20d20' }, 'a').attempts).not.toEqual(roll({ expr: '20d20' }, 'b').attempts);
    });

    it('advantage takes the higher throw, disadvantage the lower', () => {
        for (let seed = 0; seed < 50; seed++) {
            const high = roll({ expr: '1d20+5', mode: 'advantage' }, String(seed));
            expect(high.total).toBe(Math.max(...high.attempts.map((attempt) => attempt.sum)) + 5);
            const low = roll({ expr: '2d6', mode: '劣势' }, String(seed));
            expect(low.total).toBe(Math.min(...low.attempts.map((attempt) => attempt.sum)));
        }
    });

    it('exploding dice stop at depth 10', () => {
        const result = rollDice({ expr: '1d6', mode: 'exploding' }, () => 0.999);
        expect(result.ok && result.roll.total).toBe(66);
        expect(roll({ expr: 'd1', mode: 'exploding' }).total).toBe(11);
        expect(roll({ expr: '3d6!' }).mode).toBe('exploding');
    });

    it('success is total ≥ dc, also at the edge', () => {
        expect(rollDice({ expr: 'd20+2', dc: 17 }, faces(20, 15))).toMatchObject({ roll: { total: 17, success: true } });
        expect(rollDice({ expr: 'd20+2', dc: 18 }, faces(20, 15))).toMatchObject({ roll: { success: false } });
        expect(rollDice({ expr: 'd20+2', dc: 'DC 17' }, faces(20, 15))).toMatchObject({ roll: { dc: 17, success: true } });
        expect(rollDice({ expr: 'd20', dc: null }, faces(20, 15))).toMatchObject({ ok: true });
        expect(refusal({ expr: 'd20', dc: '中等' })).toBe('dc');
        expect(refusal({ expr: 'd20', mode: 'lucky' })).toBe('mode');
        expect(refusal({ expr: '1d20 优势', mode: 'disadvantage' })).toBe('mode-twice');
    });

    it('critical is the natural die of the d20 that counts', () => {
        expect(rollDice({ expr: 'd20+5', dc: 12 }, faces(20, 20))).toMatchObject({ roll: { critical: 'success', success: true } });
        expect(rollDice({ expr: 'd20+5', dc: 3 }, faces(20, 1))).toMatchObject({ roll: { critical: 'failure', success: true } });
        const notNatural = rollDice({ expr: 'd20+5' }, faces(20, 15));
        expect(notNatural.ok && notNatural.roll.critical).toBeUndefined();
        const pair = rollDice({ expr: '2d20' }, faces(20, 20, 1));
        expect(pair.ok && pair.roll.critical).toBeUndefined();
        expect(rollDice({ expr: '2d20kh1+1d4' }, faces(20, 20, 1, 1))).toMatchObject({ roll: { critical: 'success' } });
        const d6 = rollDice({ expr: '1d6' }, faces(6, 1));
        expect(d6.ok && d6.roll.critical).toBeUndefined();
    });

    it('a modifier beside the expression counts once', () => {
        expect(rollDice({ expr: '1d20', modifier: 2 }, faces(20, 15))).toMatchObject({ roll: { total: 17, modifier: 2 } });
        expect(rollDice({ expr: '1d20+2', modifier: '+2' }, faces(20, 15))).toMatchObject({ roll: { total: 17 } });
        expect(rollDice({ expr: '1d20+2', modifier: 3 }, faces(20, 15))).toMatchObject({ roll: { total: 20 } });
        expect(refusal({ expr: '1d20', modifier: '力量' })).toBe('modifier');
    });
});

describe('what the writer reads', () => {
    it('the seed\'s line', () => {
        expect(text({ expr: '1d20+2', mode: 'normal', dc: 12 }, faces(20, 15))).toBe('检定结果：1d20 = [15]+2 = 17 (DC 12) → 成功');
        expect(text({ expr: '1d20+2', dc: 18 }, faces(20, 15))).toBe('检定结果：1d20 = [15]+2 = 17 (DC 18) → 失败');
        expect(text({ expr: '1d20-1' }, faces(20, 15))).toBe('检定结果：1d20 = [15]-1 = 14');
        expect(text({ expr: '2d6' }, faces(6, 3, 4))).toBe('检定结果：2d6 = [3, 4] = 7');
    });

    it('modes, groups, dropped and exploded dice, critical', () => {
        expect(text({ expr: '1d20+2', mode: 'advantage', dc: 12 }, faces(20, 8, 15))).toBe('检定结果：1d20（优势，[8]、[15]取高） = [15]+2 = 17 (DC 12) → 成功');
        expect(text({ expr: '1d20', mode: 'disadvantage', dc: 12 }, faces(20, 8, 15))).toBe('检定结果：1d20（劣势，[8]、[15]取低） = [8] = 8 (DC 12) → 失败');
        expect(text({ expr: '4d6kh3' }, faces(6, 2, 6, 5, 3))).toBe('检定结果：4d6kh3 = [(2), 6, 5, 3] = 14');
        expect(text({ expr: '2d6', mode: 'exploding' }, faces(6, 6, 3, 2))).toBe('检定结果：2d6（爆炸） = [6!3, 2] = 11');
        expect(text({ expr: 'd20-1d4+1' }, faces(20, 10, 3))).toMatch(/^检定结果：1d20-1d4 = \[10\]-\[1\]\+1 = 10$/);
        expect(text({ expr: 'd20', dc: 12 }, faces(20, 20))).toBe('检定结果：1d20 = [20] = 20 (DC 12) → 成功（大成功）');
        expect(text({ expr: 'd20', dc: 25 }, faces(20, 20))).toBe('检定结果：1d20 = [20] = 20 (DC 25) → 失败（天然20）');
        expect(text({ expr: 'd20' }, faces(20, 1))).toBe('检定结果：1d20 = [1] = 1（大失败）');
    });

    it('the branch of the outcome, the reason', () => {
        const params = { expr: '1d20+2', dc: 12, reason: '撬锁', success_branch: '门开了', failure_branch: '惊动守卫' };
        expect(text(params, faces(20, 15))).toBe('检定结果（撬锁）：1d20 = [15]+2 = 17 (DC 12) → 成功\n成功走向：门开了');
        expect(text(params, faces(20, 5))).toBe('检定结果（撬锁）：1d20 = [5]+2 = 7 (DC 12) → 失败\n失败走向：惊动守卫');
        expect(text({ ...params, dc: undefined }, faces(20, 5))).toMatch(/成功走向：门开了\n失败走向：惊动守卫$/);
    });

    it('in English', () => {
        expect(text({ expr: '1d20+2', dc: 12, mode: 'advantage' }, faces(20, 8, 15), 'en')).toBe('Check result: 1d20 (advantage, [8], [15] the higher counts) = [15]+2 = 17 (DC 12) → success');
        expect(text({ expr: '4d0' }, faces(6), 'en')).toContain('4d0');
        expect(text({ expr: '4d0' }, faces(6))).toContain('0 面');
    });
});
