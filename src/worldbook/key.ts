import { parseRegexKey, type RegexKey } from './regex-key';

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
    /** Inner white space: whole-word matching does not apply (ST). */
    severalWords: boolean;
    /** Lower-cased text without which it cannot match; '' = it may match anywhere. */
    needle: string;
    wholeWord(caseSensitive: boolean): RegExp;
}

/** Prepares a key. */
export function compileKey(text: string): Key {
    const parsed = parseRegexKey(text);
    const regex = parsed === 'invalid' ? null : parsed;
    const lower = text.toLowerCase();
    const patterns: [RegExp | null, RegExp | null] = [null, null];
    return {
        text,
        lower,
        regex,
        invalid: parsed === 'invalid',
        severalWords: /\s/.test(text),
        // \x01 stands between the joined texts; a final sigma lower-cases by its neighbours.
        needle: regex ? regex.literal : /[\u0001ΣİI\u0307]/.test(text) && !/^[\u0020-\u007e]*$/.test(text) ? '' : lower,
        wholeWord(caseSensitive) {
            return (patterns[Number(caseSensitive)] ??= new RegExp(`(?:^|\\W)${(caseSensitive ? text : lower).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?:$|\\W)`));
        },
    };
}

/**
 * Whether a key occurs (SillyTavern matchKeys, notes 5.3): a regular expression sees the original text and ignores both settings; a
 * plain key is a substring, or with `wholeWords` and no inner space bounded by \W, where every Chinese character counts as a boundary.
 */
export function matchKey(key: Key, where: Haystack, caseSensitive: boolean, wholeWords: boolean, gaveUp?: (key: Key) => void): boolean {
    if (key.regex) {
        const found = key.regex.test(where.text, where.lower);
        if (found === 'gave-up') gaveUp?.(key);
        return found === true;
    }
    const text = caseSensitive ? where.text : where.lower();
    if (!text.includes(caseSensitive ? key.text : key.lower)) return false;
    return !wholeWords || key.severalWords || key.wholeWord(caseSensitive).test(text);
}
