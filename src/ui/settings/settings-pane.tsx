import { useState } from 'preact/hooks';
import { Icon } from '../common/icon';
import { IconButton } from '../common/icon-button';
import { Notices } from '../common/notices';
import { useUi } from '../store';
import { defaultAt, valueAt } from './config-path';
import { Control } from './control';
import { fieldGroups, type FieldGroup } from './fields';

/** All settings, by group, each group with its way back to the defaults. */
export function SettingsPane() {
    const { view } = useUi();
    return (
        <div class="na-settings">
            <Notices notices={view.value.configNotices} />
            {fieldGroups.map((group, index) => <Group key={group.name} group={group} initiallyOpen={index === 0} />)}
        </div>
    );
}

function Group({ group, initiallyOpen }: { group: FieldGroup; initiallyOpen: boolean }) {
    const { view, t, intents, run } = useUi();
    const [open, setOpen] = useState(initiallyOpen);
    const { config } = view.value;
    const changed = group.fields.filter(({ path }) => JSON.stringify(valueAt(config, path)) !== JSON.stringify(defaultAt(path)));
    const reset = () =>
        run(() => {
            for (const { path } of changed) intents.setConfig(path, defaultAt(path));
        });
    return (
        <section class="na-settings-group" data-group={group.name}>
            <div class="na-block-head">
                <button type="button" class="na-block-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
                    <Icon name={open ? 'down' : 'right'} />
                    <span>{t(`setting.group.${group.name}`)}</span>
                    {changed.length > 0 && <span class="na-count" title={t('setting.changed', { count: changed.length })}>{changed.length}</span>}
                </button>
                {changed.length > 0 && <IconButton icon="undo" label={t('setting.reset', { group: t(`setting.group.${group.name}`) })} testId={`reset-${group.name}`} onClick={reset} />}
            </div>
            {open && <div class="na-settings-fields">{group.fields.map((field) => <Control key={field.path} field={field} />)}</div>}
        </section>
    );
}
