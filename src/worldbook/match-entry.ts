import { mayBeMacro, type BookIndex, type IndexedEntry } from './book-index';
import type { DecideContext, ScanRules } from './context';
import type { Verdict } from './eligibility';
import { matchKey, type Haystack, type Key } from './key';
import type { ScanBuffer, ScanPhase } from './scan-buffer';

/** How an entry's keys stand: matched and why, or not and why. */
export type KeyMatch = { matched: true; verdict: () => Verdict } | { matched: false; verdict: Verdict | null };

export interface EntryMatcher {
    match(item: IndexedEntry, phase: ScanPhase): KeyMatch;
    /** Number of matched keys (ST getScore: keys as written, secondary ones only under the positive logics). */
    score(item: IndexedEntry, phase: ScanPhase): number;
    /** Keys that were too dear to search to the end, with their entries. */
    gaveUp: Map<string, IndexedEntry>;
}

const logicNames = ['and-any', 'not-all', 'not-any', 'and-all'] as const;

/**
 * Whether an entry's keys are read by the seed's rule (any primary or secondary key) instead of the host's (a primary key, then the
 * secondary ones by logic). `auto`: the host's where the entry is selective, because there the author chose a logic or left the default
 * one; the seed's where it is not, because there the host would ignore the secondary keys altogether.
 */
export function usesSeedLogic(item: IndexedEntry, setting: DecideContext['config']['keywordLogic']): boolean {
    return setting === 'seed' || (setting === 'auto' && !item.entry.selective);
}

export function createEntryMatcher(index: BookIndex, context: DecideContext, rules: ScanRules, buffer: ScanBuffer): EntryMatcher {
    const gaveUp = new Map<string, IndexedEntry>();

    const search = (key: Key, where: Haystack, item: IndexedEntry): boolean => matchKey(
        key, where, item.entry.caseSensitive ?? rules.caseSensitive, item.entry.matchWholeWords ?? rules.wholeWords, (dear) => gaveUp.set(dear.text, item),
    );
    /** The key as searched, null for one that can never match. */
    const prepare = (text: string): Key | null => {
        const substituted = mayBeMacro(text) ? context.substitute(text) : text;
        if (substituted === '') return null;
        const trimmed = substituted.trim();
        return trimmed === '' && !rules.blankMatches ? null : index.keyOf(trimmed);
    };
    const firstMatch = (texts: readonly string[], where: Haystack, item: IndexedEntry): Key | null => {
        for (const text of texts) {
            const key = prepare(text);
            if (key !== null && search(key, where, item)) return key;
        }
        return null;
    };

    /** Where the key stands, for the explanation. */
    const explain = (key: Key, item: IndexedEntry, phase: ScanPhase): Verdict => {
        for (const segment of buffer.segments(item.entry, phase)) {
            if (!search(key, segment.hay, item)) continue;
            if (segment.where === 'message') return { by: 'keyword', because: { key: key.text, message: segment.number } };
            if (segment.where === 'recursion') return { by: 'recursion', because: { key: key.text, from: segment.name } };
            return { by: 'keyword', because: segment.where === 'state' ? { variant: 'state', key: key.text } : { variant: 'field', key: key.text, field: segment.name } };
        }
        return { by: 'keyword', because: { variant: 'somewhere', key: key.text } };
    };

    return {
        gaveUp,
        match(item, phase) {
            const { entry, directives } = item;
            const where = buffer.get(entry, phase);
            const seed = usesSeedLogic(item, context.config.keywordLogic);
            const key = firstMatch(item.primary, where, item) ?? (seed ? firstMatch(item.secondary, where, item) : null);
            if (key === null) return { matched: false, verdict: null };
            if (directives !== null && directives.excludeKeys.length > 0) {
                const excluded = firstMatch(directives.excludeKeys, where, item);
                if (excluded) return { matched: false, verdict: { by: 'secondary', because: { variant: 'excluded', key: key.text, secondary: excluded.text } } };
            }
            if (directives !== null && directives.additionalKeys.length > 0 && !firstMatch(directives.additionalKeys, where, item)) {
                return { matched: false, verdict: { by: 'secondary', because: { variant: 'and-any', key: key.text, secondary: directives.additionalKeys.join(', ') } } };
            }
            const verdict = (): Verdict => explain(key, item, phase);
            if (seed || !entry.selective || item.secondary.length === 0) return { matched: true, verdict };

            const hits = item.secondary.map((text) => {
                const secondary = prepare(text);
                return secondary !== null && search(secondary, where, item);
            });
            const any = hits.includes(true);
            const all = !hits.includes(false);
            const passes = [any, !all, !any, all][entry.selectiveLogic] ?? any;
            if (!passes) {
                const variant = logicNames[entry.selectiveLogic] ?? 'and-any';
                const named = item.secondary.filter((_, at) => hits[at] === (variant === 'not-all' || variant === 'not-any'));
                return { matched: false, verdict: { by: 'secondary', because: { variant, key: key.text, secondary: named.slice(0, 5).join(', ') } } };
            }
            return { matched: true, verdict };
        },
        score(item, phase) {
            const { entry } = item;
            if (item.primary.length === 0) return 0;
            const where = buffer.get(entry, phase);
            const count = (texts: readonly string[]): number => texts.filter((text) => search(index.keyOf(text), where, item)).length;
            const primary = count(item.primary);
            const secondary = count(item.secondary);
            if (item.secondary.length === 0) return primary;
            if (entry.selectiveLogic === 0) return primary + secondary;
            return entry.selectiveLogic === 3 && secondary === item.secondary.length ? primary + secondary : primary;
        },
    };
}
