import { limits } from './limits';

/** Names that reach an object's prototype instead of its own keys. */
const unsafeNames = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a name may be a key of the state. */
export function isSafeName(name: string): boolean {
    return !unsafeNames.has(name);
}

/** What a record itself holds under a name, never what it inherits. */
export function ownValue<T>(record: Record<string, T>, name: string): T | undefined {
    return Object.hasOwn(record, name) ? record[name] : undefined;
}

type Fault = 'not-json' | 'too-deep' | 'unsafe-name';

function copy(value: unknown, depth: number): { value: unknown } | { fault: Fault } {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return { value };
    if (typeof value === 'number') return Number.isFinite(value) ? { value: value + 0 } : { fault: 'not-json' };
    if (typeof value !== 'object') return { fault: 'not-json' };
    if (depth <= 0) return { fault: 'too-deep' };
    if (Array.isArray(value)) {
        const list: unknown[] = [];
        for (const item of value) {
            const copied = copy(item, depth - 1);
            if ('fault' in copied) return copied;
            list.push(copied.value);
        }
        return { value: list };
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return { fault: 'not-json' };
    const record: Record<string, unknown> = {};
    for (const [name, item] of Object.entries(value)) {
        if (!isSafeName(name)) return { fault: 'unsafe-name' };
        const copied = copy(item, depth - 1);
        if ('fault' in copied) return copied;
        record[name] = copied.value;
    }
    return { value: record };
}

/** A deep copy of a plain JSON value within the flag limits, or what is wrong with it. */
export function readFlagValue(value: unknown): { value: unknown } | { fault: Fault | 'too-long' } {
    const copied = copy(value, limits.flagDepth);
    if ('value' in copied && JSON.stringify(copied.value).length > limits.flagValue) return { fault: 'too-long' };
    return copied;
}

/** The parameters of a refused event, made small and harmless for the log. */
export function loggable(params: Record<string, unknown>): Record<string, unknown> {
    const kept: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(params).slice(0, 10)) {
        if (!isSafeName(name) || value === undefined) continue;
        const copied = copy(value, 4);
        const text = 'fault' in copied ? String(typeof value === 'number' ? value : typeof value) : JSON.stringify(copied.value);
        kept[name.slice(0, 40)] = 'fault' in copied || text.length > 200 ? (text.length > 200 ? `${text.slice(0, 200)}…` : text) : copied.value;
    }
    return kept;
}

/** Structural equality of JSON values. */
export function sameJson(left: unknown, right: unknown): boolean {
    if (Object.is(left, right)) return true;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const names = Object.keys(left);
    if (names.length !== Object.keys(right).length) return false;
    const a = left as Record<string, unknown>;
    const b = right as Record<string, unknown>;
    return names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]));
}
