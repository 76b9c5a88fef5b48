import { useState } from 'preact/hooks';
import type { Decision } from '../../../worldbook/snapshot';
import { count } from '../../common/format';
import { useUi } from '../../store';
import { because, reasonName } from './reason-text';

/** One entry and its fate; opens to its text. */
export function EntryRow({ decision }: { decision: Decision }) {
    const { view, t } = useUi();
    const [open, setOpen] = useState(false);
    const { index } = view.value.worldbook;
    const item = index?.byId.get(decision.entry);
    const changed = item !== undefined && item.hash !== decision.hash;
    const facts = because(decision, t);
    return (
        <li class={`na-entry na-entry-${decision.status}`} data-entry={decision.entry}>
            <button type="button" class="na-entry-head" aria-expanded={open} onClick={() => setOpen(!open)}>
                <span class="na-entry-title">{decision.title === '' ? decision.entry : decision.title}</span>
                {decision.audience !== 'all' && <span class="na-tag na-accent">{t(`ui.audience.${decision.audience}`)}</span>}
                {changed && <span class="na-tag na-warn" title={t('ui.worldbook.changed-help')}>{t('ui.worldbook.changed')}</span>}
                {index && !item && <span class="na-tag na-warn">{t('ui.worldbook.missing')}</span>}
                <span class="na-tag" data-reason={decision.by}>{reasonName(decision, t)}</span>
                {decision.status === 'in' && <span class="na-tokens">{count(decision.tokens)}</span>}
            </button>
            {facts !== '' && <p class="na-because">{facts}</p>}
            {open && (
                <div class="na-entry-body">
                    <p class="na-dim na-small">{decision.entry}</p>
                    {item ? <pre class="na-pre">{item.entry.content}</pre> : <p class="na-empty">{t('ui.worldbook.text-gone')}</p>}
                </div>
            )}
        </li>
    );
}
