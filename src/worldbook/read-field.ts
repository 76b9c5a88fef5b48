/**
 * Tolerant readers of one stored field. Each gives the value, or undefined when the field is not usable; the caller then takes
 * the default and says so. By hand rather than by schema: a book may hold 20,000 entries of 40 fields, and one bad field must
 * never cost the entry.
 */
export function readNumber(value: unknown): number | undefined {
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
    if (typeof value === 'string' && value.trim() !== '') {
        const number = Number(value);
        return Number.isFinite(number) ? number : undefined;
    }
    return undefined;
}

export function readBoolean(value: unknown): boolean | undefined {
    if (typeof value === 'boolean') return value;
    if (value === 1 || value === 'true' || value === '1') return true;
    if (value === 0 || value === 'false' || value === '0') return false;
    return undefined;
}

export function readText(value: unknown): string | undefined {
    if (typeof value === 'string') return value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (value !== null && typeof value === 'object') return JSON.stringify(value, null, 2);
    return undefined;
}

/** A list of texts. What is no text is dropped; undefined when the value is no list at all. */
export function readTexts(value: unknown): string[] | undefined {
    if (!Array.isArray(value)) return undefined;
    const texts: string[] = [];
    for (const part of value) {
        if (typeof part === 'string') texts.push(part);
        else if (typeof part === 'number') texts.push(String(part));
    }
    return texts;
}

/** A number that must be one of a few, written as a number or by name. */
export function readChoice(value: unknown, names: readonly string[]): number | undefined {
    const number = readNumber(value);
    if (number !== undefined) return Number.isInteger(number) && number >= 0 && number < names.length ? number : undefined;
    if (typeof value !== 'string') return undefined;
    const index = names.indexOf(value.trim().toLowerCase().replace(/[\s-]/g, '_'));
    return index === -1 ? undefined : index;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
    return value !== null && typeof value === 'object' && !Array.isArray(value);
}
