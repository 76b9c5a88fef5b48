/** One `_.set(…);` command as MVU would find it. Positions are UTF-16 units; the `;` and a `//reason` are inside. */
export interface UpdateCommand {
    verb: string;
    /** Raw argument texts. */
    args: string[];
    start: number;
    end: number;
}

const opening = /_\.(set|insert|assign|remove|unset|delete|add)\(/g;

/** Splits an argument list at its top-level commas and finds the closing parenthesis; null where it never closes. */
function readArguments(text: string, from: number): { args: string[]; end: number } | null {
    const args: string[] = [];
    let quote = '';
    let depth = 0;
    let start = from;
    for (let position = from; position < text.length; position += 1) {
        const character = text[position] ?? '';
        if (quote !== '') {
            if (character === '\\') position += 1;
            else if (character === quote) quote = '';
        } else if (character === '"' || character === "'" || character === '`') {
            quote = character;
        } else if (character === '(' || character === '[' || character === '{') {
            depth += 1;
        } else if (character === ')' && depth === 0) {
            const last = text.slice(start, position).trim();
            return { args: last === '' ? args : [...args, last], end: position + 1 };
        } else if (character === ')' || character === ']' || character === '}') {
            depth -= 1;
        } else if (character === ',' && depth === 0) {
            args.push(text.slice(start, position).trim());
            start = position + 1;
        }
    }
    return null;
}

/** The older update commands in a text, in order: `_.set('a.b', 1);//why`. */
export function findUpdateCommands(text: string): UpdateCommand[] {
    const found: UpdateCommand[] = [];
    let from = 0;
    for (const match of text.matchAll(opening)) {
        if (match.index < from) continue;
        const list = readArguments(text, match.index + match[0].length);
        if (!list || text[list.end] !== ';') continue;
        const reason = /^;[ \t]*(?:\/\/[^\n]*)?/.exec(text.slice(list.end))?.[0] ?? ';';
        from = list.end + reason.length;
        found.push({ verb: match[1] ?? '', args: list.args, start: match.index, end: from });
    }
    return found;
}

/** Breaks every `_.set(` so that nothing reads it as a command; the text stays legible. */
export function breakUpdateCommands(text: string): string {
    return text.replace(opening, '_. $1(');
}
