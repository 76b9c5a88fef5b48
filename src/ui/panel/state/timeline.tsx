import { useState } from 'preact/hooks';
import type { Turn } from '../../../text/turn';
import { Block } from '../../common/block';
import { CappedList } from '../../common/capped-list';
import { IconButton } from '../../common/icon-button';
import { Segmented } from '../../common/segmented';
import { StatusDot } from '../../common/status-dot';
import { useUi } from '../../store';

/** The turns of the chat, newest first: what was said, how the analysis stands, and the way to the message. */
export function Timeline() {
    const { view, t } = useUi();
    const [onlyOpen, setOnlyOpen] = useState<'all' | 'open'>('all');
    const { turns, fold } = view.value;
    const status = new Map(fold.turns.map((turn) => [turn.number, turn.status]));
    const shown = [...turns].reverse().filter((turn) => onlyOpen === 'all' || isOpen(status.get(turn.number)));
    const unfinished = turns.filter((turn) => isOpen(status.get(turn.number))).length;
    return (
        <Block title={t('ui.timeline')} count={turns.length} field="timeline" closed>
            {unfinished > 0 && (
                <Segmented
                    label={t('ui.filter')}
                    options={[{ value: 'all', label: t('ui.timeline.all') }, { value: 'open', label: t('ui.timeline.open', { count: unfinished }) }]}
                    value={onlyOpen}
                    onChange={setOnlyOpen}
                />
            )}
            <CappedList class="na-timeline" key={onlyOpen} step={30} items={shown} empty={t('ui.turn.none-yet')} render={(turn) => <TurnRow key={turn.number} turn={turn} status={status.get(turn.number) ?? 'none'} />} />
        </Block>
    );
}

function isOpen(status: string | undefined): boolean {
    return status === 'incomplete' || status === 'stale' || status === 'pending';
}

function TurnRow({ turn, status }: { turn: Turn; status: 'complete' | 'incomplete' | 'pending' | 'stale' | 'none' }) {
    const { t, selected, chosenTurn, intents, run } = useUi();
    const reply = turn.replies.at(-1);
    const index = reply?.index ?? turn.userIndexes.at(-1);
    const current = selected.value.number === turn.number;
    return (
        <li class={current ? 'na-current' : ''} data-turn={turn.number} data-status={status}>
            <button type="button" class="na-turn-pick" aria-pressed={current} title={t(`ui.status.${status}`)} onClick={() => (chosenTurn.value = turn.number)}>
                <StatusDot status={status} />
                <span class="na-tag">{turn.number}</span>
                <span class="na-line">{turn.user === '' ? (reply?.narrative.slice(0, 80) ?? '') : turn.user.slice(0, 80)}</span>
            </button>
            <span class="na-actions">
                {reply && status !== 'complete' && <IconButton icon="cycle" label={t('ui.turn.reanalyse')} onClick={() => run(() => intents.reanalyse(reply.index))} />}
                {index !== undefined && <IconButton icon="jump" label={t('ui.turn.jump')} onClick={() => run(() => intents.jumpTo(index))} />}
            </span>
        </li>
    );
}
