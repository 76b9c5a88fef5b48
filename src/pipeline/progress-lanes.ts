import type { StageReport } from './deps';

/** One progress line for two kinds of work: the turn the user waits for, and what still runs behind it (the greeting's analysis, an earlier swipe's). */
export interface ProgressLanes {
    /** The turn in front takes the line, until `release`. */
    ahead(report: StageReport): void;
    /** A stage of background work: shown where no turn is in front. */
    behind(report: StageReport | null): void;
    /** The turn in front is over; the line goes back to what runs behind it, and is empty when nothing does. */
    release(working: boolean): void;
    /** Nothing runs behind any more. */
    behindDone(): void;
}

/** `show` puts a stage on the line; null empties it. */
export function createProgressLanes(show: (report: StageReport | null) => void): ProgressLanes {
    let inFront = false;
    let last: StageReport | null = null;
    return {
        ahead(report) {
            inFront = true;
            show(report);
        },
        behind(report) {
            last = report;
            if (!inFront) show(report);
        },
        release(working) {
            inFront = false;
            if (!working) show(null);
            else if (last !== null) show(last);
        },
        behindDone() {
            last = null;
        },
    };
}
