import { nowhere, parseRegexKey, type RegexKey } from './regex-key';

/** A text to search keys in; the lower-cased form is made once, when a key needs it. */
export interface Haystack {
    text: string;
    lower(): string;
}

export function haystack(text: string): Haystack {
    let lowered: string | null = null;
    return { text, lower: () => (lowered ??= text.toLowerCase()) };
}

/** One key, prepared. */
export interface Key {
    /** As matched: trimmed where the host trims. */
    text: string;
    lower: string;
    regex: RegexKey | null;
    /** It looks like a regular expression and does not compile; it is matched as plain text (ST). */
    invalid: boolean;
    /** Lower-cased text without which it cannot match; '' = it may match anywhere. */
    needle: string;
}

// \x01 and line breaks stand between joined texts, a final sigma lower-cases by its neighbours, a dotted I by two characters.
const unsearchable = /[\u0001\n\u03a3\u0130\u0307]/;

/** Prepares a key. */
export function compileKey(text: string): Key {
    const parsed = text.startsWith('/') ? parseRegexKey(text) : null;
    const regex = parsed === 'invalid' ? null : parsed;
    const lower = text.toLowerCase();
    const needle = regex?.literal ?? lower;
    return { text, lower, regex, invalid: parsed === 'invalid', needle: unsearchable.test(regex ? needle : text) ? '' : needle };
}

const boundaries = new WeakMap<Key, [RegExp | null, RegExp | null]>();

/** The key with a non-word character or an end on both sides. Not `\b`: "C++" has boundaries too. */
function wholeWord(key: Key, caseSensitive: boolean): RegExp {
    let patterns = boundaries.get(key);
    if (!patterns) boundaries.set(key, (patterns = [null, null]));
    return (patterns[Number(caseSensitive)] ??= new RegExp(`(?:^|\\W)${(caseSensitive ? key.text : key.lower).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?:$|\\W)`));
}

/**
 * Where a key occurs, `nowhere` or `somewhere` (SillyTavern matchKeys, notes 5.3): a regular expression sees the original text and ignores
 * both settings; a plain key is a substring, or with `wholeWords` and no inner space bounded by \W, where every Chinese character counts
 * as a boundary.
 */
export function findKey(key: Key, where: Haystack, caseSensitive: boolean, wholeWords: boolean, gaveUp?: (key: Key) => void): number {
    if (key.regex) {
        const found = key.regex.find(where.text, where.lower);
        if (found !== 'gave-up') return found;
        gaveUp?.(key);
        return nowhere;
    }
    const text = caseSensitive ? where.text : where.lower();
    const at = text.indexOf(caseSensitive ? key.text : key.lower);
    // Inner white space: whole-word matching does not apply (ST).
    if (at === -1 || !wholeWords || /\s/.test(key.text)) return at;
    const bounded = wholeWord(key, caseSensitive).exec(text);
    return bounded ? Math.min(bounded.index + 1, text.length) : nowhere;
}
