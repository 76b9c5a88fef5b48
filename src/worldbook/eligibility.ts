import type { IndexedEntry } from './book-index';
import { evaluateCondition } from './condition';
import type { DecideContext } from './context';
import type { Decision, Reason } from './snapshot';
import type { TimedEffects } from './timed-effects';

export interface Verdict {
    by: Reason;
    because: Decision['because'];
}

const triggers = new Set(['normal', 'continue', 'impersonate', 'swipe', 'regenerate', 'quiet']);

/**
 * Why an entry may not take part this turn at all, whatever is said in the chat; null when it may. The host's checks in the host's
 * order (notes 5.4, 2–6), then the author's conditions.
 */
export function ineligible(item: IndexedEntry, context: DecideContext, timed: TimedEffects): Verdict | null {
    const { entry, directives } = item;
    if (entry.disable) return { by: 'disabled', because: {} };
    if (entry.triggers.length > 0) {
        const trigger = triggers.has(context.trigger) ? context.trigger : 'normal';
        if (!entry.triggers.includes(trigger)) return { by: 'trigger', because: { trigger, wanted: entry.triggers.join(', ') } };
    }
    const filter = entry.characterFilter;
    if (filter !== null) {
        const named = filter.names.includes(context.character.fileName);
        if (filter.names.length > 0 && named === filter.isExclude) return { by: 'filter', because: { character: context.character.fileName } };
        const { tags } = context.character;
        if (filter.tags.length > 0 && tags !== null && tags.some((tag) => filter.tags.includes(tag)) === filter.isExclude) {
            return { by: 'filter', because: { variant: 'tags', character: context.character.fileName } };
        }
    }
    if (timed.isDelayed(item)) return { by: 'delay', because: { delay: entry.delay ?? 0, messages: context.messageCount } };
    if (timed.isOnCooldown(item) && !timed.isSticky(item)) return { by: 'cooldown', because: { messages: Math.min(timed.remaining(item, 'cooldown'), 1_000_000) } };
    if (directives === null) return null;
    for (const condition of directives.when) {
        if (condition === null) return { by: 'condition', because: { variant: 'unreadable' } };
        const result = evaluateCondition(condition, { state: context.state, variables: context.variables });
        if (!result.holds) return { by: 'condition', because: { condition: result.failed, actual: result.actual } };
    }
    if (directives.onlyAfter !== null && context.replyCount < directives.onlyAfter) {
        return { by: 'delay', because: { variant: 'replies', delay: directives.onlyAfter, replies: context.replyCount } };
    }
    if (directives.onlyEvery !== null && directives.onlyEvery > 1 && context.replyCount % directives.onlyEvery !== 0) {
        return { by: 'delay', because: { variant: 'every', every: directives.onlyEvery, replies: context.replyCount } };
    }
    return null;
}
