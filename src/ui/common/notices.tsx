import type { Notice } from '../../notice';
import { useUi } from '../store';
import { Icon } from './icon';
import { IconButton } from './icon-button';

/** Notices, one a line, in the user's language. `onDismiss` gets the position in the list. */
export function Notices({ notices, onDismiss }: { notices: readonly Notice[]; onDismiss?: (index: number) => void }) {
    const { t } = useUi();
    if (notices.length === 0) return null;
    return (
        <ul class="na-notices">
            {notices.map((notice, index) => (
                <li key={index} class={`na-notice na-${notice.level}`} data-code={notice.code}>
                    <Icon name="warning" />
                    <span>{t(notice.code, notice.params)}</span>
                    {onDismiss && <IconButton icon="close" label={t('ui.dismiss')} onClick={() => onDismiss(index)} />}
                </li>
            ))}
        </ul>
    );
}
