import { useMemo, useState } from 'preact/hooks';
import type { ToolRun } from '../../../turn-record';
import type { SandboxResult } from '../../../ports';
import type { ToolDefinition } from '../../../tools/definition';
import { Icon } from '../../common/icon';
import { brief, count, duration, pretty } from '../../common/format';
import { Segmented } from '../../common/segmented';
import { useUi } from '../../store';
import { parameterFields, readParameters, type ParameterField } from './parameter-field';

interface Outcome {
    run: ToolRun;
    sandbox?: SandboxResult;
}

/** Runs a tool with parameters typed by hand, without spending a turn: a box for each parameter, or the raw JSON. */
export function TryForm({ tool }: { tool: ToolDefinition }) {
    const { t, intents, run, host } = useUi();
    const fields = useMemo(() => parameterFields(tool.parameters), [tool]);
    const [mode, setMode] = useState<'form' | 'json'>('form');
    const [texts, setTexts] = useState<Record<string, string>>(() => Object.fromEntries(fields.map((field) => [field.name, field.initial])));
    const [json, setJson] = useState('{}');
    const [busy, setBusy] = useState(false);
    const [outcome, setOutcome] = useState<Outcome | null>(null);

    const read = (): Record<string, unknown> => (mode === 'form' ? readParameters(fields, texts) : (JSON.parse(json) as Record<string, unknown>));
    const change = (next: 'form' | 'json') => {
        // What was typed in the boxes is the starting point of the JSON.
        if (next === 'json') void run(() => setJson(JSON.stringify(readParameters(fields, texts), null, 2)));
        setMode(next);
    };
    const submit = async () => {
        setBusy(true);
        await run(async () => {
            let params: Record<string, unknown>;
            try {
                params = read();
            } catch (error) {
                if (!(error instanceof SyntaxError)) throw error;
                host.toast('warning', t('ui.tools.not-json', { message: error.message }));
                return;
            }
            setOutcome(await intents.tryTool(tool.name, params));
        });
        setBusy(false);
    };
    return (
        <form
            class="na-sub na-try"
            onKeyDown={(event) => event.stopPropagation()}
            onSubmit={(event) => {
                event.preventDefault();
                void submit();
            }}
        >
            <div class="na-sub-head">
                <span>{t('ui.tools.try')}</span>
                <Segmented label={t('ui.tools.try')} options={[{ value: 'form', label: t('ui.tools.form') }, { value: 'json', label: 'JSON' }]} value={mode} onChange={change} />
            </div>
            {mode === 'json' ? (
                <textarea class="na-input" rows={5} spellcheck={false} aria-label="JSON" value={json} onInput={(event) => setJson(event.currentTarget.value)} />
            ) : (
                fields.map((field) => <Box key={field.name} field={field} tool={tool.name} value={texts[field.name] ?? ''} onInput={(value) => setTexts({ ...texts, [field.name]: value })} />)
            )}
            <button type="submit" class="na-button na-primary" disabled={busy} data-testid="try-tool"><Icon name="play" />{t(busy ? 'ui.tools.running' : 'ui.tools.run')}</button>
            {outcome && <OutcomeView outcome={outcome} />}
        </form>
    );
}

function Box({ field, tool, value, onInput }: { field: ParameterField; tool: string; value: string; onInput: (value: string) => void }) {
    const { t } = useUi();
    const id = `narrative_agent_try_${tool}_${field.name}`;
    const shared = { id, name: field.name, class: 'na-input', value, required: field.required };
    return (
        <div class="na-parameter">
            <label for={id}>
                <code>{field.name}</code>
                {field.required && <span class="na-required" title={t('ui.tools.required')}> *</span>}
                {field.description !== '' && <span class="na-dim"> {field.description}</span>}
            </label>
            {field.kind === 'choice' && (
                <select {...shared} onChange={(event) => onInput(event.currentTarget.value)}>
                    <option value="">–</option>
                    {field.options.map((option) => <option key={option} value={option}>{option}</option>)}
                </select>
            )}
            {field.kind === 'switch' && (
                <select {...shared} onChange={(event) => onInput(event.currentTarget.value)}>
                    <option value="">–</option>
                    <option value="true">true</option>
                    <option value="false">false</option>
                </select>
            )}
            {field.kind === 'json' && <textarea {...shared} rows={2} spellcheck={false} placeholder="JSON" onInput={(event) => onInput(event.currentTarget.value)} />}
            {field.kind === 'text' && <input type="text" list={undefined} {...shared} onInput={(event) => onInput(event.currentTarget.value)} />}
            {field.kind === 'number' && <input type="number" step="any" {...shared} onInput={(event) => onInput(event.currentTarget.value)} />}
        </div>
    );
}

function OutcomeView({ outcome: { run, sandbox } }: { outcome: Outcome }) {
    const { t } = useUi();
    const ms = sandbox?.ms ?? run.ms;
    const memory = sandbox?.ok ? sandbox.memory : undefined;
    return (
        <div class={run.ok ? 'na-run' : 'na-run na-run-failed'} data-testid="try-outcome" data-ok={run.ok} role="status">
            <div class="na-row na-small">
                <span class={run.ok ? 'na-tag na-good' : 'na-tag na-bad'}>{t(run.ok ? 'ui.tools.ok' : 'ui.tools.error')}</span>
                {ms !== undefined && <span class="na-dim">{duration(ms)}</span>}
                {memory !== undefined && <span class="na-dim">{t('ui.tools.memory', { kilobytes: count(Math.ceil(memory / 1024)) })}</span>}
            </div>
            {run.error !== undefined && <p class="na-why">{run.error}</p>}
            {sandbox?.ok && <pre class="na-pre">{pretty(sandbox.value ?? null)}</pre>}
            {run.output !== undefined && <pre class="na-pre">{run.output}</pre>}
            {run.detail && <p class="na-dim na-small"><code>{brief(run.detail, 400)}</code></p>}
            {sandbox && sandbox.log.length > 0 && (
                <>
                    <p class="na-dim na-small">{t('ui.tools.log')}</p>
                    <pre class="na-pre">{sandbox.log.join('\n')}</pre>
                </>
            )}
        </div>
    );
}
