/**
 * First turn (1-based, counted over `count` finished turns) of the n+m stable window (seed: 分段稳定前缀窗口): it grows from n
 * to n+m turns, at n+m+1 it drops the earliest m+1 and is back at n. Its start only moves then, which keeps the prefix stable.
 */
export function windowStart(count: number, n: number, m: number): number {
    const least = Math.max(1, n);
    const margin = Math.max(0, m);
    return count <= least + margin ? 1 : Math.floor((count - least) / (margin + 1)) * (margin + 1) + 1;
}

/** The items of a list that the window shows. */
export function windowOf<Item>(items: readonly Item[], n: number, m: number): Item[] {
    return items.slice(windowStart(items.length, n, m) - 1);
}
