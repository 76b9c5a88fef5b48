import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useUi } from '../store';

interface Props<T> {
    items: readonly T[];
    render: (item: T, index: number) => ComponentChildren;
    /** How many at first, and how many more at each click. */
    step?: number;
    class?: string;
    /** Shown where there is nothing. */
    empty?: ComponentChildren;
}

/** A list that renders its first items alone, with a button for more: a chat of thousands of turns costs no more than one of ten. */
export function CappedList<T>({ items, render, step = 50, class: className, empty }: Props<T>) {
    const { t } = useUi();
    const [shown, setShown] = useState(step);
    if (items.length === 0) return empty ? <p class="na-empty">{empty}</p> : null;
    const rest = items.length - shown;
    return (
        <>
            <ul class={`na-list ${className ?? ''}`}>{items.slice(0, shown).map(render)}</ul>
            {rest > 0 && (
                <button type="button" class="na-button na-more" data-testid="show-more" onClick={() => setShown(shown + step * 2)}>
                    {t('ui.show-more', { rest })}
                </button>
            )}
        </>
    );
}
