/** A variable tree: what MVU calls `stat_data`. JSON values only. */
export type VariableTree = Record<string, unknown>;

/** True for objects with named keys: neither arrays nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for arrays and objects. */
export function isContainer(value: unknown): value is Record<string, unknown> | unknown[] {
    return typeof value === 'object' && value !== null;
}

/** Keys that reach an object's prototype: no path may name one. */
export function isForbiddenKey(key: string): boolean {
    return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/** Keys the framework itself uses inside trees; they are never variables. */
export function isReservedKey(key: string): boolean {
    return key === '$meta' || key === '$arrayMeta' || key === '$internal';
}

/**
 * A copy of a JSON value without a shared reference and without own keys named `__proto__`. Values JSON cannot hold become
 * null, dates their ISO text.
 */
export function copyValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(copyValue);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (isObject(value)) {
        const copy: Record<string, unknown> = {};
        for (const [key, child] of Object.entries(value)) {
            if (key !== '__proto__') copy[key] = copyValue(child);
        }
        return copy;
    }
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

/** copyValue for a whole tree. */
export function copyTree(tree: VariableTree): VariableTree {
    const copy = copyValue(tree);
    return isObject(copy) ? copy : {};
}

/** True when two JSON values are equal; the order of keys does not count. */
export function sameValue(one: unknown, other: unknown): boolean {
    if (Object.is(one, other)) return true;
    if (Array.isArray(one) && Array.isArray(other)) {
        return one.length === other.length && one.every((each, index) => sameValue(each, other[index]));
    }
    if (isObject(one) && isObject(other)) {
        const keys = Object.keys(one);
        return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && sameValue(one[key], other[key]));
    }
    return false;
}

/**
 * True where MVU takes an array for a [value, description] pair: two elements, the second a text, the first no array.
 * A list of two words looks the same, and to MVU it is the same (its `replace` sets the first element only).
 */
export function looksLikePair(value: unknown): value is [unknown, string] {
    return Array.isArray(value) && value.length === 2 && typeof value[1] === 'string' && !Array.isArray(value[0]);
}

const descriptionCue = /[[\]~～≥≤<>]|之间|范围|更新|变化|改变|变更|修改|再改|如果|每当|每次|时候|上限|下限|range|between|update|change|when\b|if\b|\d\s*[-–]\s*\d/i;

/** True where the second element of a pair reads as a description of the first, not as a list's second item. */
export function isDescribed(value: unknown): value is [unknown, string] {
    if (!looksLikePair(value)) return false;
    return typeof value[0] !== 'string' || descriptionCue.test(value[1]) || value[1].length > 24;
}

/** What stands at `path`, by own keys only; undefined where nothing does. */
export function valueAt(tree: unknown, path: readonly string[]): unknown {
    let value = tree;
    for (const key of path) {
        if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined;
        else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
        else return undefined;
    }
    return value;
}

/** True when something (null included) stands at `path`. */
export function hasPath(tree: unknown, path: readonly string[]): boolean {
    return valueAt(tree, path) !== undefined;
}
