/** Whether JSON text nests deeper than `limit`; deeper values would overflow the stack of whoever walks them. */
export function isDeeperThan(json: string, limit: number): boolean {
    let depth = 0;
    let inString = false;
    for (let at = 0; at < json.length; at++) {
        const char = json[at];
        if (inString) {
            if (char === '\\') at++;
            else if (char === '"') inString = false;
        } else if (char === '"') inString = true;
        else if (char === '[' || char === '{') {
            if (++depth > limit) return true;
        } else if (char === ']' || char === '}') depth--;
    }
    return false;
}
