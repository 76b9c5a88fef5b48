import type { Steps } from '../steps';
import type { Haystack, Key } from './key';

/**
 * Finds which of many keys occur in a text in one pass over the text, however many keys there are. A key sits in the bucket of its
 * first two characters; a bucket holds, per key length, a table from key to entries.
 */
export interface KeyIndex {
    /** Whether the index answers for this key. */
    has(key: Key): boolean;
    /** Adds to `found` the keys whose needle occurs in the text. */
    search(text: Haystack, found: Set<Key>): void;
    /** Ranks of the entries that have the key. */
    ranksOf(key: Key): readonly number[];
}

interface Bucket {
    /** Key lengths present, ascending. */
    lengths: number[];
    tables: Map<string, Key[]>[];
}

const rememberedTexts = 2048;
const pairBits = 0x3ffff;

/** Builds the index of the keys of the entries; keys without a needle are not in it (their entries must be looked at always). */
export function* buildKeyIndex(keys: Iterable<readonly [Key, number]>): Steps<KeyIndex> {
    const firsts = new Uint8Array(65536);
    const pairs = new Uint8Array(pairBits + 1);
    const singles = new Map<string, Key[]>();
    const buckets = new Map<string, Bucket>();
    const ranks = new Map<Key, number[]>();
    let done = 0;
    for (const [key, rank] of keys) {
        if (++done % 500 === 0) yield;
        const { needle } = key;
        if (needle === '') continue;
        const known = ranks.get(key);
        if (known) {
            known.push(rank);
            continue;
        }
        ranks.set(key, [rank]);
        if (needle.length === 1) {
            push(singles, needle, key);
            continue;
        }
        const first = needle.charCodeAt(0);
        firsts[first] = (firsts[first] ?? 0) | 2;
        pairs[pairOf(first, needle.charCodeAt(1))] = 1;
        const start = needle.slice(0, 2);
        let bucket = buckets.get(start);
        if (!bucket) buckets.set(start, (bucket = { lengths: [], tables: [] }));
        let at = bucket.lengths.indexOf(needle.length);
        if (at === -1) {
            at = bucket.lengths.findIndex((length) => length > needle.length);
            if (at === -1) at = bucket.lengths.length;
            bucket.lengths.splice(at, 0, needle.length);
            bucket.tables.splice(at, 0, new Map());
        }
        const table = bucket.tables[at];
        if (table) push(table, needle, key);
    }
    for (const needle of singles.keys()) firsts[needle.charCodeAt(0)] = (firsts[needle.charCodeAt(0)] ?? 0) | 1;

    /** Texts of the window and of recursion come back turn after turn. */
    const remembered = new Map<string, Key[]>();

    function scan(lower: string): Key[] {
        const found = new Set<Key>();
        for (let at = 0; at < lower.length; at++) {
            const code = lower.charCodeAt(at);
            const first = firsts[code] ?? 0;
            if (first === 0) continue;
            if ((first & 1) !== 0) for (const key of singles.get(lower.charAt(at)) ?? []) found.add(key);
            if ((first & 2) === 0 || at + 1 >= lower.length || pairs[pairOf(code, lower.charCodeAt(at + 1))] !== 1) continue;
            const bucket = buckets.get(lower.slice(at, at + 2));
            if (!bucket) continue;
            for (let i = 0; i < bucket.lengths.length; i++) {
                const end = at + (bucket.lengths[i] ?? 0);
                if (end > lower.length) break;
                for (const key of bucket.tables[i]?.get(lower.slice(at, end)) ?? []) found.add(key);
            }
        }
        return [...found];
    }

    return {
        has: (key) => ranks.has(key),
        ranksOf: (key) => ranks.get(key) ?? [],
        search(text, found) {
            let hits = remembered.get(text.text);
            if (!hits) {
                hits = scan(text.lower());
                const oldest = remembered.size >= rememberedTexts ? remembered.keys().next().value : undefined;
                if (oldest !== undefined) remembered.delete(oldest);
                remembered.set(text.text, hits);
            }
            for (const key of hits) found.add(key);
        },
    };
}

function pairOf(first: number, second: number): number {
    return (Math.imul(first, 521) ^ second) & pairBits;
}

function push<T>(table: Map<string, T[]>, name: string, value: T): void {
    const values = table.get(name);
    if (values) values.push(value);
    else table.set(name, [value]);
}
