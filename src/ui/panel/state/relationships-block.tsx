import { Block } from '../../common/block';
import { CappedList } from '../../common/capped-list';
import { Editable } from '../../common/editable';
import { useUi } from '../../store';
import { AddRow } from './add-row';
import { useCorrection } from './use-correction';

/** How the characters stand to the player: bars from the middle, −100 to the left, 100 to the right. */
export function RelationshipsBlock() {
    const { view, t } = useUi();
    const correct = useCorrection();
    const people = Object.entries(view.value.fold.state.relationships);
    const set = (name: string, text: string) => void correct(`relationships.${name}`, text.trim() === '' ? undefined : Number(text));
    const add = <AddRow namePlaceholder={t('ui.state.person')} valuePlaceholder="-100…100" valueKind="number" onAdd={set} />;
    return (
        <Block title={t('ui.state.relationships')} count={people.length} actions={add} field="relationships">
            <CappedList
                class="na-people"
                items={people}
                empty={t('ui.state.no-relationships')}
                render={([name, value]) => (
                    <li key={name}>
                        <span class="na-name">{name}</span>
                        <span class="na-bar" role="img" aria-label={`${name}: ${value}`}>
                            <span
                                class={value < 0 ? 'na-bar-fill na-minus' : 'na-bar-fill na-plus'}
                                style={{ width: `${Math.min(50, Math.abs(value) / 2)}%`, [value < 0 ? 'right' : 'left']: '50%' }}
                            />
                        </span>
                        <Editable label={name} value={String(value)} kind="number" min={-100} max={100} onSave={(text) => set(name, text)} class="na-quantity">
                            {value > 0 ? `+${value}` : value}
                        </Editable>
                    </li>
                )}
            />
        </Block>
    );
}
