import { setImmediate } from 'node:timers';
import type { ClockPort } from '../../src/ports';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends ClockPort {
    /** Lets everything run that waits for no time. */
    breathe(): Promise<void>;
    /** Moves on to the next timer and runs what follows; false where nothing waits. */
    step(): Promise<boolean>;
    /** Moves on until nothing waits any more. */
    settle(): Promise<void>;
    /** All that waits never wakes: its page is gone. */
    drop(): void;
}

interface Timer {
    at: number;
    wake(): void;
}

/** More timers than any sequence has reason to set. */
const mostSteps = 20_000;

export function createFakeClock(): FakeClock {
    let now = 1_700_000_000_000;
    let timers: Timer[] = [];
    const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const step = async (): Promise<boolean> => {
        await breathe();
        const first = timers.reduce<Timer | null>((soonest, timer) => (soonest === null || timer.at < soonest.at ? timer : soonest), null);
        if (!first) return false;
        timers = timers.filter((timer) => timer !== first);
        now = Math.max(now, first.at);
        first.wake();
        await breathe();
        return true;
    };
    return {
        now: () => now,
        wait: (ms, signal) => new Promise((resolve, reject) => {
            if (signal?.aborted) return reject(signal.reason as Error);
            const timer: Timer = { at: now + ms, wake: resolve };
            timers.push(timer);
            signal?.addEventListener('abort', () => {
                timers = timers.filter((each) => each !== timer);
                reject(signal.reason as Error);
            }, { once: true });
        }),
        breathe,
        step,
        async settle() {
            for (let steps = 0; await step(); steps += 1) if (steps > mostSteps) throw new Error('it never comes to rest');
        },
        drop() {
            timers = [];
        },
    };
}
