import type { PromptLanguage } from '../prompt/prompt-input';
import type { GameState, QuestState } from './state';

interface Words {
    colon: string;
    comma: string;
    none: string;
    time: string;
    day: (time: GameState['time']) => string;
    location: string;
    inventory: string;
    relationships: string;
    quests: string;
    flags: string;
    status: Record<QuestState['status'], string>;
    stage: string;
    outcome: string;
    brackets: [string, string];
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** The words of `<state_summary>` in each prompt language; zh is the seed's form. */
const words: Record<PromptLanguage, Words> = {
    zh: {
        colon: '：', comma: '、', none: '无', brackets: ['（', '）'],
        time: '时间', day: ({ day, hour, minute }) => `第${day}天 ${twoDigits(hour)}:${twoDigits(minute)}`,
        location: '地点', inventory: '物品', relationships: '关系', quests: '任务', flags: '标记',
        status: { active: '进行中', completed: '已完成', failed: '已失败' }, stage: '阶段', outcome: '结果',
    },
    en: {
        colon: ': ', comma: ', ', none: 'none', brackets: [' (', ')'],
        time: 'Time', day: ({ day, hour, minute }) => `Day ${day} ${twoDigits(hour)}:${twoDigits(minute)}`,
        location: 'Location', inventory: 'Items', relationships: 'Relationships', quests: 'Quests', flags: 'Flags',
        status: { active: 'active', completed: 'completed', failed: 'failed' }, stage: 'stage', outcome: 'outcome',
    },
};

/** Quests that have ended are told only so many: the summaries hold the rest. */
const endedQuests = 10;

function oneLine(text: string): string {
    return text.replace(/\s+/g, ' ').trim();
}

function questText(id: string, quest: QuestState, word: Words): string {
    const parts = [word.status[quest.status]];
    if (quest.stage !== undefined && quest.status === 'active') parts.push(`${word.stage}${word.colon}${oneLine(quest.stage)}`);
    if (quest.outcome !== undefined) parts.push(`${word.outcome}${word.colon}${oneLine(quest.outcome)}`);
    return `${oneLine(id)}${word.brackets[0]}${parts.join(word.comma)}${word.brackets[1]}`;
}

/**
 * The state as `<state_summary>` shows it to the agents (seed: 时间：第1天 00:00 / 地点：起点 / 物品：无 …): six lines, the
 * event log left out. The same state gives the same text.
 */
export function stateSummaryText(state: GameState, language: PromptLanguage): string {
    const word = words[language];
    const line = (label: string, parts: string[]): string => `${label}${word.colon}${parts.length === 0 ? word.none : parts.join(word.comma)}`;
    const quests = Object.entries(state.quests);
    const ended = quests.filter(([, quest]) => quest.status !== 'active').slice(-endedQuests);
    return [
        line(word.time, [word.day(state.time)]),
        line(word.location, [oneLine(state.location)]),
        line(word.inventory, Object.entries(state.inventory).map(([item, quantity]) => `${oneLine(item)}×${quantity}`)),
        line(word.relationships, Object.entries(state.relationships).map(([npc, value]) => `${oneLine(npc)} ${value}`)),
        line(word.quests, [...quests.filter(([, quest]) => quest.status === 'active'), ...ended].map(([id, quest]) => questText(id, quest, word))),
        line(word.flags, Object.entries(state.flags).map(([flag, value]) => `${oneLine(flag)}=${typeof value === 'string' ? oneLine(value) : JSON.stringify(value)}`)),
    ].join('\n');
}
