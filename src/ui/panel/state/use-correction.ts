import { correctionFor } from './correction-for';
import { useUi } from '../../store';

/** Asks for a state field to be set by hand; `value` undefined takes the field away. */
export function useCorrection(): (path: string, value: unknown) => Promise<void> {
    const { intents, run, host, t } = useUi();
    return (path, value) =>
        run(async () => {
            const event = correctionFor(path, value);
            if (!event) {
                host.toast('warning', t('ui.correct.impossible'));
                return;
            }
            await intents.correct(event);
        });
}
