import type { PromptLanguage } from '../prompt/prompt-input';
import type { KnownNames } from '../worldbook/known-names';
import type { GameState } from './state';

const labels: Record<PromptLanguage, { [K in keyof KnownNames]: string } & { colon: string; comma: string; none: string }> = {
    zh: { places: '已知地点', people: '已知人物', quests: '已知任务', colon: '：', comma: '、', none: '无' },
    en: { places: 'Known places', people: 'Known people', quests: 'Known quests', colon: ': ', comma: ', ', none: 'none' },
};

/**
 * The `known_context` of tools: every place, person and quest that the worldbook or the story has named. Give no names
 * where `state.autoSyncWorldInfo` is off: then only the story's own are listed.
 */
export function knownContextText(known: KnownNames | null, state: GameState, language: PromptLanguage): string {
    const label = labels[language];
    const visited = state.eventLog.filter((event) => event.accepted && event.type === 'move').map((event) => String(event.params.location ?? ''));
    const all: KnownNames = {
        places: [...(known?.places ?? []), ...visited, state.location],
        people: [...(known?.people ?? []), ...Object.keys(state.relationships)],
        quests: [...(known?.quests ?? []), ...Object.keys(state.quests)],
    };
    return (['places', 'people', 'quests'] as const).map((kind) => {
        const names = [...new Set(all[kind].map((name) => name.replace(/\s+/g, ' ').trim()))].filter((name) => name !== '');
        return `${label[kind]}${label.colon}${names.length === 0 ? label.none : names.join(label.comma)}`;
    }).join('\n');
}
