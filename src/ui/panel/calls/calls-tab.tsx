import { useEffect, useState } from 'preact/hooks';
import { count, duration } from '../../common/format';
import { purposeName } from '../../i18n';
import { Notices } from '../../common/notices';
import type { TraceView } from '../../port';
import { useUi } from '../../store';
import { CallCard } from './call-card';

/** Every model call of the turn: the prompt by section, the raw output, time and tokens. */
export function CallsTab() {
    const { t, host, selected, intents, run } = useUi();
    const { record } = selected.value;
    const [trace, setTrace] = useState<TraceView | null>(null);
    const id = record?.id ?? null;
    // A turn in work gains calls while one looks at it.
    const callCount = record?.calls.length ?? 0;
    useEffect(() => {
        let current = true;
        setTrace((before) => (before?.turnId === id ? before : null));
        if (id !== null) {
            void run(async () => {
                const loaded = await intents.loadTrace(id);
                if (current) setTrace(loaded);
            });
        }
        return () => {
            current = false;
        };
    }, [id, callCount]);
    if (!record) return <div class="na-nothing"><b>{t('ui.calls.no-record')}</b><p>{t('ui.calls.no-record-help')}</p></div>;
    const { calls } = record;
    const sum = (pick: (call: (typeof calls)[number]) => number | undefined) => calls.reduce((total, call) => total + (pick(call) ?? 0), 0);
    return (
        <>
            <Notices notices={record.notices} />
            <div class="na-facts na-tab-head">
                <span><b>{t('ui.calls.count', { count: calls.length })}</b></span>
                <span class="na-dim">{duration(sum((call) => call.ms))}</span>
                <span class="na-dim">{t('ui.calls.tokens', { prompt: count(sum((call) => call.promptTokens)), completion: count(sum((call) => call.completionTokens)) })}</span>
                <span class="na-tag">{t(`ui.mode.${record.mode}`)}</span>
            </div>
            {trace ? (
                trace.calls.map((call, index) => <CallCard key={`${trace.turnId} ${index}`} call={call} />)
            ) : (
                <>
                    <ul class="na-list">
                        {calls.map((call, index) => (
                            <li key={index} class="na-card na-card-head">
                                <b class="na-card-title">{purposeName(call.purpose, host.locale)}</b>
                                {(call.attempts ?? 1) > 1 && <span class="na-tag na-warn">{t('ui.calls.attempts', { attempts: call.attempts })}</span>}
                                <span class="na-dim na-small">{duration(call.ms)}</span>
                                {call.promptTokens !== undefined && <span class="na-dim na-small">{count(call.promptTokens)} → {count(call.completionTokens ?? 0)}</span>}
                            </li>
                        ))}
                    </ul>
                    <p class="na-help">{t('ui.calls.no-trace')}</p>
                </>
            )}
        </>
    );
}
