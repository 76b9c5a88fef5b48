import type { Decision } from '../../../worldbook/snapshot';
import { hasText, type Translate } from '../../i18n';

/** The reason in one or two words: `关键词`. */
export function reasonName(decision: Decision, t: Translate): string {
    return t(`ui.reason.${decision.by}`);
}

/** The facts behind the reason in a line: the worldbook's own sentence where it has one, else the facts as they are. */
export function because(decision: Decision, t: Translate): string {
    const facts = Object.entries(decision.because);
    if (facts.length === 0) return '';
    const code = `worldbook.because.${decision.by}`;
    if (hasText(code)) return t(code, decision.because);
    return facts.map(([name, value]) => `${hasText(`ui.fact.${name}`) ? t(`ui.fact.${name}`) : name} ${String(value)}`).join(' · ');
}

/** Whether an entry's title, id, reason or facts contain the words looked for. */
export function matches(decision: Decision, filter: string, t: Translate): boolean {
    const words = filter.trim().toLowerCase();
    return `${decision.title}\n${decision.entry}\n${decision.by}\n${reasonName(decision, t)}\n${because(decision, t)}`.toLowerCase().includes(words);
}
