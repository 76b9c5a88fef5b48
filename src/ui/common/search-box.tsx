import { useUi } from '../store';
import { Icon } from './icon';

/** A box that narrows a list while one types. */
export function SearchBox({ value, onInput, label }: { value: string; onInput: (value: string) => void; label?: string }) {
    const { t } = useUi();
    const name = label ?? t('ui.filter');
    return (
        <div class="na-search">
            <Icon name="search" />
            <input
                type="search"
                class="na-input"
                aria-label={name}
                placeholder={name}
                value={value}
                onInput={(event) => onInput(event.currentTarget.value)}
                onKeyDown={(event) => {
                    event.stopPropagation();
                    if (event.key === 'Escape') onInput('');
                }}
            />
        </div>
    );
}
