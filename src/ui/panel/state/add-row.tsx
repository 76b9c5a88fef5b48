import { useRef, useState } from 'preact/hooks';
import { IconButton } from '../../common/icon-button';
import { useUi } from '../../store';

interface Props {
    namePlaceholder: string;
    valuePlaceholder: string;
    valueKind?: 'text' | 'number';
    onAdd: (name: string, value: string) => void;
}

/** A plus button that opens a row for one new name and its value. */
export function AddRow({ namePlaceholder, valuePlaceholder, valueKind = 'text', onAdd }: Props) {
    const { t } = useUi();
    const [open, setOpen] = useState(false);
    const name = useRef<HTMLInputElement>(null);
    const value = useRef<HTMLInputElement>(null);
    if (!open) return <IconButton icon="plus" label={t('ui.add')} onClick={() => setOpen(true)} />;
    return (
        <form
            class="na-add"
            onSubmit={(event) => {
                event.preventDefault();
                const text = name.current?.value.trim() ?? '';
                if (text !== '') onAdd(text, value.current?.value ?? '');
                setOpen(false);
            }}
            onKeyDown={(event) => {
                event.stopPropagation();
                if (event.key === 'Escape') setOpen(false);
            }}
        >
            <input class="na-input" ref={name} placeholder={namePlaceholder} aria-label={namePlaceholder} />
            <input class="na-input na-input-short" ref={value} type={valueKind} list={undefined} step="any" placeholder={valuePlaceholder} aria-label={valuePlaceholder} />
            <button type="submit" class="na-icon-button" aria-label={t('ui.save')} title={t('ui.save')}>✓</button>
        </form>
    );
}
