import { judgeEvent } from '../../../state/apply-event';
import { correctionFor } from '../../../state/correction';
import { useUi } from '../../store';

/** Asks for a state field to be set by hand; `value` undefined takes the entry away. What the rules refuse is said at once. */
export function useCorrection(): (path: string, value: unknown) => Promise<void> {
    const { view, selected, intents, run, host, t } = useUi();
    return (path, value) =>
        run(async () => {
            const { state } = view.value.fold;
            const event = correctionFor(path, value, state);
            if (!event) return;
            const { record } = judgeEvent(state, event, { turn: selected.value.number ?? 0, by: 'user' });
            if (!record.accepted) host.toast('warning', record.reason ? t(record.reason.code, record.reason.params) : t('ui.correct.impossible'));
            else await intents.correct(event);
        });
}
