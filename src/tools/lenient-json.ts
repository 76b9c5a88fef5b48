import { lineAt } from './json-position';
import { opensString, readString, skipBlanks, type StringPlace, type StringRepair } from './json-strings';

/** What had to be overlooked. `risky` ones may have changed the meaning, so the author should look. */
export type JsonRepair = StringRepair | 'comma' | 'punctuation' | 'word' | 'number' | 'unclosed' | 'text';
const risky: ReadonlySet<JsonRepair> = new Set(['inner-quote', 'escape', 'unclosed', 'text', 'punctuation']);

export type JsonReading =
    | { ok: true; value: unknown; repairs: { kind: JsonRepair; line: number; risky: boolean }[] }
    | { ok: false; line: number; problem: 'no-object' | 'unclosed-string' | 'unexpected' | 'several' | 'depth' | 'too-long'; found: string };

const maximumDepth = 64;
/** UTF-16 units that are read leniently; strict JSON may be longer. Bounds the time a hostile entry can take. */
const maximumLength = 64_000;

class ReadingError extends Error {
    constructor(readonly problem: Exclude<JsonReading, { ok: true }>['problem'], readonly at: number) {
        super(problem);
    }
}

/**
 * Reads an author's JSON: as it is when it is JSON, else as JSON5 with raw newlines in strings, unescaped quotes that are
 * plainly inside, full-width punctuation, missing commas and closing brackets. A general repairer was tried and is not used
 * here: it turned `"return a + "x";"` into `"return ax\";"` without a word, and a tool that computes something else is
 * worse than one that is refused. What stays unclear is refused with its line.
 */
export function readLenientJson(text: string): JsonReading {
    try {
        return { ok: true, value: JSON.parse(text) as unknown, repairs: [] };
    } catch (error) {
        // Not strict JSON; the reader below says where and what.
        if (!(error instanceof SyntaxError)) throw error;
    }
    if (text.length > maximumLength) return { ok: false, line: 1, problem: 'too-long', found: String(maximumLength) };
    const exact = read(text, true);
    return exact.ok || exact.problem === 'several' ? exact : read(text, false);
}

/** With `exact`, the next unescaped quote ends a string (JSON5); without, what follows the quote decides. */
function read(text: string, exact: boolean): JsonReading {
    const found = new Map<JsonRepair, number>();
    const repair = (kind: JsonRepair, at: number) => {
        if (!found.has(kind)) found.set(kind, lineAt(text, at));
    };
    try {
        const value = readDocument({ text: unfenced(text), exact, repair });
        return { ok: true, value, repairs: [...found].map(([kind, line]) => ({ kind, line, risky: risky.has(kind) })) };
    } catch (error) {
        if (!(error instanceof ReadingError)) throw error;
        return { ok: false, line: lineAt(text, error.at), problem: error.problem, found: text.slice(error.at, error.at + 20).split('\n')[0] ?? '' };
    }
}

interface Reader {
    text: string;
    exact: boolean;
    repair(kind: JsonRepair, at: number): void;
}

/** Blanks out a code fence around the whole, keeping every offset. */
function unfenced(text: string): string {
    const fence = /^(\s*```[^\n]*\n)([\s\S]*?)(\n[ \t]*```\s*)$/.exec(text);
    if (fence === null) return text;
    const [, before = '', body = '', after = ''] = fence;
    return before.replace(/[^\n]/g, ' ') + body + after.replace(/[^\n]/g, ' ');
}

function readDocument(reader: Reader): unknown {
    const { text } = reader;
    let start = skipBlanks(text, 0);
    if (text.charAt(start) !== '{') {
        const brace = text.indexOf('{', start);
        if (brace === -1) throw new ReadingError('no-object', start);
        reader.repair('text', start);
        start = brace;
    }
    const { value, end } = readValue(reader, start, 'top', 0);
    const rest = skipBlanks(text, end);
    const tail = text.slice(rest).replace(/^[;,，；]\s*/, '');
    if (tail.trim() === '') return value;
    if (tail.startsWith('{')) throw new ReadingError('several', rest);
    reader.repair('text', rest);
    return value;
}

function readValue(reader: Reader, from: number, place: StringPlace, depth: number): { value: unknown; end: number } {
    if (depth > maximumDepth) throw new ReadingError('depth', from);
    const at = skipBlanks(reader.text, from);
    const char = reader.text.charAt(at);
    if (char === '{') return readObject(reader, at, depth);
    if (char === '[') return readArray(reader, at, depth);
    if (opensString(char)) return readJoinedStrings(reader, at, place);
    return readWord(reader, at);
}

/** A string, or several joined by `+` as in JavaScript. */
function readJoinedStrings(reader: Reader, from: number, place: StringPlace): { value: string; end: number } {
    let value = '';
    for (let at = from; ;) {
        const part = readString(reader.text, at, reader.exact ? 'exact' : place, reader.repair);
        if (part === null) throw new ReadingError('unclosed-string', at);
        value += part.value;
        const plus = skipBlanks(reader.text, part.end);
        const next = skipBlanks(reader.text, plus + 1);
        if (reader.text.charAt(plus) !== '+' || !opensString(reader.text.charAt(next))) return { value, end: part.end };
        at = next;
    }
}

function readObject(reader: Reader, from: number, depth: number): { value: Record<string, unknown>; end: number } {
    const { text, repair } = reader;
    const value: Record<string, unknown> = {};
    for (let at = skipBlanks(text, from + 1); ;) {
        const char = text.charAt(at);
        if (char === '}') return { value, end: at + 1 };
        if (char === '') {
            repair('unclosed', at);
            return { value, end: at };
        }
        const key = readKey(reader, at);
        const colon = skipBlanks(text, key.end);
        if (text.charAt(colon) === '：') repair('punctuation', colon);
        else if (text.charAt(colon) !== ':') throw new ReadingError('unexpected', colon);
        const item = readValue(reader, colon + 1, 'objectValue', depth + 1);
        // Never through a setter: `__proto__` is a key like any other.
        Object.defineProperty(value, key.value, { value: item.value, enumerable: true, configurable: true, writable: true });
        at = afterItem(reader, item.end, '}');
    }
}

function readArray(reader: Reader, from: number, depth: number): { value: unknown[]; end: number } {
    const { text, repair } = reader;
    const value: unknown[] = [];
    for (let at = skipBlanks(text, from + 1); ;) {
        const char = text.charAt(at);
        if (char === ']') return { value, end: at + 1 };
        if (char === '') {
            repair('unclosed', at);
            return { value, end: at };
        }
        const item = readValue(reader, at, 'arrayValue', depth + 1);
        value.push(item.value);
        at = afterItem(reader, item.end, ']');
    }
}

/** Past the comma after an item; a missing one is overlooked where a new line begins, a trailing one always. */
function afterItem(reader: Reader, end: number, closer: string): number {
    const at = skipBlanks(reader.text, end);
    const char = reader.text.charAt(at);
    if (char === closer || char === '') return at;
    if (char === ',' || char === '，') {
        const next = skipBlanks(reader.text, at + 1);
        if (char === '，') reader.repair('punctuation', at);
        if (reader.text.charAt(next) === closer) reader.repair('comma', at);
        return next;
    }
    if (!reader.text.slice(end, at).includes('\n') && (reader.exact || !opensString(char))) throw new ReadingError('unexpected', at);
    reader.repair('comma', at);
    return at;
}

function readKey(reader: Reader, at: number): { value: string; end: number } {
    if (opensString(reader.text.charAt(at))) {
        const key = readString(reader.text, at, reader.exact ? 'exact' : 'key', reader.repair);
        if (key === null) throw new ReadingError('unclosed-string', at);
        return key;
    }
    const word = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
    word.lastIndex = at;
    const match = word.exec(reader.text);
    if (match === null) throw new ReadingError('unexpected', at);
    reader.repair('quote', at);
    return { value: match[0], end: word.lastIndex };
}

const words: Record<string, unknown> = { true: true, false: false, null: null, undefined: null, True: true, False: false, None: null };

function readWord(reader: Reader, at: number): { value: unknown; end: number } {
    const word = /[^\s,，:：{}[\]"'`“”]+/y;
    word.lastIndex = at;
    const found = word.exec(reader.text)?.[0];
    if (found === undefined) throw new ReadingError('unexpected', at);
    const end = at + found.length;
    if (Object.hasOwn(words, found)) return { value: words[found], end };
    const sign = found.startsWith('-') ? -1 : 1;
    const digits = found.replace(/^[+-]/, '');
    if (/^(?:0x[0-9a-f]+|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)$/i.test(digits)) return { value: sign * Number(digits), end };
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(found)) throw new ReadingError('unexpected', at);
    reader.repair('word', at);
    return { value: found, end };
}
