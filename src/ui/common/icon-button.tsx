import { Icon, type IconName } from './icon';

interface Props {
    icon: IconName;
    label: string;
    onClick: () => void;
    disabled?: boolean;
    testId?: string;
}

/** A button that is only an icon: its label is its name and its tooltip. */
export function IconButton({ icon, label, onClick, disabled, testId }: Props) {
    return (
        <button type="button" class="na-icon-button" title={label} aria-label={label} disabled={disabled} data-testid={testId} onClick={onClick}>
            <Icon name={icon} />
        </button>
    );
}
