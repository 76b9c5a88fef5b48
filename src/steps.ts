/** Work cut into small steps: after each one the page may be let in. The value it returns is the result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all the steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
    for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
    }
}

/** Ms that work may hold the page before it pauses. */
const slice = 12;

/** What doing work in slices takes of a clock. */
export interface SliceClock {
    /** Ms since the epoch. */
    now(): number;
    wait(ms: number): Promise<void>;
    pause?(): Promise<void>;
}

/** Does the steps with a pause whenever they have held the page for twelve milliseconds, so that it stays usable meanwhile. */
export async function inSlices<T>(steps: Steps<T>, clock: SliceClock): Promise<T> {
    let started = clock.now();
    for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
        if (clock.now() - started < slice) continue;
        await (clock.pause?.() ?? clock.wait(0));
        started = clock.now();
    }
}
