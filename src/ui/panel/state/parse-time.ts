import type { GameState } from '../../../state/state';

/** Reads `3 14:05` (day, clock) or `14:05` alone with the day as it was; null where it is neither. */
export function parseTime(text: string, today = 1): GameState['time'] | null {
    const match = /^\s*(?:\D*(\d+)\D+)??(\d{1,2})\s*[:：]\s*(\d{1,2})\s*$/.exec(text);
    if (!match) return null;
    const [day, hour, minute] = [Number(match[1] ?? today), Number(match[2]), Number(match[3])];
    if (hour > 23 || minute > 59 || day < 1) return null;
    return { day, hour, minute };
}
