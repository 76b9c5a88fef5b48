const opens = new Set(['{', '[']);
const closes = new Set(['}', ']']);

/** The object or array that opens at `start`, where it is valid JSON as it stands; null otherwise. */
export function strictValue(text: string, start: number): { value: unknown; end: number } | null {
    let depth = 0;
    let inString = false;
    for (let at = start; at < text.length; at += 1) {
        const character = text[at] ?? '';
        if (inString) {
            if (character === '\\') at += 1;
            else if (character === '"') inString = false;
            else if (character === '\n') return null;
            continue;
        }
        if (character === '"') inString = true;
        else if (opens.has(character)) depth += 1;
        else if (closes.has(character)) {
            depth -= 1;
            if (depth === 0) return parsedSlice(text, start, at + 1);
        }
    }
    return null;
}

function parsedSlice(text: string, start: number, end: number): { value: unknown; end: number } | null {
    try {
        return { value: JSON.parse(text.slice(start, end)), end };
    } catch (error) {
        if (error instanceof SyntaxError) return null;
        throw error;
    }
}
