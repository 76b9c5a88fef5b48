import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useUi } from '../store';

interface Props {
    /** What is edited, for the button's name: `铜钥匙`. */
    label: string;
    /** The text the field starts with. */
    value: string;
    /** Gets the new text when it differs; blank texts are passed on too. */
    onSave: (text: string) => void;
    kind?: 'text' | 'number' | 'long';
    min?: number;
    max?: number;
    children: ComponentChildren;
    class?: string;
}

/** A value that turns into a field when clicked: Enter saves, Escape or leaving it keeps the old value. */
export function Editable({ label, value, onSave, kind = 'text', min, max, children, class: className }: Props) {
    const { t } = useUi();
    const [editing, setEditing] = useState(false);
    const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
    useEffect(() => {
        if (editing) input.current?.select();
    }, [editing]);
    const name = t('ui.edit', { name: label });
    if (!editing) {
        return (
            <button type="button" class={`na-editable ${className ?? ''}`} title={name} aria-label={`${name}: ${value}`} onClick={() => setEditing(true)}>
                {children}
            </button>
        );
    }
    const save = () => {
        const text = input.current?.value ?? value;
        setEditing(false);
        if (text !== value) onSave(text);
    };
    const onKeyDown = (event: KeyboardEvent) => {
        event.stopPropagation();
        if (event.key === 'Escape') setEditing(false);
        if (event.key === 'Enter' && !event.isComposing && (kind !== 'long' || event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            save();
        }
    };
    const shared = { ref: input, class: `na-input ${className ?? ''}`, 'aria-label': label, defaultValue: value, onKeyDown, onBlur: () => setEditing(false) };
    return kind === 'long' ? <textarea rows={5} {...shared} /> : <input type={kind} list={undefined} min={min} max={max} step="any" {...shared} />;
}
