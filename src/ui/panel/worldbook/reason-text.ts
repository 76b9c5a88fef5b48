import type { Decision } from '../../../worldbook/snapshot';
import { hasText, type Translate } from '../../i18n';

/** The reason in a word or two, for the tag: `关键词`. */
export function reasonName(decision: Decision, t: Translate): string {
    return t(`ui.reason.${decision.by}`);
}

/** The reason with its facts, as a sentence; empty where the tag says all there is. */
export function because(decision: Decision, t: Translate): string {
    const { variant } = decision.because;
    if (Object.keys(decision.because).length === 0 || variant === 'bare') return '';
    const specific = `reason.${decision.by}.${String(variant)}`;
    return t(hasText(specific) ? specific : `reason.${decision.by}`, decision.because);
}

/** Whether an entry's title, id or reason contain the words looked for. */
export function matches(decision: Decision, filter: string, t: Translate): boolean {
    const words = filter.trim().toLowerCase();
    return `${decision.title}\n${decision.entry}\n${decision.by}\n${reasonName(decision, t)}\n${because(decision, t)}`.toLowerCase().includes(words);
}
