import type { Key } from './key';

/**
 * Finds which of many keys occur in a text in one pass over the text, however many keys there are. A key sits in the bucket of its
 * first two characters; a bucket holds, per key length, a table from key to entries.
 */
export interface KeyIndex {
    /** Adds to `found` the entries (by rank) that have a key whose needle occurs in the lower-cased text. */
    search(lower: string, found: Set<number>): void;
}

interface Bucket {
    /** Key lengths present, ascending. */
    lengths: number[];
    tables: Map<string, number[]>[];
}

const rememberedTexts = 512;

/** Builds the index of the keys of the entries; keys without a needle are not in it (their entries must be looked at always). */
export function buildKeyIndex(keys: Iterable<readonly [Key, number]>): KeyIndex {
    const firsts = new Uint8Array(65536);
    const pairs = new Uint8Array(65536);
    const singles = new Map<string, number[]>();
    const buckets = new Map<string, Bucket>();
    for (const [key, rank] of keys) {
        const { needle } = key;
        if (needle === '') continue;
        if (needle.length === 1) {
            push(singles, needle, rank);
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
        if (table) push(table, needle, rank);
    }
    for (const needle of singles.keys()) firsts[needle.charCodeAt(0)] = (firsts[needle.charCodeAt(0)] ?? 0) | 1;

    /** Texts of the window come back turn after turn. */
    const remembered = new Map<string, Set<number>>();

    function scan(lower: string): Set<number> {
        const found = new Set<number>();
        for (let at = 0; at < lower.length; at++) {
            const code = lower.charCodeAt(at);
            const first = firsts[code] ?? 0;
            if (first === 0) continue;
            if ((first & 1) !== 0) for (const rank of singles.get(lower.charAt(at)) ?? []) found.add(rank);
            if ((first & 2) === 0 || at + 1 >= lower.length || pairs[pairOf(code, lower.charCodeAt(at + 1))] !== 1) continue;
            const bucket = buckets.get(lower.slice(at, at + 2));
            if (!bucket) continue;
            for (let i = 0; i < bucket.lengths.length; i++) {
                const end = at + (bucket.lengths[i] ?? 0);
                if (end > lower.length) break;
                const ranks = bucket.tables[i]?.get(lower.slice(at, end));
                if (ranks) for (const rank of ranks) found.add(rank);
            }
        }
        return found;
    }

    return {
        search(lower, found) {
            let ranks = remembered.get(lower);
            if (!ranks) {
                ranks = scan(lower);
                if (remembered.size >= rememberedTexts) {
                    const oldest = remembered.keys().next().value;
                    if (oldest !== undefined) remembered.delete(oldest);
                }
                remembered.set(lower, ranks);
            }
            for (const rank of ranks) found.add(rank);
        },
    };
}

function pairOf(first: number, second: number): number {
    return (Math.imul(first, 31) ^ second) & 0xffff;
}

function push(table: Map<string, number[]>, key: string, rank: number): void {
    const ranks = table.get(key);
    if (ranks) ranks.push(rank);
    else table.set(key, [rank]);
}
