import { atOnce, type Steps } from '../steps';
import { mayBeMacro, type BookIndex, type IndexedEntry } from './book-index';
import { scanRules, type DecideContext } from './context';
import { ineligible, type Verdict } from './eligibility';
import { filterGroups } from './groups';
import { roll } from './hash';
import type { Key } from './key';
import { createEntryMatcher, type KeyMatch } from './match-entry';
import { createScanBuffer, type ScanPhase } from './scan-buffer';
import { readTimedEffects, type TimedEffects } from './timed-effects';

export interface Activation {
    /** In the order they became active. */
    active: Map<IndexedEntry, Verdict>;
    /** Entries that were looked at and are not active, with the last reason. */
    out: Map<IndexedEntry, Verdict>;
    /** Contents with macros substituted, once a turn. */
    render(item: IndexedEntry): string;
    renderText(text: string): string;
    timed: TimedEffects;
    /** How an entry's keys stand in everything scanned this turn, for entries that are no lore. */
    keysOf(item: IndexedEntry): KeyMatch;
    /** Keys that were too dear to search to the end. */
    gaveUp: Map<string, IndexedEntry>;
    /** The host's own token limit was hit. */
    overflowed: boolean;
}

/**
 * Which lore entries are active this turn: SillyTavern's scan loop (checkWorldInfo, notes 5.4–5.6) over the entries that the key index
 * and the specials leave to look at. Its oddities are kept, because authors see their books through them.
 */
export function activate(index: BookIndex, context: DecideContext, recalled: ReadonlyMap<IndexedEntry, Verdict>): Activation {
    return atOnce(activateSteps(index, context, recalled));
}

/** activate, in steps. */
export function* activateSteps(index: BookIndex, context: DecideContext, recalled: ReadonlyMap<IndexedEntry, Verdict>): Steps<Activation> {
    const rules = scanRules(context);
    const buffer = createScanBuffer(context, rules, index.deepestScan);
    const occurring = new Set<Key>();
    const matcher = createEntryMatcher(index, context, rules, buffer, occurring);
    const timed = readTimedEffects(index, context);
    const active = new Map<IndexedEntry, Verdict>();
    const out = new Map<IndexedEntry, Verdict>();
    const failed = new Set<IndexedEntry>();
    const eligible = new Map<IndexedEntry, boolean>();
    const forced = new Set(context.forced.map(({ world, uid }) => index.byId.get(`${world}#${uid}`)));
    const rendered = new Map<IndexedEntry, string>();

    const renderText = (text: string): string => (mayBeMacro(text) ? context.substitute(text) : text);
    const render = (item: IndexedEntry): string => {
        let text = rendered.get(item);
        if (text === undefined) rendered.set(item, (text = renderText(item.content)));
        return text;
    };

    const ranks = new Set(index.specials);
    for (const item of [...timed.sticky, ...forced, ...recalled.keys()]) if (item) ranks.add(item.rank);
    let candidates: IndexedEntry[] = [];
    const addCandidates = (): void => {
        for (const text of buffer.freshTexts()) index.keys.search(text, occurring);
        for (const key of occurring) for (const rank of index.keys.ranksOf(key)) ranks.add(rank);
        if (ranks.size === candidates.length) return;
        candidates = [...ranks].sort((a, b) => a - b).flatMap((rank) => index.items[rank] ?? []);
    };

    const levels = [...index.delayLevels];
    let level = levels.shift() ?? 0;
    let phase: ScanPhase | null = 'initial';
    let overflowed = false;
    let recursionText = '';

    /** Null when it does not activate in this loop. */
    const activates = (item: IndexedEntry, now: ScanPhase): Verdict | null => {
        const { entry, directives } = item;
        let may = eligible.get(item);
        if (may === undefined) {
            const verdict = ineligible(item, context, timed);
            eligible.set(item, (may = verdict === null));
            if (verdict) out.set(item, verdict);
        }
        if (!may) return null;
        const sticky = timed.isSticky(item);
        const recursing = now === 'recursion';
        let barred: Verdict | null = null;
        if (!sticky) {
            if (entry.delayUntilRecursion > 0 && (!recursing || entry.delayUntilRecursion > level)) barred = { by: 'recursion-only', because: { level: entry.delayUntilRecursion } };
            else if (recursing && rules.recursive && entry.excludeRecursion) barred = { by: 'excluded-recursion', because: {} };
        }
        let verdict: Verdict | null;
        if (directives?.required) verdict = { by: 'required', because: {} };
        else if (directives?.activate) verdict = { by: 'decorator', because: {} };
        else if (directives?.dontActivate) {
            out.set(item, { by: 'dont-activate', because: {} });
            return null;
        } else if (forced.has(item)) verdict = { by: 'forced', because: {} };
        else if (entry.constant) verdict = { by: 'constant', because: {} };
        else if (sticky) verdict = { by: 'sticky', because: { messages: Math.min(timed.remaining(item, 'sticky'), 1_000_000) } };
        else {
            const match = matcher.match(item, now);
            verdict = match.matched ? match.verdict() : recalled.get(item) ?? null;
            if (verdict === null) {
                if (!match.matched && match.verdict) out.set(item, match.verdict);
                return null;
            }
        }
        if (barred) {
            out.set(item, barred);
            return null;
        }
        return verdict;
    };

    for (let loop = 1; phase !== null && !(rules.maxRecursionSteps > 0 && rules.maxRecursionSteps < loop); loop++) {
        const now: ScanPhase = phase;
        addCandidates();
        const found = new Map<IndexedEntry, Verdict>();
        yield;
        for (const [place, item] of candidates.entries()) {
            if (place % 200 === 199) yield;
            if (item.kind !== 'lore' || active.has(item) || failed.has(item)) continue;
            const verdict = activates(item, now);
            if (verdict) found.set(item, verdict);
        }
        const fresh = [...found.keys()].sort((a, b) => Number(timed.isSticky(b)) - Number(timed.isSticky(a)) || a.rank - b.rank);
        const losses = filterGroups(fresh, {
            scoring: rules.groupScoring,
            isSticky: timed.isSticky,
            isOnCooldown: timed.isOnCooldown,
            score: (item) => matcher.score(item, now),
            random: (group) => roll(context.seed, `group\u0000${group}\u0000${loop}`),
            activeIn: (group) => [...active.keys()].find((item) => item.entry.group === group),
        });
        for (const [item, { group, winner }] of losses) out.set(item, { by: 'group', because: winner === '' ? { variant: 'none', group } : { group, winner } });

        const spent = rules.budget === Infinity ? 0 : context.estimate(recursionText);
        let newText = '';
        for (const item of fresh) {
            if (overflowed && !item.entry.ignoreBudget) {
                out.set(item, { by: 'budget', because: { variant: 'host', budget: rules.budget } });
                continue;
            }
            const { useProbability, probability } = item.entry;
            if (useProbability && probability !== 100 && !timed.isSticky(item)) {
                const rolled = roll(context.seed, `probability\u0000${item.entry.id}`) * 100;
                if (probability === null || rolled > probability) {
                    failed.add(item);
                    out.set(item, { by: 'probability', because: probability === null ? { variant: 'missing' } : { probability, rolled: Math.round(rolled * 10) / 10 } });
                    continue;
                }
            }
            if (rules.budget !== Infinity) {
                newText += `${render(item)}\n`;
                if (!item.entry.ignoreBudget && spent + context.estimate(newText) >= rules.budget) {
                    overflowed = true;
                    out.set(item, { by: 'budget', because: { variant: 'host', budget: rules.budget } });
                    continue;
                }
            }
            active.set(item, found.get(item) ?? { by: 'constant', because: {} });
            out.delete(item);
        }

        yield;
        // Entries that the budget dropped in this loop still feed recursion, as in the host.
        const feeding = fresh.filter((item) => !failed.has(item) && !item.entry.preventRecursion);
        phase = null;
        if (rules.recursive && !overflowed && (feeding.length > 0 || (now === 'min-activations' && buffer.hasRecursion()))) phase = 'recursion';
        if (phase === null && !overflowed && active.size < rules.minActivations) {
            const deepest = rules.minActivationsDepthMax > 0 && buffer.depth() > rules.minActivationsDepthMax;
            if (!deepest && buffer.depth() <= context.texts.length) {
                phase = 'min-activations';
                buffer.deepen();
            }
        }
        if (phase === null && levels.length > 0) {
            phase = 'recursion';
            level = levels.shift() ?? level;
        }
        if (phase !== null) {
            const text = feeding.map(render).join('\n');
            if (text !== '') {
                buffer.addRecursion(feeding.map((item) => ({ title: item.title, text: render(item) })));
                if (rules.budget !== Infinity) recursionText = `${text}\n${recursionText}`;
            }
        }
    }
    return { active, out, render, renderText, timed, keysOf: (item) => matcher.match(item, 'recursion'), gaveUp: matcher.gaveUp, overflowed };
}
