import type { ToolRun } from '../../../turn-record';
import type { Turn } from '../../../text/turn';

/** A tool's last runs: those of one reply, which may have called it more than once. */
export interface LastRun {
    turn: number;
    messageIndex: number;
    runs: ToolRun[];
}

/** Per tool the newest turn it ran in, not later than `upTo` (null: the newest of all). */
export function lastRuns(turns: readonly Turn[], upTo: number | null): Map<string, LastRun> {
    const found = new Map<string, LastRun>();
    for (const turn of [...turns].reverse()) {
        if (upTo !== null && turn.number > upTo) continue;
        for (const reply of [...turn.replies].reverse()) {
            for (const run of reply.record?.tools ?? []) {
                const known = found.get(run.name);
                if (!known) found.set(run.name, { turn: turn.number, messageIndex: reply.index, runs: [run] });
                else if (known.messageIndex === reply.index) known.runs.push(run);
            }
        }
    }
    return found;
}
