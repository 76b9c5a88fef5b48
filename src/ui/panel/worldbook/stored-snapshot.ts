import { buildIndex, type BookIndex } from '../../../worldbook/book-index';
import { expandSnapshot } from '../../../worldbook/compact';
import type { CompactSnapshot, Snapshot } from '../../../worldbook/snapshot';
import type { AppView } from '../../port';
import type { SelectedTurn } from '../../store';

const noBooks = buildIndex([]);
const expanded = new WeakMap<CompactSnapshot, { index: BookIndex; snapshot: Snapshot }>();

/** What was decided in the turn the panel looks at: the session's own snapshot for the newest turn, else what the turn's record kept. */
export function snapshotOf(view: AppView, selected: SelectedTurn): Snapshot | null {
    if (selected.isLatest && view.worldbook.snapshot) return view.worldbook.snapshot;
    const stored = selected.record?.snapshot;
    if (!stored) return null;
    const index = view.worldbook.index ?? noBooks;
    const known = expanded.get(stored);
    if (known?.index === index) return known.snapshot;
    const snapshot = expandSnapshot(stored, index);
    expanded.set(stored, { index, snapshot });
    return snapshot;
}
