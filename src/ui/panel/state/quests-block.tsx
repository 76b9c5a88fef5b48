import type { QuestState } from '../../../state/state';
import { Block } from '../../common/block';
import { CappedList } from '../../common/capped-list';
import { Editable } from '../../common/editable';
import { useUi } from '../../store';
import { AddRow } from './add-row';
import { useCorrection } from './use-correction';

const order: Record<QuestState['status'], number> = { active: 0, completed: 1, failed: 2 };

/** The quests, those under way first. */
export function QuestsBlock() {
    const { view, t } = useUi();
    const correct = useCorrection();
    const quests = Object.entries(view.value.fold.state.quests).sort(([, a], [, b]) => order[a.status] - order[b.status]);
    const add = (
        <AddRow
            namePlaceholder={t('ui.state.quest')}
            valuePlaceholder={t('ui.state.stage')}
            onAdd={(name, stage) => void correct(`quests.${name}`, { status: 'active', ...(stage === '' ? {} : { stage }) })}
        />
    );
    return (
        <Block title={t('ui.state.quests')} count={quests.length} actions={add} field="quests">
            <CappedList
                class="na-quests"
                items={quests}
                empty={t('ui.state.no-quests')}
                render={([name, quest]) => (
                    <li key={name} class={`na-quest na-quest-${quest.status}`}>
                        <span class="na-name">{name}</span>
                        <select
                            class="na-pill"
                            aria-label={t('ui.edit', { name })}
                            value={quest.status}
                            onChange={(event) => void correct(`quests.${name}`, { ...quest, status: event.currentTarget.value })}
                        >
                            {(['active', 'completed', 'failed'] as const).map((status) => <option key={status} value={status}>{t(`ui.quest.${status}`)}</option>)}
                        </select>
                        {quest.status === 'active' ? (
                            <Editable label={t('ui.state.stage')} value={quest.stage ?? ''} class="na-stage" onSave={(stage) => void correct(`quests.${name}`, { ...quest, stage })}>
                                {quest.stage ?? t('ui.state.no-stage')}
                            </Editable>
                        ) : (
                            <span class="na-stage">{[quest.stage, quest.outcome].filter((part) => part).join(' · ')}</span>
                        )}
                    </li>
                )}
            />
        </Block>
    );
}
