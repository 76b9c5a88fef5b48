import { unitMinutes, wholeMinutes, writtenDuration } from './duration';
import { limits } from './limits';
import type { ParameterReader } from './parameters';
import { reason } from './reason';
import type { Reason } from './reason';
import { leadingNumber, plainText } from './written-number';

/** A number without a unit of its own (`2`, `"两"`, `"2个"`), null for anything else. */
function bareNumber(value: unknown): number | null {
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value !== 'string' || value.length > 100) return null;
    const found = leadingNumber(plainText(value));
    return found && (found.rest === '' || found.rest === '个') ? found.number : null;
}

/** `{hours: 2, minutes: 30}`: what an amount and a unit would say. */
function namedParts(params: ParameterReader): number | Reason {
    let minutes = 0;
    for (const [name, each] of [['days', 1440], ['hours', 60], ['minutes', 1]] as const) {
        if (params.raw(name) === undefined) continue;
        const number = bareNumber(params.raw(name));
        if (number === null || number < 0) return reason('state.not-number', { parameter: name, value: String(params.raw(name)) });
        minutes += number * each;
    }
    return minutes;
}

function withUnit(amount: unknown, unit: string): number | Reason {
    const size = unit === '' ? null : unitMinutes(unit);
    if (unit !== '' && size === null) return reason('state.unknown-unit', { unit });
    const number = bareNumber(amount);
    if (number !== null) return number * (size ?? 1);
    const written = typeof amount === 'string' ? writtenDuration(amount) : null;
    if (written === null) return reason('state.not-number', { parameter: 'amount', value: typeof amount === 'string' ? amount : typeof amount });
    // A unit inside the amount and a unit beside it must say the same.
    const repeated = size === null ? written : (leadingNumber(plainText(String(amount)))?.number ?? 0) * size;
    return Math.abs(repeated - written) < 1e-6 ? written : reason('state.conflicting-unit', { amount: String(amount), unit });
}

/** How long a `pass_time` event lasts: whole minutes, more than none, at most a hundred years. Without a unit the amount counts minutes. */
export function passedMinutes(params: ParameterReader): number | Reason {
    const amount = params.raw('amount');
    const unit = params.raw('unit') ?? '';
    if (typeof unit !== 'string') return reason('state.not-text', { parameter: 'unit' });
    const parted = amount === undefined && unit === '' && (['days', 'hours', 'minutes'] as const).some((name) => params.raw(name) !== undefined);
    if (amount === undefined && !parted) return reason('state.missing-parameter', { parameter: 'amount' });
    const minutes = parted ? namedParts(params) : withUnit(amount, unit.trim());
    if (typeof minutes !== 'number') return minutes;
    if (!(minutes > 0)) return reason('state.not-positive', { parameter: 'amount', value: minutes });
    if (minutes > limits.timeJump) return reason('state.time-jump', { minutes, limit: limits.timeJump });
    return wholeMinutes(minutes) ?? reason('state.not-whole-minutes', { minutes });
}
