import type { BookIndex, IndexedEntry } from './book-index';
import type { DecideContext } from './context';
import { shortHash } from './hash';
import type { Snapshot } from './snapshot';

export type TimedEffect = Snapshot['timed'][number];

/** Sticky, cooldown and delay in one turn (ST WorldInfoTimedEffects, notes 5.7). Data in, data out: the chat's records keep it. */
export interface TimedEffects {
    isSticky(item: IndexedEntry): boolean;
    isOnCooldown(item: IndexedEntry): boolean;
    isDelayed(item: IndexedEntry): boolean;
    /** Entries whose sticky effect is in force. */
    sticky: IndexedEntry[];
    /** Messages until the effect ends. */
    remaining(item: IndexedEntry, kind: 'sticky' | 'cooldown'): number;
    /** What is in force after the turn, given the entries that went in. */
    after(active: readonly IndexedEntry[]): TimedEffect[];
}

/** An effect belongs to the entry as it was: editing the entry ends it. */
function entryHash(item: IndexedEntry): string {
    const { origin: _origin, ...fields } = item.entry;
    return shortHash(JSON.stringify(fields));
}

export function readTimedEffects(index: BookIndex, context: Pick<DecideContext, 'timed' | 'messageCount'>): TimedEffects {
    const now = context.messageCount;
    const kept = { sticky: new Map<string, TimedEffect>(), cooldown: new Map<string, TimedEffect>() };
    const inForce = { sticky: new Set<IndexedEntry>(), cooldown: new Set<IndexedEntry>() };
    for (const effect of context.timed) kept[effect[1]].set(effect[0], effect);

    const begin = (item: IndexedEntry, kind: 'sticky' | 'cooldown', isProtected: boolean): void => {
        kept[kind].set(item.entry.id, [item.entry.id, kind, entryHash(item), now, now + Number(item.entry[kind]), isProtected]);
    };
    for (const kind of ['sticky', 'cooldown'] as const) {
        for (const [id, [, , hash, start, end, isProtected]] of [...kept[kind]]) {
            const item = index.byId.get(id);
            const same = item !== undefined && entryHash(item) === hash;
            if (now <= start && !isProtected) {
                // The chat has not gone on since: this is the same turn again (swipe, regenerate) or an earlier one.
                kept[kind].delete(id);
            } else if (!same) {
                if (now >= end) kept[kind].delete(id);
            } else if (!item.entry[kind]) {
                kept[kind].delete(id);
            } else if (now >= end) {
                kept[kind].delete(id);
                if (kind === 'sticky' && item.entry.cooldown) begin(item, 'cooldown', true);
            } else {
                inForce[kind].add(item);
            }
        }
    }
    return {
        isSticky: (item) => inForce.sticky.has(item),
        isOnCooldown: (item) => inForce.cooldown.has(item),
        isDelayed: (item) => item.entry.delay !== null && item.entry.delay !== 0 && now < item.entry.delay,
        sticky: [...inForce.sticky],
        remaining: (item, kind) => (kept[kind].get(item.entry.id)?.[4] ?? now) - now,
        after(active) {
            for (const item of active) {
                for (const kind of ['sticky', 'cooldown'] as const) {
                    if (item.entry[kind] && !kept[kind].has(item.entry.id)) begin(item, kind, false);
                }
            }
            return [...kept.sticky.values(), ...kept.cooldown.values()];
        },
    };
}
