import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { windowOf, windowStart } from '../../src/prompt/window';

const span = (count: number, n: number, m: number) => `${windowStart(count, n, m)}-${count}`;

describe('the n+m window', () => {
    it('runs over 30 turns as the seed says (n=4, m=4)', () => {
        expect(Array.from({ length: 30 }, (_each, index) => span(index + 1, 4, 4))).toEqual([
            '1-1', '1-2', '1-3', '1-4', '1-5', '1-6', '1-7', '1-8', '6-9', '6-10', '6-11', '6-12', '6-13', '11-14', '11-15',
            '11-16', '11-17', '11-18', '16-19', '16-20', '16-21', '16-22', '16-23', '21-24', '21-25', '21-26', '21-27', '21-28', '26-29', '26-30',
        ]);
    });

    it('runs over 30 turns for the writer (n=3, m=4)', () => {
        expect(Array.from({ length: 30 }, (_each, index) => windowStart(index + 1, 3, 4))).toEqual([
            1, 1, 1, 1, 1, 1, 1, 6, 6, 6, 6, 6, 11, 11, 11, 11, 11, 16, 16, 16, 16, 16, 21, 21, 21, 21, 21, 26, 26, 26,
        ]);
    });

    it('always holds n to n+m turns, and only grows or drops m+1 at once', () => {
        fc.assert(fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 200 }), (n, m, count) => {
            const length = windowOf(Array.from({ length: count }, (_each, index) => index), n, m).length;
            expect(length).toBeGreaterThanOrEqual(Math.min(n, count));
            expect(length).toBeLessThanOrEqual(n + m);
            expect([0, m + 1]).toContain(windowStart(count + 1, n, m) - windowStart(count, n, m));
        }));
    });

    it('slides where there is no margin', () => {
        expect(windowOf([1, 2, 3, 4, 5], 2, 0)).toEqual([4, 5]);
        expect(windowOf([], 4, 4)).toEqual([]);
    });
});
