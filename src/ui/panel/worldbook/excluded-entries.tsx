import { useMemo, useState } from 'preact/hooks';
import type { Decision, Reason } from '../../../worldbook/snapshot';
import { CappedList } from '../../common/capped-list';
import { count } from '../../common/format';
import { useUi } from '../../store';
import { EntryRow } from './entry-row';

interface Props {
    decisions: readonly Decision[];
    /** Entries of which a stored snapshot says only that no key matched. */
    unlisted: number;
}

/** The entries that stayed out, with a button for each reason. Those with a reason of their own come before those no key matched. */
export function ExcludedEntries({ decisions, unlisted }: Props) {
    const { t } = useUi();
    const [reason, setReason] = useState<Reason | null>(null);
    const counts = useMemo(() => {
        const found = new Map<Reason, number>();
        for (const decision of decisions) found.set(decision.by, (found.get(decision.by) ?? 0) + 1);
        return [...found].sort(([a], [b]) => Number(a === 'no-keyword') - Number(b === 'no-keyword'));
    }, [decisions]);
    const shown = useMemo(() => {
        if (reason !== null) return decisions.filter((decision) => decision.by === reason);
        return [...decisions].sort((a, b) => Number(a.by === 'no-keyword') - Number(b.by === 'no-keyword'));
    }, [decisions, reason]);
    return (
        <>
            <div class="na-chips" role="group" aria-label={t('ui.worldbook.reasons')}>
                {counts.map(([by, number]) => (
                    <button key={by} type="button" class="na-chip" aria-pressed={by === reason} onClick={() => setReason(by === reason ? null : by)}>
                        {t(`ui.reason.${by}`)} <span class="na-dim">{count(number)}</span>
                    </button>
                ))}
            </div>
            <CappedList key={reason ?? 'all'} items={shown} empty={unlisted === 0 ? t('ui.no-match') : undefined} render={(decision) => <EntryRow key={decision.entry} decision={decision} />} />
            {unlisted > 0 && <p class="na-empty" data-testid="unlisted">{t('ui.worldbook.unlisted', { count: count(unlisted) })}</p>}
        </>
    );
}
