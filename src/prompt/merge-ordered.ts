/**
 * One list of all items of two that are in the same order wherever they share items (what planner and writer see of one
 * selection). Items of only one list keep their place between their neighbours.
 */
export function mergeOrdered(first: readonly string[], second: readonly string[]): string[] {
    const merged: string[] = [];
    let from = 0;
    for (const item of first) {
        const at = second.indexOf(item, from);
        if (at >= 0) {
            merged.push(...second.slice(from, at));
            from = at + 1;
        }
        merged.push(item);
    }
    return [...merged, ...second.slice(from)];
}
