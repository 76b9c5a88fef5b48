import { useUi } from '../store';
import { defaultAt, valueAt } from './config-path';
import type { Field } from './fields';
import { shared } from './shared-texts';

/** One setting: its label, its control, and a line of help. */
export function Control({ field }: { field: Field }) {
    const { view, t } = useUi();
    const value = valueAt(view.value.config, field.path);
    const id = `narrative_agent_${field.path.replaceAll('.', '_')}`;
    const changed = JSON.stringify(value) !== JSON.stringify(defaultAt(field.path));
    const text = shared(field.path);
    return (
        <div class={`na-setting na-setting-${field.kind}${changed ? ' na-changed' : ''}`} data-setting={field.path}>
            <label for={id}>{t(`${text}.label`)}</label>
            <Input id={id} field={field} value={value} />
            <p id={`${id}_help`} class="na-help">{t(`${text}.help`)}</p>
        </div>
    );
}

function Input({ id, field, value }: { id: string; field: Field; value: unknown }) {
    const { view, t, intents, run, confirm } = useUi();
    const set = (next: unknown) => run(() => intents.setConfig(field.path, next));
    // Texts and numbers are uncontrolled: a new view that comes in while one types must not take the typing away.
    const common = { id, 'aria-describedby': `${id}_help` };
    switch (field.kind) {
        case 'switch':
            return <input type="checkbox" class="na-switch" {...common} checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />;
        case 'choice': {
            const choose = (select: HTMLSelectElement) =>
                run(async () => {
                    const warning = field.path === 'tools.codeExecution' && select.value === 'page';
                    if (warning && !(await confirm(t('setting.tools.codeExecution.warning')))) select.value = String(value);
                    else intents.setConfig(field.path, select.value);
                });
            return (
                <select class="na-input" {...common} value={String(value)} onChange={(event) => choose(event.currentTarget)}>
                    {field.options.map((option) => <option key={option} value={option}>{t(`setting.${field.path}.${option}`)}</option>)}
                </select>
            );
        }
        case 'number': {
            const scale = field.scale ?? 1;
            const shown = typeof value === 'number' ? String(value / scale) : '';
            const read = (input: HTMLInputElement) => {
                if (input.value.trim() === '' && field.nullable) return set(null);
                const number = Number(input.value);
                const valid = input.value.trim() !== '' && Number.isFinite(number) && number >= field.min && number <= field.max && (field.step !== undefined || Number.isInteger(number));
                if (!valid) {
                    input.value = shown;
                    return undefined;
                }
                return set(number * scale);
            };
            return (
                <span class="na-with-unit">
                    <input type="number" class="na-input" {...common} key={shown} min={field.min} max={field.max} step={field.step ?? 1} defaultValue={shown} placeholder={field.nullable ? t('setting.connection-default') : undefined} onChange={(event) => read(event.currentTarget)} />
                    {field.unit && <span class="na-dim">{t(field.unit)}</span>}
                </span>
            );
        }
        case 'long-text':
            return <textarea class="na-input" rows={2} {...common} key={String(value)} defaultValue={String(value ?? '')} onChange={(event) => set(event.currentTarget.value)} />;
        case 'profile': {
            const { profiles } = view.value;
            const lost = typeof value === 'string' && value !== '' && !profiles.some((profile) => profile.id === value);
            return (
                <select class="na-input" {...common} value={String(value ?? '')} onChange={(event) => set(event.currentTarget.value)}>
                    <option value="">{t('setting.main-connection')}</option>
                    {lost && <option value={String(value)}>{t('setting.lost-profile', { id: String(value) })}</option>}
                    {profiles.map((profile) => <option key={profile.id} value={profile.id}>{profile.name}</option>)}
                </select>
            );
        }
        case 'names': {
            const names = Array.isArray(value) ? value.map(String) : [];
            return (
                <span class="na-names" id={id}>
                    {names.length === 0 ? <span class="na-dim">{t('setting.none')}</span> : names.map((name) => (
                        <button key={name} type="button" class="na-tag" title={t('setting.remove', { name })} onClick={() => set(names.filter((other) => other !== name))}>{name} ×</button>
                    ))}
                </span>
            );
        }
    }
}
