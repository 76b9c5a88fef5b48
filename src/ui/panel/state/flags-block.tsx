import { Block } from '../../common/block';
import { CappedList } from '../../common/capped-list';
import { Editable } from '../../common/editable';
import { brief } from '../../common/format';
import { readValue } from '../../common/read-value';
import { useUi } from '../../store';
import { AddRow } from './add-row';
import { useCorrection } from './use-correction';

/** Free marks of the story, name and value. */
export function FlagsBlock() {
    const { view, t } = useUi();
    const correct = useCorrection();
    const flags = Object.entries(view.value.fold.state.flags);
    const set = (name: string, text: string) => void correct(`flags.${name}`, text.trim() === '' ? undefined : readValue(text));
    const add = <AddRow namePlaceholder={t('ui.state.flag')} valuePlaceholder={t('ui.state.value')} onAdd={(name, text) => set(name, text === '' ? 'true' : text)} />;
    return (
        <Block title={t('ui.state.flags')} count={flags.length} actions={add} field="flags">
            <CappedList
                class="na-flags"
                items={flags}
                empty={t('ui.state.no-flags')}
                render={([name, value]) => (
                    <li key={name}>
                        <span class="na-name">{name}</span>
                        <Editable label={name} value={typeof value === 'string' ? value : JSON.stringify(value)} onSave={(text) => set(name, text)} class="na-value">
                            {brief(value, 60)}
                        </Editable>
                    </li>
                )}
            />
        </Block>
    );
}
