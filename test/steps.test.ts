import { describe, expect, it } from 'vitest';
import { createClock } from '../src/host/clock';
import { atOnce, inSlices, type Steps } from '../src/steps';

/** Steps of a given length on a clock that stands still otherwise. */
function stage(length: number, steps: number) {
    let now = 0;
    const pauses: number[] = [];
    function* work(): Steps<string> {
        for (let step = 0; step < steps; step++) {
            now += length;
            yield;
        }
        return 'done';
    }
    return { work: work(), clock: { now: () => now, wait: async () => void pauses.push(now) }, pauses };
}

describe('work in slices', () => {
    it('pauses before it has held the page for long, and gives the result', async () => {
        const { work, clock, pauses } = stage(5, 10);
        expect(await inSlices(work, clock)).toBe('done');
        expect(pauses).toEqual([15, 30, 45]);
    });

    it('does not pause for little', async () => {
        const { work, clock, pauses } = stage(1, 10);
        expect(await inSlices(work, clock)).toBe('done');
        expect(pauses).toEqual([]);
    });

    it('is the same at once', () => {
        expect(atOnce(stage(1, 3).work)).toBe('done');
    });

    it('fails as the work fails', async () => {
        const broken = function* (): Steps<string> {
            yield;
            throw new Error('broken');
        };
        await expect(inSlices(broken(), createClock())).rejects.toThrow('broken');
    });

    it('lets other tasks in between', async () => {
        let others = 0;
        const timer = setInterval(() => { others += 1; }, 1);
        const busy = function* (): Steps<void> {
            for (let step = 0; step < 8; step++) {
                const end = performance.now() + 14;
                while (performance.now() < end);
                yield;
            }
        };
        const clock = createClock();
        await inSlices(busy(), clock);
        clearInterval(timer);
        expect(others).toBeGreaterThan(1);
    });
});
