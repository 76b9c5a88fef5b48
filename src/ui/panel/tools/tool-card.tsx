import { useState } from 'preact/hooks';
import type { ToolDefinition } from '../../../tools/definition';
import { Icon } from '../../common/icon';
import { useUi } from '../../store';
import type { LastRun } from './last-runs';
import { RunView } from './run-view';
import { TryForm } from './try-form';

interface Props {
    name: string;
    /** Absent where the tool is not registered (any more) and only its last run is left. */
    tool?: ToolDefinition;
    last?: LastRun;
}

/** One tool: what it is and where it comes from, its last run, and the form to try it. */
export function ToolCard({ name, tool, last }: Props) {
    const { t, intents, run, chosenTurn } = useUi();
    const [open, setOpen] = useState(false);
    const failed = last?.runs.some((one) => !one.ok) ?? false;
    return (
        <li class="na-card" data-tool={name}>
            <button type="button" class="na-card-head" aria-expanded={open} onClick={() => setOpen(!open)}>
                <Icon name={open ? 'down' : 'right'} />
                <code class="na-card-title">{name}</code>
                {last ? (
                    <span class={failed ? 'na-tag na-bad' : 'na-tag na-good'}>{t(failed ? 'ui.tools.failed-in' : 'ui.tools.ran-in', { turn: last.turn })}</span>
                ) : (
                    <span class="na-tag">{t('ui.tools.never-ran')}</span>
                )}
            </button>
            {tool && <p class="na-card-note">{tool.description}</p>}
            {open && (
                <div class="na-card-body">
                    {tool && <Facts tool={tool} />}
                    {tool && <PagePermission tool={tool} />}
                    {last && (
                        <div class="na-sub">
                            <div class="na-sub-head">
                                <button type="button" class="na-editable" onClick={() => (chosenTurn.value = last.turn)}>{t('ui.tools.last-run', { turn: last.turn })}</button>
                                {last.runs.some((one) => one.trigger === 'post_pipeline') && (
                                    <button type="button" class="na-button na-actions" data-testid="rerun-tool" onClick={() => run(() => intents.rerunTool(last.messageIndex, name))}>
                                        <Icon name="cycle" />{t('ui.tools.rerun')}
                                    </button>
                                )}
                            </div>
                            {last.runs.map((one, index) => <RunView key={index} run={one} />)}
                        </div>
                    )}
                    {tool && <TryForm tool={tool} />}
                </div>
            )}
        </li>
    );
}

/** Where code may run in the page: the user allows it for one named book, after being told what that means. */
function PagePermission({ tool }: { tool: ToolDefinition }) {
    const { view, t, intents, run, confirm } = useUi();
    const { codeExecution, pageBooks } = view.value.config.tools;
    if (codeExecution !== 'page' || tool.code === undefined || tool.source === 'builtin') return null;
    const book = tool.source.slice(0, tool.source.lastIndexOf('#'));
    const allowed = pageBooks.includes(book);
    const change = () =>
        run(async () => {
            if (allowed) intents.setConfig('tools.pageBooks', pageBooks.filter((name) => name !== book));
            else if (await confirm(t('ui.tools.page-warning', { book }))) intents.setConfig('tools.pageBooks', [...pageBooks, book]);
        });
    return (
        <div class="na-callout" data-testid="page-permission">
            <span>{t(allowed ? 'ui.tools.page-allowed' : 'ui.tools.page-not-allowed', { book })}</span>
            <button type="button" class="na-button" onClick={change}>{t(allowed ? 'ui.tools.page-forbid' : 'ui.tools.page-allow')}</button>
        </div>
    );
}

function Facts({ tool }: { tool: ToolDefinition }) {
    const { t } = useUi();
    return (
        <div class="na-row na-small">
            <span class="na-tag">{tool.type}</span>
            <span class="na-tag">{tool.trigger}</span>
            {tool.context.length > 0 && <span class="na-dim">{t('ui.tools.context', { keys: tool.context.join(t('ui.list-comma')) })}</span>}
            {tool.outputTag !== undefined && <span class="na-dim">&lt;{tool.outputTag}&gt; · {t('ui.tools.lookback', { turns: tool.tagLookback ?? 0 })}</span>}
            <span class="na-dim">{tool.source === 'builtin' ? t('ui.tools.builtin') : t('ui.tools.from', { entry: tool.title, source: tool.source })}</span>
        </div>
    );
}
