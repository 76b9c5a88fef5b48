/**
 * Remembers every value of a JSON tree in one flat list, to tell later whether the tree was changed in place. Strings are
 * shared with the tree, so the check compares mostly by identity.
 */
export function takeFingerprint(data: unknown): unknown[] {
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

const endOfObject = Symbol('end of object');

/** Whether a tree still is what the fingerprint was taken from. */
export function fitsFingerprint(data: unknown, values: unknown[]): boolean {
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
