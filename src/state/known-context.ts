import type { PromptLanguage } from '../prompt/prompt-input';
import type { GameState } from './state';

/** Names the worldbook makes known. */
export interface KnownNames {
    places: string[];
    people: string[];
    quests: string[];
}

const markers: [RegExp, keyof KnownNames][] = [
    [/^\s*\[LOCATION(?:\s*[:：]\s*([^\]]+))?\]\s*(.*)$/i, 'places'],
    [/^\s*\[NPC(?:\s*[:：]\s*([^\]]+))?\]\s*(.*)$/i, 'people'],
    [/^\s*\[QUEST(?:\s*[:：]\s*([^\]]+))?\]\s*(.*)$/i, 'quests'],
];

/** Reads the names of `[LOCATION]`, `[NPC]` and `[QUEST]` entries from their titles: `[NPC] 艾琳`, `[LOCATION:北塔]`. */
export function readKnownNames(titles: string[]): KnownNames {
    const known: KnownNames = { places: [], people: [], quests: [] };
    for (const title of titles) {
        for (const [pattern, kind] of markers) {
            const found = pattern.exec(title);
            const name = (found?.[1] ?? found?.[2] ?? '').trim();
            if (name !== '') known[kind].push(name);
        }
    }
    return known;
}

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
