import type { LogPort } from '../ports';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

const ranks: Record<LogLevel, number> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

/** Writes to the console what the level in force lets through. `level` is asked each time, so a setting takes effect at once. */
export function createLog(level: () => LogLevel): LogPort {
    const write = (own: Exclude<LogLevel, 'silent'>) => (message: string, detail?: unknown): void => {
        if (ranks[own] > ranks[level()]) return;
        const line = `[Narrative Agent] ${message}`;
        if (detail === undefined) console[own](line);
        else console[own](line, detail);
    };
    return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
