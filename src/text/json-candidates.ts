import { reasoningEnd, reasoningMarks } from './reasoning';
import { strictValue } from './json-strict';
import { readValue, type ReadValue } from './json-value';

/** What the texts outside strings say at one level: the values that may be an answer, and whether text was only reasoning. */
export interface FoundValues {
    values: ReadValue[];
    /** Reasoning was there and nothing but blanks is left beside it. */
    onlyReasoning: boolean;
}

const opening = /[{｛]\s*(?:\\n|\s)*(?=["“„＂'‘「`}｝]|\\+"|\/[/*]|#|[A-Za-z_\p{Script=Han}][\w\p{Script=Han}]{0,40}\s*[:：=])|[[［]\s*(?=[{｛["“'[\]］])/uy;

const furtherKey = /^\s*[,，]\s*["“'][^"“”'\n]{1,40}["”']\s*[:：]/;

/** So many openings that never close are looked into: enough for prose, few enough for hostile text. */
const unfinishedLimit = 30;

/**
 * All objects and arrays of a model's output in order, reasoning left out: between its marks, before a closing mark that
 * nobody opened, and after an opening one that is never closed (save an object on a line of its own that ends the text:
 * there only the closing mark was forgotten). Marks inside JSON strings are text.
 */
export function findValues(text: string, isKnownKey: (key: string) => boolean, cut: boolean): FoundValues {
    const marks = reasoningMarks(text);
    let values: ReadValue[] = [];
    let reasoned = false;
    let outside = '';
    let unfinished = 0;
    let at = 0;
    while (at < text.length) {
        const index = marks.findIndex((mark) => mark.start === at);
        const mark = marks[index];
        if (mark?.kind === 'close') {
            values = [];
            outside = '';
            reasoned = true;
            at = mark.end;
            continue;
        }
        if (mark) {
            reasoned = true;
            const end = reasoningEnd(marks, index);
            if (end >= 0) {
                at = end;
                continue;
            }
            const last = cut ? null : lastOwnObject(text, mark.end, isKnownKey);
            return { values: last ? [...values, last] : values, onlyReasoning: !last && values.length === 0 && outside.trim() === '' };
        }
        opening.lastIndex = at;
        if (unfinished < unfinishedLimit && opening.test(text)) {
            const whole = strictValue(text, at);
            // A further key behind its end: the closing bracket came too early.
            const strict = whole && !furtherKey.test(text.slice(whole.end, whole.end + 80)) ? whole : null;
            const read = strict ? { ...strict, closed: true, aborted: false } : readValue(text, at, { marks, isKnownKey });
            // What never ends may have been no JSON at all: look for better inside it.
            if (!read.aborted) values.push(read);
            if (!read.closed) unfinished += 1;
            else {
                at = read.end;
                outside += 'x';
                continue;
            }
        }
        outside += text[at] ?? '';
        at += 1;
    }
    return { values: unswallowed(values, isKnownKey), onlyReasoning: reasoned && values.length === 0 && outside.trim() === '' };
}

/** An object that begins a line and ends the text. */
function lastOwnObject(text: string, from: number, isKnownKey: (key: string) => boolean): ReadValue | null {
    for (const match of text.slice(from).matchAll(/(?:^|\n)[ \t]*(?:```\w*\s*)?(?=[{｛])/g)) {
        const read = readValue(text, from + match.index + match[0].length, { marks: [], isKnownKey });
        if (read.closed && /^[\s`]*$/.test(text.slice(read.end)) && holdsKnown(read.value, isKnownKey)) return read;
    }
    return null;
}

/** Closed values that hold a known key make the unclosed ones around them noise; without any, the first unclosed one counts. */
function unswallowed(values: ReadValue[], isKnownKey: (key: string) => boolean): ReadValue[] {
    const closed = values.filter((read) => read.closed);
    const open = values.filter((read) => !read.closed);
    if (open.length === 0) return values;
    const first = open.find((read) => holdsKnown(read.value, isKnownKey)) ?? open[0];
    if (closed.some((read) => holdsKnown(read.value, isKnownKey)) && first && holdsKnown(first.value, isKnownKey)) return [...closed.filter((read) => holdsKnown(read.value, isKnownKey)), first];
    if (closed.some((read) => holdsKnown(read.value, isKnownKey))) return closed;
    return first ? [first] : closed;
}

function holdsKnown(value: unknown, isKnownKey: (key: string) => boolean, depth = 0): boolean {
    return depth < 8 && typeof value === 'object' && value !== null && Object.entries(value).some(([key, inner]) => isKnownKey(key) || holdsKnown(inner, isKnownKey, depth + 1));
}
