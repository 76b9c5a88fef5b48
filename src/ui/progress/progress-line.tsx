import { useEffect, useState } from 'preact/hooks';
import { elapsed } from '../common/format';
import { useUi } from '../store';

/** One line over the send form: what runs, since when, and the way to stop it. Gone when nothing runs. */
export function ProgressLine() {
    const { view, t, intents } = useUi();
    const progress = view.value.progress;
    const now = useNow(progress !== null);
    if (!progress) return null;
    const stage = t(`ui.stage.${progress.stage}`);
    return (
        <div id="narrative_agent_progress" role="status">
            <span class="na-spinner" aria-hidden="true" />
            <span class="na-stage-name" aria-live="polite">
                {stage}
                {progress.subject !== undefined && progress.subject !== '' && <span class="na-dim"> · {progress.subject}</span>}
            </span>
            <span class="na-elapsed" title={t('ui.progress.stage-time')} aria-live="off">{elapsed(now - progress.startedAt)}</span>
            {progress.startedAt - progress.turnStartedAt >= 1000 && (
                <span class="na-elapsed na-dim" title={t('ui.progress.turn-time')} aria-live="off">{t('ui.progress.total', { time: elapsed(now - progress.turnStartedAt) })}</span>
            )}
            {progress.stoppable && (
                <button type="button" id="narrative_agent_stop" class="na-stop" onClick={() => intents.stop()}>{t('ui.progress.stop')}</button>
            )}
        </div>
    );
}

/** The same in the panel's head, for screens where the drawer covers the page. */
export function HeadProgress() {
    const { view, t, intents } = useUi();
    const progress = view.value.progress;
    const now = useNow(progress !== null);
    if (!progress) return null;
    return (
        <span class="na-head-progress">
            <span class="na-spinner" aria-hidden="true" />
            <span class="na-stage-name">{t(`ui.stage.${progress.stage}`)}</span>
            <span class="na-elapsed">{elapsed(now - progress.startedAt)}</span>
            {progress.stoppable && <button type="button" class="na-stop" onClick={() => intents.stop()}>{t('ui.progress.stop')}</button>}
        </span>
    );
}

/** The time, renewed four times a second while it is needed. */
function useNow(running: boolean): number {
    const [now, setNow] = useState(Date.now);
    useEffect(() => {
        if (!running) return;
        setNow(Date.now());
        const timer = setInterval(() => setNow(Date.now()), 250);
        return () => clearInterval(timer);
    }, [running]);
    // A stage may have begun after the last tick.
    return Math.max(now, running ? Date.now() : 0);
}
