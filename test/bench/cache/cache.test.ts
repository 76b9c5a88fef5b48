import { describe, expect, it } from 'vitest';
import { replay } from './replay';
import { fullSize } from './story';

/** Characters stand for tokens here; the bench beside it counts real ones over 40 turns. */
const characters = (text: string): number[] => [...text].map((character) => character.codePointAt(0) ?? 0);
const size = { ...fullSize, turns: 24 };

describe('the shared layout', () => {
    it.each([['planning', 0.55], ['merged', 0.65]] as const)('needs at most its share of the seed\'s uncached prompt in %s mode', (mode, most) => {
        const seed = replay('seed', mode, size, characters).all?.uncached ?? 0;
        const shared = replay('shared', mode, size, characters).all?.uncached ?? Infinity;
        expect(shared / seed).toBeLessThanOrEqual(most);
        expect(shared / seed).toBeGreaterThan(0.2);
    });

    it('lets the writer reuse nearly all that the planner was given', () => {
        const { writing } = replay('shared', 'planning', size, characters);
        expect((writing?.uncached ?? Infinity) / (writing?.prompt ?? 1)).toBeLessThan(0.1);
    });
});
