import type { EventRecord } from './state';

/** Why an event was refused: a `state.…` code with its sentence in the UI's table, and what the sentence needs. */
export type Reason = NonNullable<EventRecord['reason']>;

function printable(value: string | number | boolean): string | number | boolean {
    if (typeof value === 'string') return value.length > 60 ? `${value.slice(0, 60)}…` : value;
    // JSON knows neither minus zero nor infinity.
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
    return value;
}

/** Builds a reason. Texts are shortened, since what was refused may be of any length. */
export function reason(code: `state.${string}`, params: Reason['params'] = {}): Reason {
    return { code, params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, printable(value)])) };
}
