/**
 * Strings as authors write them into JSON by hand: raw newlines, single and typographic quotes, backslashes that JSON does
 * not know (`\d` of a regular expression), and quotes inside that were not escaped. Which quote ends the string is decided by
 * what follows it, never by guessing at the content; at `exact` it is the next one.
 */
export type StringPlace = 'key' | 'objectValue' | 'arrayValue' | 'top' | 'exact';

const closers: Record<string, string> = { '"': '"\u201d', '\'': '\'', '`': '`', '\u201c': '\u201d"', '\u201d': '\u201d"', '\u2018': '\u2019\'', '\u2019': '\u2019\'' };

/** Whether a character can open a string. */
export function opensString(char: string | undefined): char is string {
    return char !== undefined && Object.hasOwn(closers, char);
}

const simpleEscapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '/': '/', '\\': '\\', '"': '"', '\'': '\'', '`': '`', '\u201c': '\u201c', '\u201d': '\u201d' };

export type StringRepair = 'newline' | 'quote' | 'inner-quote' | 'escape';

/** Reads the string that opens at `start`. Null where nothing closes it. `end` is past the closing quote. */
export function readString(text: string, start: number, place: StringPlace, repair: (kind: StringRepair, at: number) => void): { value: string; end: number } | null {
    const opener = text.charAt(start);
    const closing = closers[opener] ?? opener;
    if (opener !== '"') repair('quote', start);
    let value = '';
    for (let at = start + 1; at < text.length; at++) {
        const char = text.charAt(at);
        if (char === '\\') {
            const escape = readEscape(text, at);
            if (escape.unknown) repair('escape', at);
            value += escape.value;
            at = escape.end - 1;
        } else if (closing.includes(char)) {
            if (opener === '`' || place === 'exact' || endsHere(text, at + 1, place)) return { value, end: at + 1 };
            repair('inner-quote', at);
            value += char;
        } else if (char === '\r' && text.charAt(at + 1) === '\n') continue;
        else {
            if (char === '\n' || char === '\t') repair('newline', at);
            value += char;
        }
    }
    return null;
}

function readEscape(text: string, at: number): { value: string; end: number; unknown: boolean } {
    const next = text.charAt(at + 1);
    const simple = simpleEscapes[next];
    if (simple !== undefined) return { value: simple, end: at + 2, unknown: false };
    if (next === 'u') {
        const digits = /^[0-9a-fA-F]{4}/.exec(text.slice(at + 2, at + 6))?.[0];
        if (digits !== undefined) return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 6, unknown: false };
    }
    if (next === '\n') return { value: '', end: at + 2, unknown: false };
    if (next === '\r') return { value: '', end: at + (text.charAt(at + 2) === '\n' ? 3 : 2), unknown: false };
    // The author meant the backslash itself.
    return { value: `\\${next}`, end: at + 2, unknown: true };
}

const keyAhead = /\s*(?:(["'“])[^"'“”:：,{}\n]{1,80}["'”]|[\p{L}_$][\p{L}\p{N}_$-]{0,80})\s*[:：]/uy;

/** Skips blanks and comments; an unclosed comment is none. */
export function skipBlanks(text: string, from: number): number {
    const blank = /[\s\uFEFF]*/y;
    for (let at = from; ;) {
        blank.lastIndex = at;
        blank.exec(text);
        at = blank.lastIndex;
        if (text.charAt(at) !== '/') return at;
        const next = text.charAt(at + 1);
        const end = next === '/' ? text.indexOf('\n', at) : next === '*' ? text.indexOf('*/', at + 2) : -2;
        if (end === -2 || end === -1 && next === '*') return at;
        if (end === -1) return text.length;
        at = next === '*' ? end + 2 : end;
    }
}

function keyFollows(text: string, from: number): boolean {
    keyAhead.lastIndex = skipBlanks(text, from);
    return keyAhead.test(text);
}

/** Whether a quote that stands before `from` ends its string: what follows is what JSON has after a string there. */
function endsHere(text: string, from: number, place: StringPlace): boolean {
    const at = skipBlanks(text, from);
    const next = text.charAt(at);
    if (place === 'key') return next === ':' || next === '：';
    if (next === '') return true;
    if (next === '+' && opensString(text.charAt(skipBlanks(text, at + 1)))) return true;
    if (place === 'arrayValue') return next === ',' || next === '，' || next === ']';
    if (next === '}') {
        const after = text.charAt(skipBlanks(text, at + 1));
        return after === '' || after === ',' || after === '}' || after === ']' || after === '`' || after === ';' && text.charAt(skipBlanks(text, text.indexOf(';', at) + 1)) === '';
    }
    if (next === ',' || next === '，') {
        const after = skipBlanks(text, at + 1);
        return text.charAt(after) === '' || text.charAt(after) === '}' || keyFollows(text, after);
    }
    return text.slice(from, at).includes('\n') && keyFollows(text, at);
}
