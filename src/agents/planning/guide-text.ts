import type { PromptLanguage, WritingGuide } from '../../prompt/prompt-input';

/** The guide as the writer reads it (seed: writing_guide). What the planner left empty has no line. */
export function guideText(guide: WritingGuide, language: PromptLanguage): string {
    const zh = language === 'zh';
    const line = (label: string, text: string) => (text.trim() === '' ? [] : [`${label}${zh ? '：' : ': '}${text.trim()}`]);
    const list = (items: string[]) => items.filter((item) => item.trim() !== '').map((item) => item.trim()).join(zh ? '；' : '; ');
    const mood = [...line(zh ? '基调' : 'Tone', guide.tone), ...line(zh ? '节奏' : 'Pacing', guide.pacing)].join(zh ? '，' : ', ');
    return [
        ...line(zh ? '叙事方向' : 'Direction', guide.narrative_direction),
        ...line(zh ? '场景设置' : 'Scene', guide.scene_setting),
        ...line(zh ? '要点' : 'Key points', list(guide.key_points)),
        ...(mood === '' ? [] : [mood]),
        ...line(zh ? '延续细节' : 'Continuity', list(guide.continuity_notes)),
    ].join('\n');
}
