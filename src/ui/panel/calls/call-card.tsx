import { useState } from 'preact/hooks';
import type { PromptSection } from '../../../prompt/prompt-input';
import { count, duration } from '../../common/format';
import { Icon } from '../../common/icon';
import { hasText, purposeName } from '../../i18n';
import type { TraceCall } from '../../port';
import { useUi } from '../../store';

/** One call; opens to its prompt, cut where the sections meet, and to what the model answered. */
export function CallCard({ call }: { call: TraceCall }) {
    const { t, host } = useUi();
    const [open, setOpen] = useState(false);
    const size = call.sections.reduce((sum, section) => sum + section.text.length, 0);
    return (
        <article class="na-card" data-purpose={call.purpose}>
            <button type="button" class="na-card-head" aria-expanded={open} onClick={() => setOpen(!open)}>
                <Icon name={open ? 'down' : 'right'} />
                <b class="na-card-title">{purposeName(call.purpose, host.locale)}</b>
                {call.error !== undefined && <span class="na-tag na-bad">{t('ui.calls.failed')}</span>}
                <span class="na-dim na-small">{duration(call.ms)}</span>
                {call.promptTokens !== undefined && <span class="na-dim na-small" title={t('ui.calls.tokens-help')}>{count(call.promptTokens)} → {count(call.completionTokens ?? 0)}</span>}
            </button>
            <Strip sections={call.sections} size={size} />
            {open && (
                <div class="na-card-body">
                    {call.error !== undefined && <p class="na-why">{call.error}</p>}
                    <p class="na-sub-head"><span>{t('ui.calls.prompt')}</span><span class="na-dim na-small">{t('ui.calls.characters', { count: count(size) })}</span></p>
                    <ul class="na-list">{call.sections.map((section, index) => <SectionRow key={index} section={section} size={size} />)}</ul>
                    {call.reasoning !== undefined && call.reasoning !== '' && <Text title={t('ui.calls.reasoning')} text={call.reasoning} />}
                    <Text title={t('ui.calls.output')} text={call.output} initiallyOpen />
                </div>
            )}
        </article>
    );
}

/** The prompt as a strip, each section as wide as its share. */
function Strip({ sections, size }: { sections: readonly PromptSection[]; size: number }) {
    return (
        <div class="na-strip" aria-hidden="true">
            {sections.map((section, index) => (
                <span key={index} class={`na-strip-${section.role}`} style={{ flexGrow: Math.max(section.text.length, size / 200) }} title={`${section.name} ${count(section.text.length)}`} />
            ))}
        </div>
    );
}

function share(length: number, size: number): string {
    const percent = (length / Math.max(1, size)) * 100;
    return percent > 0 && percent < 1 ? '<1%' : `${Math.round(percent)}%`;
}

function SectionRow({ section, size }: { section: PromptSection; size: number }) {
    const { t } = useUi();
    const [open, setOpen] = useState(false);
    return (
        <li class="na-entry" data-section={section.name}>
            <button type="button" class="na-entry-head" aria-expanded={open} onClick={() => setOpen(!open)}>
                <span class={`na-role na-strip-${section.role}`} title={section.role} />
                <span class="na-entry-title"><code>{section.name}</code> {hasText(`agents.section.${section.name}`) && <span class="na-dim na-small">{t(`agents.section.${section.name}`)}</span>}</span>
                <span class="na-dim na-small">{share(section.text.length, size)}</span>
                <span class="na-tokens" title={t('ui.calls.characters', { count: count(section.text.length) })}>{count(section.text.length)}</span>
            </button>
            {open && <pre class="na-pre">{section.text}</pre>}
        </li>
    );
}

function Text({ title, text, initiallyOpen = false }: { title: string; text: string; initiallyOpen?: boolean }) {
    const { t } = useUi();
    const [open, setOpen] = useState(initiallyOpen);
    return (
        <div class="na-sub">
            <button type="button" class="na-block-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
                <Icon name={open ? 'down' : 'right'} /><span>{title}</span><span class="na-count">{t('ui.calls.characters', { count: count(text.length) })}</span>
            </button>
            {open && <pre class="na-pre">{text}</pre>}
        </div>
    );
}
