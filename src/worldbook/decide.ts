import { notice, type Notice } from '../notice';
import { atOnce, type Steps } from '../steps';
import { activateSteps, type Activation } from './activation';
import { alwaysOn, type BookIndex, type IndexedEntry } from './book-index';
import type { DecideContext } from './context';
import { ineligible, type Verdict } from './eligibility';
import { roll } from './hash';
import { recall } from './recall';
import { promptOrder, sectionOf } from './route';
import { select } from './selection';
import type { Decision, Snapshot } from './snapshot';

/** What passes through unread texts unchanged: only an entry's own text counts as its text. */
const outletMacro = /\{\{outlet::\s*([^{}]+?)\s*\}\}/gi;

/**
 * Decides about every entry of every loaded book once for the turn: eligible → active → selected. Pure, and the same for the same
 * arguments. The decisions of entries that are in come first, in prompt order; then those that are out, in scan order.
 */
export function decide(index: BookIndex, context: DecideContext): Snapshot {
    return atOnce(decideSteps(index, context));
}

/** decide, in steps. */
export function* decideSteps(index: BookIndex, context: DecideContext): Steps<Snapshot> {
    const { recalled, report } = yield* recall(index, context);
    const activation = yield* activateSteps(index, context, recalled);
    const finalText = finalTexts(activation, context);
    const notices: Notice[] = [...index.notices];
    for (const [key, item] of activation.gaveUp) notices.push(notice('warning', 'worldbook.regex-too-slow', { book: item.entry.book, title: item.title, key }));
    if (activation.overflowed) notices.push(notice('warning', 'worldbook.host-budget', { active: activation.active.size }));

    const out = new Map(activation.out);
    const withText = new Map<IndexedEntry, Verdict>();
    for (const [item, verdict] of activation.active) {
        if (finalText(item).trim() === '') out.set(item, { by: 'empty', because: {} });
        else withText.set(item, verdict);
    }
    yield;
    const tokenCounts = new Map<IndexedEntry, number>();
    const tokens = (item: IndexedEntry): number => {
        let count = tokenCounts.get(item);
        if (count === undefined) tokenCounts.set(item, (count = countTokens(index, item, finalText(item), context)));
        return count;
    };
    for (const [place, item] of [...withText.keys()].entries()) {
        tokens(item);
        if (place % 50 === 49) yield;
    }
    const selection = select({
        index, active: withText, tokens, config: context.config,
        unavailable: (item) => unavailable(item, activation, context),
    });
    notices.push(...selection.notices);
    for (const [item, verdict] of selection.dropped) out.set(item, verdict);
    yield;

    const ordered = promptOrder([...selection.chosen.keys()], (item) => item.entry);
    const { rendered, placedInOutlet } = renderAll(ordered, activation, finalText, (text, item) => context.rewrite?.(text, depthOf(item)) ?? text);
    yield;
    const inside: Decision[] = ordered.map((item) => {
        const verdict = selection.chosen.get(item) ?? { by: 'constant', because: {} };
        return { ...item.idle, status: 'in', ...verdict, tokens: tokens(item), section: placedInOutlet.has(item) ? null : sectionOf(item.entry) };
    });
    const outside: Decision[] = [];
    for (const item of index.items) {
        if (item.rank % 2000 === 1999) yield;
        if (selection.chosen.has(item)) continue;
        if (item.kind !== 'lore') (outside.push(decideUnrouted(item, context, activation)));
        else {
            const verdict = out.get(item);
            outside.push(verdict ? { ...item.idle, ...verdict } : item.idle);
        }
    }
    const used = inside.reduce((sum, decision) => sum + decision.tokens, 0);
    return {
        seed: context.seed,
        books: index.books,
        decisions: [...inside, ...outside.filter((decision) => decision.status === 'in'), ...outside.filter((decision) => decision.status === 'out')],
        counts: [index.items.length, inside.length],
        // An entry whose macros leave no text was active all the same, and its cooldown begins (ST).
        timed: activation.timed.after([...activation.active.keys(), ...selection.chosen.keys()].filter((item) => !withText.has(item) || selection.chosen.has(item))),
        recall: report,
        budget: context.config.budget > 0 ? { total: context.config.budget, used, constants: selection.constants } : undefined,
        notices,
        rendered,
    };
}

/**
 * Tools, [initvar], [mvu_update] and [UI] go to no prompt. Tools and update rules are on when a lore entry in their place would be: constant, or a
 * key of theirs occurs (issue: active like any entry); without any key there is nothing to wait for, and they are on.
 */
function decideUnrouted(item: IndexedEntry, context: DecideContext, { timed, keysOf }: Activation): Decision {
    if (item.kind === 'ui') return { ...item.idle, by: item.entry.disable ? 'disabled' : 'kind', because: { variant: item.kind } };
    const on: Decision = { ...item.idle, status: 'in', by: 'kind', because: { variant: item.kind } };
    // Authors switch [initvar] off so that plain SillyTavern does not send it; it initialises all the same.
    if (item.kind === 'initvar') return on;
    const verdict = ineligible(item, context, timed);
    if (verdict) return { ...item.idle, ...verdict };
    if (alwaysOn(item)) return on;
    const match = keysOf(item);
    if (!match.matched) return { ...item.idle, ...match.verdict };
    return { ...item.idle, status: 'in', ...match.verdict() };
}

/** Whether an entry that is not active could be pulled in by one that requires it: all checks but the keys. */
function unavailable(item: IndexedEntry, activation: Activation, context: DecideContext): Verdict | null {
    if (item.kind !== 'lore') return { by: 'kind', because: { variant: item.kind } };
    const verdict = ineligible(item, context, activation.timed);
    if (verdict) return verdict;
    const known = activation.out.get(item);
    if (known && (known.by === 'group' || known.by === 'probability' || known.by === 'dont-activate' || known.by === 'budget')) return known;
    if (activation.render(item).trim() === '') return { by: 'empty', because: {} };
    const { useProbability, probability, id } = item.entry;
    if (useProbability && probability !== 100) {
        const rolled = roll(context.seed, `probability\u0000${id}`) * 100;
        if (probability === null || rolled > probability) return { by: 'probability', because: probability === null ? { variant: 'missing' } : { probability, rolled: Math.round(rolled * 10) / 10 } };
    }
    return null;
}

/** Contents as they go in: macros substituted, then the host's regex scripts for world info, each once a turn (ST checkWorldInfo). */
function finalTexts(activation: Activation, context: DecideContext): (item: IndexedEntry) => string {
    const { rewrite } = context;
    if (rewrite === undefined) return activation.render;
    const texts = new Map<IndexedEntry, string>();
    return (item) => {
        let text = texts.get(item);
        if (text === undefined) texts.set(item, (text = rewrite(activation.render(item), depthOf(item))));
        return text;
    };
}

function depthOf({ entry }: IndexedEntry): number | null {
    return entry.position === 4 ? entry.depth : null;
}

/** Rendered texts by id; an entry at an outlet that another one takes in stands there and nowhere else. */
function renderAll(ordered: readonly IndexedEntry[], activation: Activation, finalText: (item: IndexedEntry) => string, rewritten: (text: string, item: IndexedEntry) => string): { rendered: Map<string, string>; placedInOutlet: Set<IndexedEntry> } {
    const outlets = new Map<string, IndexedEntry[]>();
    for (const item of ordered) {
        // The host lists an outlet's entries from the highest order down.
        if (item.entry.position === 7 && item.entry.outletName !== '') outlets.set(item.entry.outletName, [item, ...outlets.get(item.entry.outletName) ?? []]);
    }
    const placedInOutlet = new Set<IndexedEntry>();
    const rendered = new Map<string, string>();
    for (const item of ordered) {
        let text = finalText(item);
        if (outlets.size > 0 && item.entry.position !== 7 && item.content.includes('{{outlet::')) {
            text = rewritten(activation.renderText(item.content.replace(outletMacro, (macro: string, name: string) => {
                const members = outlets.get(name);
                if (!members) return macro;
                for (const member of members) placedInOutlet.add(member);
                return members.map(finalText).join('\n');
            })), item);
        }
        rendered.set(item.entry.id, text);
    }
    return { rendered, placedInOutlet };
}

/** Token counts of texts without macros stay the same as long as the index does. */
const remembered = new WeakMap<BookIndex, { estimate: DecideContext['estimate']; counts: Map<string, number> }>();

function countTokens(index: BookIndex, item: IndexedEntry, text: string, context: DecideContext): number {
    if (text !== item.content) return context.estimate(text);
    let memory = remembered.get(index);
    if (!memory || memory.estimate !== context.estimate) remembered.set(index, (memory = { estimate: context.estimate, counts: new Map() }));
    let count = memory.counts.get(item.entry.id);
    if (count === undefined) memory.counts.set(item.entry.id, (count = context.estimate(text)));
    return count;
}
