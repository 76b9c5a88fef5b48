import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon';

interface Props {
    title: string;
    /** Beside the title: how many. */
    count?: number | string;
    /** At the right end of the head row. */
    actions?: ComponentChildren;
    /** `data-field` of the block, a name that stays. */
    field?: string;
    closed?: boolean;
    children: ComponentChildren;
}

/** A titled part of a tab that can be folded away. Its content is not rendered while it is folded. */
export function Block({ title, count, actions, field, closed, children }: Props) {
    const [open, setOpen] = useState(!closed);
    return (
        <section class="na-block" data-field={field}>
            <div class="na-block-head">
                <button type="button" class="na-block-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
                    <Icon name={open ? 'down' : 'right'} />
                    <span>{title}</span>
                    {count !== undefined && <span class="na-count">{count}</span>}
                </button>
                {actions && <div class="na-actions">{actions}</div>}
            </div>
            {open && <div class="na-block-body">{children}</div>}
        </section>
    );
}
