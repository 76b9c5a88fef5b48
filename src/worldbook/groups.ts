import type { IndexedEntry } from './book-index';

export interface GroupRules {
    scoring: boolean;
    isSticky(item: IndexedEntry): boolean;
    isOnCooldown(item: IndexedEntry): boolean;
    /** Matched keys of a member (ST getScore). */
    score(item: IndexedEntry): number;
    /** In [0, 1). */
    random(group: string): number;
    /** An entry of an earlier loop whose group is exactly this one. */
    activeIn(group: string): IndexedEntry | undefined;
}

export interface GroupLoss {
    group: string;
    /** Title of what won; '' where nothing did. */
    winner: string;
}

/**
 * Inclusion groups (ST filterByInclusionGroups, notes 5.6): takes the losers out of `entries` in place and says to whom each lost.
 * Kept on purpose: an entry that loses in two groups is removed twice, and the second removal takes the last entry of the list.
 */
export function filterGroups(entries: IndexedEntry[], rules: GroupRules): Map<IndexedEntry, GroupLoss> {
    const losses = new Map<IndexedEntry, GroupLoss>();
    // A plain object on purpose: like the host's, it visits number-like names first.
    const groups: Record<string, IndexedEntry[]> = Object.create(null) as Record<string, IndexedEntry[]>;
    for (const item of entries) {
        if (!item.entry.group) continue;
        for (const name of item.entry.group.split(/,\s*/)) if (name !== '') (groups[name] ??= []).push(item);
    }
    const remove = (item: IndexedEntry, group: string, winner: string): void => {
        const [removed] = entries.splice(entries.indexOf(item), 1);
        if (removed) losses.set(removed, { group, winner });
    };
    const stickyGroups = new Set<string>();

    for (const [name, members] of Object.entries(groups)) {
        const sticky = members.filter(rules.isSticky);
        if (sticky.length > 0) {
            stickyGroups.add(name);
            for (const item of members) if (!sticky.includes(item)) remove(item, name, sticky[0]?.title ?? '');
        }
        for (const item of members.filter(rules.isOnCooldown)) remove(item, name, '');
    }
    for (const [name, members] of Object.entries(groups)) {
        if (stickyGroups.has(name) || (!rules.scoring && !members.some((item) => item.entry.useGroupScoring))) continue;
        const scores = new Map(members.map((item) => [item, rules.score(item)]));
        const best = Math.max(...scores.values());
        const leader = members.find((item) => scores.get(item) === best)?.title ?? '';
        for (const item of [...members]) {
            if (!(item.entry.useGroupScoring ?? rules.scoring) || (scores.get(item) ?? 0) >= best) continue;
            remove(item, name, leader);
            members.splice(members.indexOf(item), 1);
        }
    }
    for (const [name, members] of Object.entries(groups)) {
        if (stickyGroups.has(name)) continue;
        const holder = rules.activeIn(name);
        if (holder) {
            for (const item of members) remove(item, name, holder.title);
            continue;
        }
        if (members.length <= 1) continue;
        const preferred = members.filter((item) => item.entry.groupOverride).sort((a, b) => b.entry.order - a.entry.order)[0];
        const winner = preferred ?? draw(members, rules.random(name));
        if (winner) for (const item of members) if (item !== winner) remove(item, name, winner.title);
    }
    return losses;
}

function draw(members: readonly IndexedEntry[], random: number): IndexedEntry | undefined {
    const ticket = random * members.reduce((sum, item) => sum + item.entry.groupWeight, 0);
    let passed = 0;
    return members.find((item) => {
        passed += item.entry.groupWeight;
        return ticket <= passed;
    });
}
