import type { AppView } from '../../port';
import type { SelectedTurn } from '../../store';
import type { Audience, CompactSnapshot, Decision, Reason, Snapshot } from '../../../worldbook/snapshot';

const sectionNames = [null, 'worldinfo1', 'worldinfo2', 'worldinfo3'] as const;
const audiences: readonly Audience[] = ['all', 'planner', 'writer'];

/** The stored form as a snapshot again, as far as it goes: entries that only lacked a key are counted, not listed. Titles are those of today. */
export function expand(compact: CompactSnapshot, entries: AppView['worldbook']['entries']): Snapshot {
    const decisions = compact.decisions.map(([book, uid, status, by, tokens, section, audience, hash, because]): Decision => {
        const entry = `${compact.books[book] ?? '?'}#${uid}`;
        return {
            entry,
            title: entries[entry]?.title ?? entry,
            kind: 'lore',
            status: status === 1 ? 'in' : 'out',
            by: by as Reason,
            because: because ?? {},
            tokens,
            section: sectionNames[section] ?? null,
            audience: audiences[audience] ?? 'all',
            hash,
        };
    });
    return { ...compact, decisions };
}

/** What was decided in the turn the panel looks at: the session's full snapshot for the newest turn, else what its record kept. */
export function snapshotOf(view: AppView, selected: SelectedTurn): Snapshot | null {
    if (selected.isLatest && view.worldbook.snapshot) return view.worldbook.snapshot;
    return selected.record?.snapshot ? expand(selected.record.snapshot, view.worldbook.entries) : null;
}
