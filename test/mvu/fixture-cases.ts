import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '../../src/mvu/tree';

export interface FixtureCase {
    id: string;
    kind: string;
    input: Record<string, unknown>;
    expected: unknown;
    rejected?: number;
    rejected_min?: number;
    why: string;
}

/** The cases of one kind in test/fixtures/cases.json. */
export function casesOf(kind: string): FixtureCase[] {
    const all = JSON.parse(readFileSync(resolve(import.meta.dirname, '../fixtures/cases.json'), 'utf8')) as FixtureCase[];
    return all.filter((each) => each.kind === kind);
}

/** Compares by the markers of the fixtures' README; objects exactly, `$any` by any of its values. */
export function agrees(actual: unknown, expected: unknown): boolean {
    if (isObject(expected) && Array.isArray(expected['$any'])) return expected['$any'].some((each) => agrees(actual, each));
    if (isObject(expected) && expected['$ignore'] === true) return true;
    if (isObject(expected) && Array.isArray(expected['$contains'])) return expected['$contains'].every((each) => String(actual).includes(String(each)));
    if (Array.isArray(expected)) return Array.isArray(actual) && actual.length === expected.length && expected.every((each, index) => agrees(actual[index], each));
    if (isObject(expected)) {
        if (!isObject(actual)) return false;
        const wanted = Object.entries(expected).filter(([, value]) => !(isObject(value) && value['$absent'] === true));
        return wanted.every(([key, value]) => agrees(actual[key], value)) && Object.keys(actual).every((key) => wanted.some(([name]) => name === key));
    }
    return Object.is(actual, expected);
}
