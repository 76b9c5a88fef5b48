import type { RoutedEntries } from '../prompt/prompt-input';
import type { BookIndex } from './book-index';
import type { Entry } from './entry';
import type { Section, Snapshot } from './snapshot';

/**
 * Where an entry's text goes (seed: 世界书条目分类). Constants by position: 4 → worldinfo1 (system), 0 → worldinfo2, 1 → worldinfo3; every keyword
 * entry → worldinfo3, whatever its position. Beyond the seed's tables: a constant at depth whose role is user or assistant speaks near the end
 * of the chat → worldinfo3; author's note (2, 3) → worldinfo3; example messages (5, 6) → worldinfo2; outlet (7) → worldinfo3, unless another
 * selected entry takes it in by `{{outlet::name}}` (see decide).
 */
export function sectionOf(entry: Pick<Entry, 'constant' | 'position' | 'role'>): Section {
    if (!entry.constant) return 'worldinfo3';
    if (entry.position === 4) return entry.role === 0 ? 'worldinfo1' : 'worldinfo3';
    return entry.position === 0 || entry.position === 5 || entry.position === 6 ? 'worldinfo2' : 'worldinfo3';
}

/** Sorts from activation order to prompt order: by `order` ascending, of equals the later activated first (ST puts each in front). */
export function promptOrder<T>(active: readonly T[], entryOf: (item: T) => Pick<Entry, 'order'>): T[] {
    return active.map((item, at) => ({ item, at })).sort((a, b) => entryOf(a.item).order - entryOf(b.item).order || b.at - a.at).map(({ item }) => item);
}

/**
 * The texts one audience gets, in prompt order (the order of the snapshot's decisions). A snapshot of this turn carries the rendered texts;
 * for a stored one they are looked up and rendered anew.
 */
export function routeEntries(snapshot: Snapshot, index: BookIndex, audience: 'planner' | 'writer', substitute: (text: string) => string): RoutedEntries {
    const routed: RoutedEntries = { worldinfo1: [], worldinfo2: [], worldinfo3: [] };
    for (const decision of snapshot.decisions) {
        if (decision.status !== 'in' || decision.section === null) continue;
        if (decision.audience !== 'all' && decision.audience !== audience) continue;
        const content = index.byId.get(decision.entry)?.content;
        const text = snapshot.rendered?.get(decision.entry) ?? (content === undefined ? '' : substitute(content));
        if (text.trim() !== '') routed[decision.section].push(text.trim());
    }
    return routed;
}
