import type { ReasoningMark } from './reasoning';
import { opensString, readString, skipBlank, type StringPlace } from './json-string';

/** One JSON-like value read out of a text. */
export interface ReadValue {
    value: unknown;
    end: number;
    /** False where the text ended inside it: `value` then holds what was complete before the cut, never the cut item. */
    closed: boolean;
    /** It turned out to be no JSON, or the reasoning ended inside it. */
    aborted: boolean;
}

interface Frame {
    value: Record<string, unknown> | unknown[];
    key: string | null;
    expects: 'key' | 'colon' | 'value' | 'next';
}

/** What reading needs to know beside the text. */
export interface ReadContext {
    marks: readonly ReasoningMark[];
    isKnownKey(key: string): boolean;
}

const brackets: Record<string, string> = { '{': '{', '｛': '{', '[': '[', '［': '[', '}': '}', '｝': '}', ']': ']', '］': ']' };
const word = /[^,，:：{}[\]｛｝［］"“”\n]+/y;
const literals: Record<string, unknown> = { true: true, false: false, null: null, none: null, undefined: null, nil: null };
/** `1,000` as a value: what follows the comma can be no key. */
const thousands = /[+-]?\d{1,3}(?:,\d{3})+(?=\s*[,}\n])/y;

/** A value without quotes: a literal of JSON, Python or JavaScript, a number (full-width digits too), else its text. */
function readWord(raw: string): unknown {
    const text = raw.trim().normalize('NFKC');
    const lower = text.toLowerCase();
    if (Object.hasOwn(literals, lower)) return literals[lower];
    return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : raw.trim();
}

function put(frame: Frame, value: unknown): void {
    if (Array.isArray(frame.value)) frame.value.push(value);
    else if (frame.key !== null && frame.key !== '__proto__') {
        const before = Object.hasOwn(frame.value, frame.key) ? frame.value[frame.key] : undefined;
        frame.value[frame.key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
    frame.key = null;
    frame.expects = 'next';
}

/**
 * What of a cut value is complete. Kept are the items before the cut of the array that a known key holds (or, without one,
 * of the outermost array); a half-written item is dropped with all that is in it.
 */
function completeParts(frames: Frame[], isKnownKey: (key: string) => boolean): unknown {
    const array = frames.findIndex((frame, at) => Array.isArray(frame.value) && at > 0 && isKnownKey(frames[at - 1]?.key ?? ''));
    const object = frames.findIndex((frame) => !Array.isArray(frame.value) && Object.keys(frame.value).some(isKnownKey));
    const outer = frames.findIndex((frame) => Array.isArray(frame.value));
    const keep = array >= 0 ? array : object >= 0 ? object : Math.max(0, outer);
    for (let at = keep; at > 0; at -= 1) {
        const frame = frames[at];
        const parent = frames[at - 1];
        if (frame && parent) put(parent, frame.value);
    }
    return frames[0]?.value;
}

/**
 * Reads the object or array that opens at `start`, forgiving what models get wrong: full-width punctuation outside strings,
 * typographic and single quotes, comments, bare keys and words, missing and doubled commas, quotes nobody escaped, `\n`
 * between tokens, brackets that are missing or too many.
 */
export function readValue(text: string, start: number, context: ReadContext): ReadValue {
    const frames: Frame[] = [];
    let at = start;
    const open = (bracket: string) => frames.push(bracket === '{' ? { value: {}, key: null, expects: 'key' } : { value: [], key: null, expects: 'value' });
    const top = () => frames[frames.length - 1];
    /** Closes the innermost container; true when it was the whole value. */
    const close = (): boolean => {
        const frame = frames.pop();
        if (frame && !Array.isArray(frame.value) && frame.key !== null) put(frame, null);
        const parent = top();
        if (!frame) return true;
        if (parent) put(parent, frame.value);
        else frames.push(frame);
        return parent === undefined;
    };
    while (at < text.length) {
        at = skipBlank(text, at);
        if (at >= text.length) break;
        const character = text[at] ?? '';
        const frame = top();
        const bracket = brackets[character];
        const mark = character === '<' || character === '[' ? context.marks.find((each) => each.start === at) : undefined;
        if (mark?.kind === 'close') return { value: undefined, end: mark.end, closed: false, aborted: true };
        if (frame && bracket !== '{' && bracket !== '[' && bracket !== undefined) {
            const closing = closeBracket(text, at, bracket, frames);
            for (let count = closing; count > 0; count -= 1) if (close()) return { value: frames[0]?.value, end: at + 1, closed: true, aborted: false };
            at += 1;
        } else if (bracket !== undefined) {
            if (frame && !Array.isArray(frame.value) && frame.key === null) frame.key = '';
            open(bracket);
            at += 1;
        } else if (frame === undefined) {
            break;
        } else if (opensString(character)) {
            const isArray = Array.isArray(frame.value);
            const place: StringPlace = isArray ? 'array-value' : frame.key === null ? 'key' : 'object-value';
            const read = readString(text, at, place);
            at = read.end;
            if (!read.closed && at < text.length) return { value: undefined, end: at, closed: false, aborted: true };
            if (!read.closed) break;
            if (isArray && frames.length > 1 && ':：'.includes(text[skipBlank(text, at)] ?? ' ')) {
                // A key inside an array: its closing bracket is missing.
                close();
                const parent = top();
                if (parent) parent.key = read.value;
            } else if (place === 'key') {
                frame.key = read.value;
                frame.expects = 'colon';
            } else put(frame, read.value);
        } else if (character === ':' || character === '：' || character === '=' || character === '＝') {
            frame.expects = 'value';
            at += 1;
        } else if (character === ',' || character === '，' || character === ';' || character === '；') {
            if (!Array.isArray(frame.value) && frame.key !== null) put(frame, null);
            at += 1;
        } else {
            word.lastIndex = at;
            thousands.lastIndex = at;
            const grouped = !Array.isArray(frame.value) && frame.key !== null ? thousands.exec(text)?.[0] : undefined;
            const raw = grouped ?? word.exec(text)?.[0] ?? character;
            const end = at + raw.length;
            if (!Array.isArray(frame.value) && frame.key === null) {
                // A bare key, or something between items that is neither.
                if (':：'.includes(text[end] ?? ' ')) frame.key = raw.trim();
            } else if (!/^[.…\s]+$/.test(raw) && !(Array.isArray(frame.value) && frame.expects === 'next')) {
                // A word that runs into the end of the text may be half a word.
                if (end >= text.length) break;
                put(frame, readWord(grouped?.replaceAll(',', '') ?? raw.replace(/(?:\/\/|\/\*|#).*$/, '')));
            }
            if (Array.isArray(frame.value)) frame.expects = 'value';
            at = end;
        }
        const now = top();
        if (now && Array.isArray(now.value) && (character === ',' || character === '，')) now.expects = 'value';
    }
    return { value: completeParts(frames, context.isKnownKey), end: text.length, closed: false, aborted: false };
}

/** How many containers a closing bracket closes: 0 where it is one too many. */
function closeBracket(text: string, at: number, bracket: string, frames: Frame[]): number {
    const isArray = (frame: Frame | undefined) => Array.isArray(frame?.value);
    const innermost = frames[frames.length - 1];
    const next = skipBlank(text, at + 1);
    if (isArray(innermost) === (bracket === ']')) {
        // The root closes, yet a further key follows: the bracket came too early.
        if (frames.length === 1 && bracket === '}' && /^[,，]\s*["“'][^"“”'\n]{1,40}["”']\s*[:：]/.test(text.slice(next, next + 80))) return 0;
        return 1;
    }
    const depth = frames.length - 1 - frames.findLastIndex((frame) => isArray(frame) === (bracket === ']'));
    if (depth >= frames.length) return 0;
    // `}` inside an array whose own end or next item follows is one too many; otherwise the array's bracket is missing.
    if (bracket === '}' && /^(?:[\]］]|[,，]\s*[{｛])/.test(text.slice(next, next + 20))) return 0;
    return depth + 1;
}
