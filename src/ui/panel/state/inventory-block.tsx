import { Block } from '../../common/block';
import { CappedList } from '../../common/capped-list';
import { Editable } from '../../common/editable';
import { useUi } from '../../store';
import { AddRow } from './add-row';
import { useCorrection } from './use-correction';

/** What the player carries. */
export function InventoryBlock() {
    const { view, t } = useUi();
    const correct = useCorrection();
    const items = Object.entries(view.value.fold.state.inventory);
    const set = (name: string, text: string) => void correct(`inventory.${name}`, Number(text === '' ? 0 : text));
    const add = <AddRow namePlaceholder={t('ui.state.item')} valuePlaceholder={t('ui.state.quantity')} valueKind="number" onAdd={(name, text) => set(name, text === '' ? '1' : text)} />;
    return (
        <Block title={t('ui.state.inventory')} count={items.length} actions={add} field="inventory">
            <CappedList
                class="na-items"
                items={items}
                empty={t('ui.state.no-items')}
                render={([name, quantity]) => (
                    <li key={name}>
                        <span class="na-name">{name}</span>
                        <Editable label={name} value={String(quantity)} kind="number" min={0} onSave={(text) => set(name, text)} class="na-quantity">
                            ×{quantity}
                        </Editable>
                    </li>
                )}
            />
        </Block>
    );
}
