import { clock } from '../../common/format';
import { Editable } from '../../common/editable';
import { Icon } from '../../common/icon';
import { useUi } from '../../store';
import { parseTime } from './parse-time';
import { useCorrection } from './use-correction';

/** When and where the story stands: the two facts a reader looks for first. */
export function SceneHead() {
    const { view, t } = useUi();
    const correct = useCorrection();
    const { time, location } = view.value.fold.state;
    const setTime = (text: string) => {
        const parsed = parseTime(text, time.day);
        if (parsed) void correct('time', parsed);
    };
    return (
        <div class="na-scene">
            <div class="na-scene-time" data-field="time">
                <Editable label={t('ui.state.time')} value={`${time.day} ${clock(time)}`} onSave={setTime}>
                    <Daylight hour={time.hour + time.minute / 60} />
                    <span class="na-clock">{clock(time)}</span>
                    <span class="na-day">{t('ui.state.day', { day: time.day })}</span>
                </Editable>
            </div>
            <div class="na-scene-place" data-field="location">
                <Editable label={t('ui.state.location')} value={location} onSave={(text) => text.trim() !== '' && void correct('location', text.trim())}>
                    <Icon name="place" />
                    <span>{location}</span>
                </Editable>
            </div>
        </div>
    );
}

/** The sun's or the moon's place on its arc over the day: dusk is seen before it is read. */
function Daylight({ hour }: { hour: number }) {
    const isDay = hour >= 6 && hour < 18;
    const progress = isDay ? (hour - 6) / 12 : ((hour + 6) % 24) / 12;
    const angle = Math.PI * (1 - progress);
    const x = 16 + 13 * Math.cos(angle);
    const y = 17 - 12 * Math.sin(angle);
    return (
        <svg class={isDay ? 'na-daylight na-sun' : 'na-daylight na-moon'} viewBox="0 0 32 20" width="32" height="20" aria-hidden="true">
            <path d="M3 17a13 12 0 0126 0" fill="none" stroke="currentColor" stroke-opacity=".25" stroke-dasharray="1.5 2.5" />
            <path d="M1 17.5h30" stroke="currentColor" stroke-opacity=".35" />
            <circle cx={x} cy={y} r="3" />
        </svg>
    );
}
