import type { TurnFold } from '../../../state/fold-types';
import { Block } from '../../common/block';
import { IconButton } from '../../common/icon-button';
import { splitPath, stateValue } from '../../common/format';
import { useUi } from '../../store';

/** What the turn changed: each field as it was and as it is. */
export function ChangesBlock() {
    const { t, selected, intents, run } = useUi();
    const { fold, record, isLatest, replyIndex } = selected.value;
    if (!fold) return null;
    const corrected = (record?.corrections.length ?? 0) > 0;
    const actions = isLatest && corrected && (
        <IconButton icon="undo" label={t('ui.correct.undo')} testId="undo-correction" onClick={() => run(() => intents.undoCorrection())} />
    );
    return (
        <Block title={t('ui.state.changes')} count={fold.changes.length} actions={actions} field="changes">
            {fold.status !== 'complete' && fold.status !== 'none' && (
                <div class="na-callout">
                    <span>{record?.reason ? t(record.reason.code, record.reason.params) : t(`ui.status-help.${fold.status}`)}</span>
                    {replyIndex !== null && fold.status !== 'pending' && (
                        <button type="button" class="na-button" onClick={() => run(() => intents.reanalyse(replyIndex, fold.status === 'stale'))}>
                            {t(fold.status === 'stale' ? 'ui.turn.reanalyse-onwards' : 'ui.turn.rerun')}
                        </button>
                    )}
                </div>
            )}
            {fold.changes.length === 0 ? (
                <p class="na-empty">{t('ui.state.no-changes')}</p>
            ) : (
                <ul class="na-changes">
                    {fold.changes.map((change) => <Change key={change.path} change={change} />)}
                </ul>
            )}
        </Block>
    );
}

function Change({ change }: { change: TurnFold['changes'][number] }) {
    const { t } = useUi();
    const { field, name } = splitPath(change.path);
    return (
        <li data-path={change.path}>
            <span class="na-change-name">{name === '' ? t(`ui.state.${field}`) : name}</span>
            <span class="na-change-values">
                {change.before === undefined ? (
                    <span class="na-tag">{t('ui.state.new')}</span>
                ) : (
                    <>
                        <span class="na-before">{stateValue(change.path, change.before, t)}</span>
                        <span class="na-arrow" aria-hidden="true">→</span>
                    </>
                )}
                {change.after === undefined ? <span class="na-tag">{t('ui.state.gone')}</span> : <span class="na-after">{stateValue(change.path, change.after, t)}</span>}
            </span>
            <Difference before={change.before} after={change.after} />
        </li>
    );
}

function Difference({ before, after }: { before: unknown; after: unknown }) {
    const from = before ?? 0;
    if (typeof from !== 'number' || typeof after !== 'number') return null;
    const difference = after - from;
    return <span class={difference < 0 ? 'na-delta na-minus' : 'na-delta na-plus'}>{difference > 0 ? `+${difference}` : difference}</span>;
}
