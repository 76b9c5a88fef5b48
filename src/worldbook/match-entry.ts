import { mayBeMacro, type BookIndex, type IndexedEntry } from './book-index';
import type { DecideContext, ScanRules } from './context';
import type { Verdict } from './eligibility';
import { findKey, type Key } from './key';
import { nowhere } from './regex-key';
import type { ScanBuffer, ScanPhase, ScanText } from './scan-buffer';

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

/** `occurring`: the indexed keys that occur in any text of the turn so far; the others need no search. */
export function createEntryMatcher(index: BookIndex, context: DecideContext, rules: ScanRules, buffer: ScanBuffer, occurring: ReadonlySet<Key>): EntryMatcher {
    const gaveUp = new Map<string, IndexedEntry>();

    const find = (key: Key, where: ScanText, item: IndexedEntry): number => (!occurring.has(key) && index.keys.has(key) ? nowhere : findKey(
        key, where, item.entry.caseSensitive ?? rules.caseSensitive, item.entry.matchWholeWords ?? rules.wholeWords, (dear) => gaveUp.set(dear.text, item),
    ));
    const search = (key: Key, where: ScanText, item: IndexedEntry): boolean => find(key, where, item) !== nowhere;
    /** The key as searched, null for one that can never match. */
    const prepare = (text: string): Key | null => {
        const substituted = mayBeMacro(text) ? context.substitute(text) : text;
        if (substituted === '') return null;
        const trimmed = substituted.trim();
        return trimmed === '' && !rules.blankMatches ? null : index.keyOf(trimmed);
    };
    const firstMatch = (texts: readonly string[], where: ScanText, item: IndexedEntry): { text: string; at: number } | null => {
        for (const text of texts) {
            const key = prepare(text);
            const at = key === null ? nowhere : find(key, where, item);
            if (key !== null && at !== nowhere) return { text: key.text, at };
        }
        return null;
    };

    /** Where the key stands, for the explanation. */
    const explain = (key: { text: string; at: number }, where: ScanText): Verdict => {
        const place = where.placeOf(key.at);
        switch (place?.where) {
            case 'message': return { by: 'keyword', because: { key: key.text, message: place.number } };
            case 'recursion': return { by: 'recursion', because: { key: key.text, from: place.name } };
            case 'state': return { by: 'keyword', because: { variant: 'state', key: key.text } };
            case 'field': return { by: 'keyword', because: { variant: 'field', key: key.text, field: place.name } };
            default: return { by: 'keyword', because: { variant: 'somewhere', key: key.text } };
        }
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
            const verdict = (): Verdict => explain(key, where);
            if (seed || !entry.selective || item.secondary.length === 0) return { matched: true, verdict };

            const hits = item.secondary.map((text) => {
                const secondary = prepare(text);
                return secondary !== null && search(secondary, where, item);
            });
            const any = hits.includes(true);
            const all = !hits.includes(false);
            const passes = [any, !all, !any, all][entry.selectiveLogic ?? 0] ?? any;
            if (!passes) {
                const variant = logicNames[entry.selectiveLogic ?? 0] ?? 'and-any';
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
