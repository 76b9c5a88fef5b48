/** 1-based line of an offset in a text. */
export function lineAt(text: string, offset: number): number {
    let line = 1;
    for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
    return line;
}

/**
 * 1-based line where the value of a field is written, found by looking for its key and those above it one after
 * another; the line of the deepest key found, 1 where there is none. Good enough to point an author at the place.
 */
export function lineOfField(text: string, path: readonly PropertyKey[]): number {
    let from = 0;
    let found = 0;
    for (const key of path) {
        if (typeof key !== 'string') continue;
        const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        const match = new RegExp(`(?:^|[{,\\s])["'“]?${escaped}["'”]?\\s*[:：]`, 'g');
        match.lastIndex = from;
        const hit = match.exec(text);
        if (hit === null) break;
        found = hit.index + hit[0].length;
        from = found;
    }
    return lineAt(text, found);
}
