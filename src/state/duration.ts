import { leadingNumber, plainText } from './written-number';

/** Minutes of each unit. Rounds, months and years have no exact length and are not units. */
const units: [RegExp, number][] = [
    [/^(?:seconds?|secs?|s|秒钟?)$/i, 1 / 60],
    [/^(?:minutes?|mins?|m|分钟?|分)$/i, 1],
    [/^(?:刻钟?)$/, 15],
    [/^(?:hours?|hrs?|h|小时|钟头|时)$/i, 60],
    [/^(?:时辰)$/, 120],
    [/^(?:days?|d|天|日)$/i, 24 * 60],
    [/^(?:weeks?|w|周|星期|礼拜)$/i, 7 * 24 * 60],
];

/** Minutes of a unit's name, null for an unknown one. */
export function unitMinutes(unit: string): number | null {
    const name = plainText(unit).replace(/^个/, '');
    return units.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** Reads a duration that names its own units: `2小时`, `半个时辰`, `一个半小时`, `1h30m`, `2 hours 30 minutes`. Minutes, or null. */
export function writtenDuration(text: string): number | null {
    let rest = plainText(text);
    if (rest === '' || rest.length > 60) return null;
    let minutes = 0;
    while (rest !== '') {
        const found = leadingNumber(rest);
        if (!found) return null;
        const half = /^个?半(?=\S)/.exec(found.rest)?.[0] ?? '';
        const unit = /^个?([a-z]+|[^\d\s零一二两三四五六七八九十半]+)/i.exec(found.rest.slice(half.length));
        const size = unit?.[1] === undefined ? null : unitMinutes(unit[1]);
        if (size === null || unit === null) return null;
        minutes += (found.number + (half === '' ? 0 : 0.5)) * size;
        rest = found.rest.slice(half.length + unit[0].length).replace(/^(?:\s|,|and\b|零|又)+/i, '');
    }
    return minutes;
}

/** Whole minutes, or null where the sum is none. Absorbs the rounding of binary fractions (1.1 hours = 66 minutes). */
export function wholeMinutes(minutes: number): number | null {
    const whole = Math.round(minutes);
    return Math.abs(whole - minutes) < 1e-6 ? whole : null;
}
