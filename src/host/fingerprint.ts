import type { Steps } from '../steps';

/** What a book looked like: its own fields, then each of its entries, one part each. */
export interface Fingerprint {
    names: string[];
    values: unknown[][];
}

const endOfObject = Symbol('end of object');
const absent = Symbol('no entries');

/**
 * Remembers every value of a book, to tell later whether it was changed in place. Strings are shared with the book, so the
 * check compares mostly by identity. In steps: it runs every turn, and books may hold tens of thousands of entries.
 */
export function* takeFingerprint(data: unknown): Steps<Fingerprint> {
    const fingerprint: Fingerprint = { names: [], values: [] };
    for (const [place, [name, part]] of partsOf(data).entries()) {
        if (place % 200 === 199) yield;
        fingerprint.names.push(name);
        fingerprint.values.push(valuesOf(part));
    }
    return fingerprint;
}

/** Whether a book still is what the fingerprint was taken from. */
export function* fitsFingerprint(data: unknown, { names, values }: Fingerprint): Steps<boolean> {
    const parts = partsOf(data);
    if (parts.length !== names.length) return false;
    for (const [place, [name, part]] of parts.entries()) {
        if (place % 200 === 199) yield;
        if (name !== names[place] || !fits(part, values[place] ?? [])) return false;
    }
    return true;
}

function partsOf(data: unknown): [string, unknown][] {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return [['', data]];
    const { entries, ...rest } = data as Record<string, unknown>;
    const isMap = typeof entries === 'object' && entries !== null;
    return [['', rest], ['', isMap ? Array.isArray(entries) : (entries ?? absent)], ...(isMap ? Object.entries(entries) : [])];
}

function valuesOf(data: unknown): unknown[] {
    const values: unknown[] = [];
    const visit = (value: unknown): void => {
        if (typeof value !== 'object' || value === null) {
            values.push(value);
            return;
        }
        if (Array.isArray(value)) {
            values.push(value.length);
            for (const element of value) visit(element);
            return;
        }
        const record = value as Record<string, unknown>;
        for (const key in record) {
            values.push(key);
            visit(record[key]);
        }
        values.push(endOfObject);
    };
    visit(data);
    return values;
}

function fits(data: unknown, values: unknown[]): boolean {
    let position = 0;
    const visit = (value: unknown): boolean => {
        if (typeof value !== 'object' || value === null) return values[position++] === value;
        if (Array.isArray(value)) {
            if (values[position++] !== value.length) return false;
            for (const element of value) if (!visit(element)) return false;
            return true;
        }
        const record = value as Record<string, unknown>;
        for (const key in record) {
            if (values[position++] !== key) return false;
            const child = record[key];
            if (typeof child !== 'object' || child === null) {
                if (values[position++] !== child) return false;
            } else if (!visit(child)) return false;
        }
        return values[position++] === endOfObject;
    };
    return visit(data) && position === values.length;
}
