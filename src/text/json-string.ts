/** Where a string stands decides what may follow it. */
export type StringPlace = 'key' | 'object-value' | 'array-value';

/** What opens a string outside one, and what may close it. Typographic and full-width quotes are what models of some languages write. */
const closers: Record<string, string> = { '"': '"”＂', '“': '”"“', '„': '”“"', '＂': '＂"', "'": "'", '‘': "’'", '`': '`', '「': '」', '『': '』' };

export function opensString(character: string | undefined): boolean {
    return character !== undefined && character in closers;
}

const blank = /(?:[\s\u200b\u200c\u200d\u2060\ufeff]|\\[nrt](?![A-Za-z])|\\(?=[[\]{}:,])|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** Past blanks, comments and the two characters `\n` that some models write between tokens. */
export function skipBlank(text: string, at: number): number {
    blank.lastIndex = at;
    blank.exec(text);
    return blank.lastIndex > at ? blank.lastIndex : at;
}

const quotedKey = /(?:"[^"“”\n]{1,60}["”]|“[^"“”\n]{1,60}["”]|'[^'\n]{1,60}'|＂[^＂\n]{1,60}＂|「[^」\n]{1,60}」)(?:\s|\\[nrt])*[:：=]/y;
const bareKey = /[A-Za-z_]\w{0,40}\s*[:：]/y;
const arrayItem = /["“'‘＂「『{[｛［\]］}｝\d-]|(?:\.{3}|…)\s*[\]］,，]|true\b|false\b|null\b|None\b/y;

function matches(pattern: RegExp, text: string, at: number): boolean {
    pattern.lastIndex = at;
    return pattern.test(text);
}

function keyAt(text: string, at: number): boolean {
    return matches(quotedKey, text, at) || matches(bareKey, text, at);
}

/** Whether a quote that ends right before `at` closes its string: only then does JSON go on sensibly behind it. */
function goesOn(text: string, at: number, place: StringPlace): boolean {
    const next = skipBlank(text, at);
    const character = text[next];
    if (character === undefined || text.startsWith('```', next)) return true;
    if (place === 'key') return ':：=＝,，}｝{[｛［"'.includes(character);
    if ('}｝]］'.includes(character)) return true;
    if (character === ',' || character === '，') {
        const item = skipBlank(text, next + 1);
        if (item >= text.length || '}｝]］'.includes(text[item] ?? '')) return true;
        return place === 'object-value' ? keyAt(text, item) : matches(arrayItem, text, item);
    }
    if (place === 'array-value' && (character === ':' || character === '：')) return true;
    // A comma was forgotten.
    if (place === 'object-value') return next > at && matches(quotedKey, text, next);
    return next > at && (opensString(character) || (/[\n]/.test(text.slice(at, next)) && '{['.includes(character)));
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/**
 * Reads a string that opens at `at`. A quote inside that nobody escaped stays part of the text, as JSON does not go on
 * behind it; a line that begins like the next key ends a string whose closing quote is missing. `closed` is false where
 * the text ends first.
 */
export function readString(text: string, at: number, place: StringPlace): { value: string; end: number; closed: boolean } {
    const opening = text[at] ?? '"';
    const ends = closers[opening] ?? '"';
    let value = '';
    let inner = 0;
    for (let index = at + 1; index < text.length; index += 1) {
        const character = text[index] ?? '';
        if (character === '\\') {
            const next = text[index + 1];
            if (next === undefined) return { value, end: text.length, closed: false };
            const code = next === 'u' ? /^[0-9a-f]{4}/i.exec(text.slice(index + 2, index + 6)) : null;
            value += code ? String.fromCharCode(parseInt(code[0], 16)) : next === '\n' ? '' : (escapes[next] ?? next);
            index += code ? 5 : 1;
            continue;
        }
        if (opening === '"' && character === '“') inner += 1;
        if (ends.includes(character)) {
            const pairs = opening === '"' && character === '”' && inner > 0;
            if (pairs) inner -= 1;
            else if (goesOn(text, index + 1, place)) return { value, end: index + 1, closed: true };
        }
        // No key has a line break: what opened here was no JSON.
        if (character === '\n' && place === 'key') return { value, end: index, closed: false };
        if (character === '\n' && place === 'object-value' && matches(quotedKey, text, skipBlank(text, index))) {
            return { value: value.replace(/[\s,，]+$/, ''), end: index, closed: true };
        }
        value += character;
    }
    return { value, end: text.length, closed: false };
}
