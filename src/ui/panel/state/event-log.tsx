import { useState } from 'preact/hooks';
import type { EventRecord } from '../../../state/state';
import { Block } from '../../common/block';
import { CappedList } from '../../common/capped-list';
import { brief } from '../../common/format';
import { hasText } from '../../i18n';
import { Segmented } from '../../common/segmented';
import { useUi } from '../../store';

const filters = ['turn', 'all', 'rejected'] as const;
type Filter = (typeof filters)[number];

/** Every proposed change and what the code made of it, newest first. */
export function EventLog() {
    const { view, t, selected } = useUi();
    const [filter, setFilter] = useState<Filter>('turn');
    const { fold, number } = selected.value;
    // A turn's events come from the fold: the log keeps its last 200 alone.
    const all = filter === 'turn' ? (fold?.events ?? []) : view.value.fold.state.eventLog;
    const events = filter === 'rejected' ? all.filter((event) => !event.accepted) : all;
    const shown = [...events].reverse();
    return (
        <Block title={t('ui.events')} count={shown.length} field="events">
            <Segmented label={t('ui.filter')} options={filters.map((name) => ({ value: name, label: t(`ui.events.${name}`, { number: number ?? 0 }) }))} value={filter} onChange={setFilter} />
            <CappedList key={`${filter} ${number}`} class="na-events" items={shown} empty={t('ui.events.none')} render={(event, index) => <EventRow key={index} event={event} showTurn={filter !== 'turn'} />} />
        </Block>
    );
}

function EventRow({ event, showTurn }: { event: EventRecord; showTurn: boolean }) {
    const { t } = useUi();
    const facts = Object.values(event.params).map((value) => brief(value, 60)).join(' · ');
    const whole = `${event.type} ${brief(event.params, 400)}`;
    return (
        <li class={event.accepted ? 'na-event' : 'na-event na-rejected'} data-accepted={event.accepted} data-type={event.type} title={whole}>
            <span class="na-mark" aria-label={t(event.accepted ? 'ui.events.accepted' : 'ui.events.refused')}>{event.accepted ? '✓' : '✕'}</span>
            <span class="na-event-text">
                {hasText(`state.event.${event.type}`) ? t(`state.event.${event.type}`) : <code>{event.type}</code>}{' '}
                <span class="na-dim">{facts}</span>
                {!event.accepted && event.reason && <span class="na-why">{t(event.reason.code, event.reason.params)}</span>}
            </span>
            {event.by === 'user' && <span class="na-tag">{t('ui.events.by-user')}</span>}
            {showTurn && <span class="na-tag">{event.turn}</span>}
        </li>
    );
}
