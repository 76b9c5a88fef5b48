import type { GameState } from './state';

const minutesADay = 24 * 60;

/** The clock after so many whole minutes: hour 0–23, minute 0–59. */
export function clockAfter(time: GameState['time'], minutes: number): GameState['time'] {
    const total = (time.day - 1) * minutesADay + time.hour * 60 + time.minute + minutes;
    const inDay = total % minutesADay;
    return { day: (total - inDay) / minutesADay + 1, hour: Math.floor(inDay / 60), minute: inDay % 60 };
}
