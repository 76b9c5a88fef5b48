import { IconButton } from '../common/icon-button';
import { StatusDot } from '../common/status-dot';
import { useUi } from '../store';

/** Which turn the tabs speak of: the newest unless the user goes back. */
export function TurnBar() {
    const { view, t, chosenTurn, selected, intents, run } = useUi();
    const { turns } = view.value;
    const { number, isLatest, fold, replyIndex } = selected.value;
    if (number === null) return <div class="na-turn-bar"><span class="na-dim">{t('ui.turn.none-yet')}</span></div>;
    const position = turns.findIndex((turn) => turn.number === number);
    const go = (to: number) => {
        const turn = turns[to];
        if (turn) chosenTurn.value = to === turns.length - 1 ? null : turn.number;
    };
    const status = fold?.status ?? 'none';
    return (
        <div class="na-turn-bar">
            <IconButton icon="left" label={t('ui.turn.previous')} disabled={position <= 0} onClick={() => go(position - 1)} />
            <span class="na-turn-name">{number === 0 ? t('ui.turn.greeting') : t('ui.turn.name', { number })}</span>
            <IconButton icon="right" label={t('ui.turn.next')} disabled={isLatest} onClick={() => go(position + 1)} />
            <IconButton icon="latest" label={t('ui.turn.latest')} disabled={isLatest} onClick={() => (chosenTurn.value = null)} />
            <span class="na-turn-status"><StatusDot status={status} />{t(`ui.status.${status}`)}</span>
            <span class="na-actions">
                {replyIndex !== null && (
                    <>
                        <IconButton icon="cycle" label={t('ui.turn.reanalyse')} testId="reanalyse" onClick={() => run(() => intents.reanalyse(replyIndex))} />
                        <IconButton icon="jump" label={t('ui.turn.jump')} testId="jump" onClick={() => run(() => intents.jumpTo(replyIndex))} />
                    </>
                )}
            </span>
        </div>
    );
}
