import { sections, type Decision } from '../../../worldbook/snapshot';
import { CappedList } from '../../common/capped-list';
import { count } from '../../common/format';
import { useUi } from '../../store';
import { EntryRow } from './entry-row';

/** The entries that went in, by section and in prompt order; last those that are active without going into a prompt (tools). */
export function SelectedEntries({ decisions }: { decisions: readonly Decision[] }) {
    const { t } = useUi();
    if (decisions.length === 0) return <p class="na-empty">{t('ui.no-match')}</p>;
    return (
        <>
            {[...sections, null].map((section) => {
                const own = decisions.filter((decision) => decision.section === section);
                if (own.length === 0) return null;
                const tokens = own.reduce((sum, decision) => sum + decision.tokens, 0);
                return (
                    <section key={section} class="na-section" data-section={section ?? 'none'}>
                        <h3 class="na-section-head">
                            {section ? <code>&lt;{section}&gt;</code> : <span>{t('ui.worldbook.no-prompt')}</span>}
                            <span class="na-dim">{section ? t(`ui.section.${section}`) : ''}</span>
                            {section && <span class="na-tokens">{count(tokens)}</span>}
                        </h3>
                        <CappedList items={own} render={(decision) => <EntryRow key={decision.entry} decision={decision} />} />
                    </section>
                );
            })}
        </>
    );
}
