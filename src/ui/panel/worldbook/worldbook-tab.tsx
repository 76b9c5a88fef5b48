import { useMemo, useState } from 'preact/hooks';
import { IconButton } from '../../common/icon-button';
import { count } from '../../common/format';
import { Notices } from '../../common/notices';
import { SearchBox } from '../../common/search-box';
import { Segmented } from '../../common/segmented';
import { useUi } from '../../store';
import type { Snapshot } from '../../../worldbook/snapshot';
import { AgentMatrix } from './agent-matrix';
import { ExcludedEntries } from './excluded-entries';
import { matches } from './reason-text';
import { SelectedEntries } from './selected-entries';
import { snapshotOf } from './stored-snapshot';

type Side = 'in' | 'out' | 'agents';

/** What the worldbook put into the turn, what it kept out, why, and who saw it. */
export function WorldbookTab() {
    const { view, t, selected, intents, run } = useUi();
    const { worldbook } = view.value;
    const snapshot = snapshotOf(view.value, selected.value);
    return (
        <>
            <div class="na-row na-tab-head">
                <span class="na-dim na-grow na-line">{snapshot ? t('ui.worldbook.books', { books: snapshot.books.join(t('ui.list-comma')) }) : ''}</span>
                <IconButton icon="refresh" label={t('ui.worldbook.refresh')} testId="refresh-worldbook" onClick={() => run(() => intents.refreshWorldbook())} />
            </div>
            <Notices notices={worldbook.notices} />
            {snapshot ? (
                <SnapshotView snapshot={snapshot} />
            ) : (
                <div class="na-nothing" data-testid="no-snapshot">
                    <b>{t('ui.worldbook.no-snapshot')}</b>
                    <p>{t('ui.worldbook.no-snapshot-help')}</p>
                </div>
            )}
        </>
    );
}

function SnapshotView({ snapshot }: { snapshot: Snapshot }) {
    const { view, t } = useUi();
    const [side, setSide] = useState<Side>('in');
    const [filter, setFilter] = useState('');
    const chosen = useMemo(() => snapshot.decisions.filter((decision) => decision.status === 'in'), [snapshot]);
    const excluded = useMemo(() => snapshot.decisions.filter((decision) => decision.status === 'out'), [snapshot]);
    const tokens = chosen.reduce((sum, decision) => sum + decision.tokens, 0);
    // What is wrong with the books as such stands above already.
    const told = new Set(view.value.worldbook.notices.map((notice) => JSON.stringify(notice)));
    const own = snapshot.notices.filter((notice) => !told.has(JSON.stringify(notice)));
    // Entries that are on without going into a prompt (tools) are neither in nor out.
    const [looked, selectedCount] = snapshot.counts;
    const outCount = looked - chosen.length;
    const narrow = (decisions: typeof chosen) => (filter.trim() === '' ? decisions : decisions.filter((decision) => matches(decision, filter, t)));
    return (
        <>
            <Notices notices={own} />
            <Facts snapshot={snapshot} tokens={tokens} />
            <Segmented
                label={t('ui.tab.worldbook')}
                options={[
                    { value: 'in', label: t('ui.worldbook.in', { count: count(selectedCount) }) },
                    { value: 'out', label: t('ui.worldbook.out', { count: count(outCount) }) },
                    { value: 'agents', label: t('ui.worldbook.agents') },
                ]}
                value={side}
                onChange={setSide}
            />
            <SearchBox value={filter} onInput={setFilter} label={t('ui.worldbook.filter')} />
            {side === 'in' && (chosen.length === 0 ? (
                <div class="na-nothing" data-testid="nothing-selected">
                    <b>{t('ui.worldbook.nothing')}</b>
                    <p>{t('ui.worldbook.nothing-help', { count: count(looked) })}</p>
                </div>
            ) : (
                <SelectedEntries decisions={narrow(chosen)} />
            ))}
            {side === 'out' && <ExcludedEntries decisions={narrow(excluded)} unlisted={filter === '' ? Math.max(0, outCount - excluded.length) : 0} />}
            {side === 'agents' && <AgentMatrix decisions={narrow(chosen)} />}
        </>
    );
}

function Facts({ snapshot, tokens }: { snapshot: Snapshot; tokens: number }) {
    const { t } = useUi();
    const { budget, recall } = snapshot;
    return (
        <div class="na-facts">
            <span><b>{count(tokens)}</b> {t('ui.unit.tokens')}</span>
            {budget && (
                <span class="na-budget" title={t('ui.worldbook.budget', { used: count(budget.used), total: count(budget.total) })}>
                    <span class="na-meter"><span style={{ width: `${Math.min(100, (budget.used / Math.max(1, budget.total)) * 100)}%` }} /></span>
                    <span class="na-dim">{t('ui.worldbook.of-budget', { total: count(budget.total) })}</span>
                </span>
            )}
            {recall && recall.path !== 'off' && (
                <span class="na-dim">
                    {t(`recall.${recall.path}`)} 
                    {recall.degraded !== undefined && <span class="na-tag na-warn">{t(`recall.degraded.${recall.degraded}`)}</span>}
                </span>
            )}
        </div>
    );
}
