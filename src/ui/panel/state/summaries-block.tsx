import { Block } from '../../common/block';
import { CappedList } from '../../common/capped-list';
import { useUi } from '../../store';

/** The summaries as they go into the prompts, newest first. */
export function SummariesBlock() {
    const { view, t, selected, chosenTurn } = useUi();
    const summaries = [...view.value.fold.summaries].reverse();
    const { number } = selected.value;
    return (
        <Block title={t('ui.summaries')} count={summaries.length} field="summaries" closed>
            <CappedList
                class="na-summaries"
                step={20}
                items={summaries}
                empty={t('ui.summaries.none')}
                render={(entry) => (
                    <li key={`${entry.from}-${entry.to}`} class={number !== null && entry.from <= number && number <= entry.to ? 'na-current' : ''}>
                        <button type="button" class="na-tag" title={t('ui.turn.show')} onClick={() => (chosenTurn.value = entry.to)}>
                            {entry.from === entry.to ? entry.to : `${entry.from}–${entry.to}`}
                        </button>
                        <span>{entry.chapter && <b>{t('ui.summaries.chapter')} </b>}{entry.text.replace(/^\[第\d+轮\]\s*/, '')}</span>
                    </li>
                )}
            />
        </Block>
    );
}
