import { useState } from 'preact/hooks';
import type { ToolRun } from '../../../turn-record';
import { brief, count, duration, pretty } from '../../common/format';
import { Icon } from '../../common/icon';
import { useUi } from '../../store';

/** One run of a tool: what it was given, what came of it, and how its dice fell. */
export function RunView({ run: toolRun }: { run: ToolRun }) {
    const { t, intents, run, host } = useUi();
    const [replayed, setReplayed] = useState<ToolRun | null>(null);
    const replay = () =>
        run(async () => {
            const again = await intents.replay(toolRun);
            setReplayed(again);
            if (again.output !== toolRun.output) host.toast('warning', t('ui.tools.replay-differs'));
        });
    return (
        <div class={toolRun.ok ? 'na-run' : 'na-run na-run-failed'} data-ok={toolRun.ok}>
            {toolRun.params !== undefined && <p class="na-dim"><code>{brief(toolRun.params, 400)}</code></p>}
            {toolRun.error !== undefined && <p class="na-why">{toolRun.error}</p>}
            {toolRun.output !== undefined && <pre class="na-pre">{toolRun.output}</pre>}
            {toolRun.output === undefined && toolRun.length !== undefined && <p>{t('ui.tools.in-message', { length: count(toolRun.length) })}</p>}
            <div class="na-row na-small na-dim">
                {toolRun.ms !== undefined && <span>{duration(toolRun.ms)}</span>}
                {toolRun.detail && <span><code>{brief(toolRun.detail, 300)}</code></span>}
                {toolRun.seed !== undefined && (
                    <>
                        <span>{t('ui.tools.seed')} <code>{toolRun.seed}</code></span>
                        <button type="button" class="na-button" data-testid="replay" onClick={replay}><Icon name="dice" />{t('ui.tools.replay')}</button>
                    </>
                )}
            </div>
            {replayed && (
                <div class="na-replay" data-testid="replayed">
                    <span class="na-tag na-good">{t('ui.tools.replayed')}</span>
                    <pre class="na-pre">{replayed.output ?? replayed.error ?? pretty(replayed.detail)}</pre>
                </div>
            )}
        </div>
    );
}
