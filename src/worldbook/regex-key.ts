import { buildAutomaton, type Automaton } from './regex-automaton';
import { backtrackingPower, parseRegex, type Node } from './regex-syntax';

/** A key written as `/pattern/flags`. */
export interface RegexKey {
    /** Text, in lower case, that every match contains; '' when none is known. */
    literal: string;
    /** Where it occurs in the text, or what `findKey` says; `gave-up` when finding out could freeze the page. */
    find(text: string, lower: () => string): number | 'gave-up';
}

/** Not found. */
export const nowhere = -1;
/** Found, at a place that is not told. */
export const somewhere = -2;

/** Backtracking steps one search may take by the worst case; about 20 ms. */
const nativeSteps = 4_000_000;
const automatonSteps = 2_000_000;

/**
 * Reads a key as a regular expression exactly where the host does (SillyTavern parseRegexFromString): slashes at both ends, flags
 * of gimsuy, inner slashes escaped, and it compiles. `null`: it is plain text; `invalid`: it looks like one but does not compile.
 */
export function parseRegexKey(key: string): RegexKey | null | 'invalid' {
    if (!key.startsWith('/')) return null;
    const parts = /^\/([\s\S]+?)\/([gimsuy]*)$/.exec(key);
    if (!parts || parts[1] === undefined || parts[2] === undefined) return null;
    if (/(^|[^\\])\//.test(parts[1])) return null;
    const pattern = parts[1].replace('\\/', '/');
    // With g a second search of the same text would start where the first ended.
    const flags = parts[2].replace('g', '');
    let native: RegExp;
    try {
        native = new RegExp(pattern, flags);
        void new RegExp(pattern, parts[2]);
    } catch (error) {
        if (error instanceof SyntaxError) return 'invalid';
        throw error;
    }
    const tree = parseRegex(pattern, flags.includes('u'));
    const power = tree === null ? crudePower(pattern) : backtrackingPower(tree);
    const { leading, longest } = literalsOf(tree, flags);
    const folded = flags.includes('i');
    let automaton: Automaton | null | undefined;

    return {
        literal: longest.toLowerCase(),
        find(text, lower) {
            if (power === 0) return search(native, text);
            const starts = leading === '' ? text.length : occurrences(folded ? lower() : text, folded ? leading.toLowerCase() : leading);
            if (starts === 0 && !flags.includes('y') && text.length > 0) return leading === '' ? search(native, text) : nowhere;
            if (starts * text.length ** power <= nativeSteps) return search(native, text);
            automaton ??= tree === null ? null : buildAutomaton(tree, flags);
            if (automaton) {
                const found = automaton.test(text, automatonSteps);
                return found === null ? 'gave-up' : found ? somewhere : nowhere;
            }
            if (power === Infinity) return text.length <= 20 ? search(native, text) : 'gave-up';
            // The newest texts come first, so the part that is still searched is the one that matters most.
            const found = search(native, text.slice(0, Math.floor(nativeSteps ** (1 / (power + 1)))));
            return found === nowhere ? 'gave-up' : found;
        },
    };
}

function search(pattern: RegExp, text: string): number {
    pattern.lastIndex = 0;
    return pattern.exec(text)?.index ?? nowhere;
}

function occurrences(text: string, part: string): number {
    let found = 0;
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) found++;
    return found;
}

/** For patterns the reader does not know (back references): any quantified group counts as the worst. */
function crudePower(pattern: string): number {
    if (/\)(?:[*+]|\{\d+,)/.test(pattern)) return Infinity;
    return (pattern.match(/[^\\](?:[*+]|\{\d+,\d*\})/g) ?? []).length;
}

/** Runs of plain characters that stand at the top level, so that no match can do without them. */
function literalsOf(tree: Node | null, flags: string): { leading: string; longest: string } {
    const none = { leading: '', longest: '' };
    if (tree?.type !== 'sequence' || (flags.includes('i') && flags.includes('u'))) return none;
    let run = '';
    let longest = '';
    let leading: string | null = null;
    const close = (): void => {
        leading ??= run;
        if (run.length > longest.length) longest = run;
        run = '';
    };
    for (const part of tree.parts) {
        const char = part.type === 'char' ? plainCharacter(part.source, flags.includes('i')) : null;
        if (char === null) close();
        else run += char;
    }
    close();
    return { leading: leading ?? '', longest };
}

function plainCharacter(source: string, folded: boolean): string | null {
    const char = /^\\[^a-zA-Z0-9]$/.test(source) ? source.slice(1) : source;
    if (char.length !== 1 || char === '.' && source === '.') return null;
    // Letters outside ASCII that have cases fold in ways a lower-cased text does not show; the sigma even by context.
    const cased = char.toLowerCase() !== char || char.toUpperCase() !== char;
    return cased && (folded || char === 'Σ' || char === 'İ') && !/[a-zA-Z]/.test(char) ? null : char;
}
