import type { TurnStatus } from '../../state/fold-types';

/** The state of a turn as a coloured dot; the words stand beside it. */
export function StatusDot({ status }: { status: TurnStatus }) {
    return <span class={`na-dot na-dot-${status}`} aria-hidden="true" />;
}
