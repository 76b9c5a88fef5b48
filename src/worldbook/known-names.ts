import type { Entry } from './entry';
import { classify } from './classify';

export interface KnownNames {
    places: string[];
    people: string[];
    quests: string[];
}

const marks: [keyof KnownNames, RegExp][] = [
    ['places', /[[【]\s*(?:locations?|places?|地点|场所)\s*(?:[:：]\s*([^\]】]*))?[\]】]/i],
    ['people', /[[【]\s*(?:npcs?|人物|角色)\s*(?:[:：]\s*([^\]】]*))?[\]】]/i],
    ['quests', /[[【]\s*(?:quests?|任务)\s*(?:[:：]\s*([^\]】]*))?[\]】]/i],
];
const anyMark = /[[【][^\]】]*[\]】]/g;
const nameLine = /^\s*["']?(?:name|名称|名字|姓名)["']?\s*[:：]\s*["'“]?([^"'”,，\n]+)/im;

/**
 * Places, people and quests that the book names by `[LOCATION]`, `[NPC]` and `[QUEST]` entries (state.autoSyncWorldInfo). The name is what
 * the comment says beside its marks, else the content's `name`/`名称` line, else the first plain key. Disabled entries name nothing.
 */
export function knownNames(entries: readonly Entry[]): KnownNames {
    const found = { places: new Set<string>(), people: new Set<string>(), quests: new Set<string>() };
    for (const entry of entries) {
        if (entry.disable || (!entry.comment.includes('[') && !entry.comment.includes('【'))) continue;
        for (const [kind, mark] of marks) {
            const marked = mark.exec(entry.comment);
            if (!marked || classify(entry) !== 'lore') continue;
            // `[NPC:艾琳]` names inside the mark, `[NPC] 艾琳` beside it.
            const name = marked[1]?.trim() || nameOf(entry);
            if (name !== '') found[kind].add(name);
        }
    }
    return { places: [...found.places], people: [...found.people], quests: [...found.quests] };
}

function nameOf(entry: Entry): string {
    const beside = entry.comment.replace(anyMark, ' ').trim();
    if (beside !== '') return beside;
    const line = nameLine.exec(entry.content.slice(0, 2000));
    if (line?.[1]) return line[1].trim();
    return entry.key.find((key) => !key.startsWith('/') && key.trim() !== '')?.trim() ?? '';
}
