import { useState } from 'preact/hooks';
import type { Notice } from '../../notice';
import { useUi } from '../store';
import { Icon } from './icon';
import { IconButton } from './icon-button';

interface Props {
    notices: readonly Notice[];
    /** Gets the position in the list. */
    onDismiss?: (index: number) => void;
    /** Shows the last ones first, and at first no more than this. */
    newest?: number;
}

/** Notices, one a line, in the user's language. */
export function Notices({ notices, onDismiss, newest }: Props) {
    const { t } = useUi();
    const [all, setAll] = useState(false);
    if (notices.length === 0) return null;
    const numbered = notices.map((notice, index) => ({ notice, index }));
    if (newest !== undefined) numbered.reverse();
    const shown = all ? numbered : numbered.slice(0, newest ?? 20);
    return (
        <ul class="na-notices">
            {shown.map(({ notice, index }) => (
                <li key={index} class={`na-notice na-${notice.level}`} data-code={notice.code}>
                    <Icon name={notice.level === 'info' ? 'info' : 'warning'} />
                    <span>{t(notice.code, notice.params)}</span>
                    {onDismiss && <IconButton icon="close" label={t('ui.dismiss')} onClick={() => onDismiss(index)} />}
                </li>
            ))}
            {shown.length < notices.length && (
                <li>
                    <button type="button" class="na-button na-more" onClick={() => setAll(true)}>{t('ui.show-more', { rest: notices.length - shown.length })}</button>
                </li>
            )}
        </ul>
    );
}
