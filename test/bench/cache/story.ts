import type { PromptInput, WritingGuide } from '../../../src/prompt/prompt-input';
import type { Turn } from '../../../src/text/turn';

/** How large the parts of the replayed story are, in characters. */
export interface StorySize {
    turns: number;
    worldinfo1: number;
    worldinfo2: number;
    /** Matched lore of one turn. */
    worldinfo3: number;
    narrative: number;
}

export const fullSize: StorySize = { turns: 40, worldinfo1: 1200, worldinfo2: 2000, worldinfo3: 500, narrative: 350 };

const syllables = [...'北塔守卫南港商船旧王室铜钥匙摄政官手令午夜群岛魔法学院图书馆矿洞村庄集市酒馆河流山谷森林沙漠冰原龙骑士法师盗贼牧师将军公主国王皇后密探商人铁匠药师诗人雨夜灯火石桥渡口木棚信纸银币'];

/** Prose of about `length` characters, the same for the same name. */
function prose(name: string, length: number): string {
    let state = [...name].reduce((sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7);
    let text = '';
    while (text.length < length) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        text += syllables[(state >>> 8) % syllables.length];
        if (text.length % 9 === 8) text += text.length % 3 === 0 ? '。' : '，';
    }
    return text;
}

function entries(name: string, length: number): string[] {
    return Array.from({ length: Math.max(1, Math.round(length / 250)) }, (_each, index) => prose(`${name}${index}`, Math.min(250, length)));
}

/** Matched lore changes slowly: of its entries one leaves and one comes every other turn. */
function matched(turn: number, length: number): string[] {
    const count = Math.max(1, Math.round(length / 250));
    return Array.from({ length: count }, (_each, index) => prose(`lore${Math.floor(turn / 2) + index}`, 250));
}

function guideOf(turn: number): WritingGuide {
    return {
        narrative_direction: prose(`direction${turn}`, 150), scene_setting: prose(`scene${turn}`, 30),
        key_points: [prose(`a${turn}`, 25), prose(`b${turn}`, 25), prose(`c${turn}`, 25)], tone: '紧张', pacing: '中',
        continuity_notes: [prose(`d${turn}`, 25)], tool_calls: [{ tool: 'roll_dice', params: { expr: '1d20+2', dc: 12 } }], text_recall: [],
    };
}

function turnOf(number: number, size: StorySize): Turn {
    const narrative = prose(`narrative${number}`, size.narrative);
    return { number, user: number === 0 ? '' : prose(`user${number}`, 30), userIndexes: [], replies: [{ index: number, speaker: '说书人', narrative, record: null, stale: false, tagged: true }] };
}

/** What the prompts of turn `number` are made of; `planned` = planning has run (its guide and a tool result are there). */
export function storyInput(number: number, layout: PromptInput['layout'], size: StorySize, planned: boolean): PromptInput {
    const lore = { worldinfo1: entries('system', size.worldinfo1), worldinfo2: entries('before', size.worldinfo2), worldinfo3: matched(number, size.worldinfo3) };
    return {
        language: 'zh', layout,
        preset: { planningContext: '', writingSystemContext: '', writingUserContext: '' },
        planner: lore, writer: lore,
        summaries: Array.from({ length: number - 1 }, (_each, index) => `[第${index + 1}轮] 用户意图：${prose(`intent${index}`, 20)} | 叙事要点：${prose(`points${index}`, 90)}`),
        persona: prose('persona', 200),
        characterCard: { planning: '', writing: '' },
        turns: Array.from({ length: number }, (_each, index) => turnOf(index, size)),
        windows: { planning: { n: 4, m: 4 }, writing: { n: 3, m: 4 } },
        stateSummary: `时间：第${1 + Math.floor(number / 6)}天 ${String(number % 24).padStart(2, '0')}:30\n地点：${prose(`place${Math.floor(number / 3)}`, 8)}\n物品：${prose(`items${Math.floor(number / 2)}`, 60)}\n关系：${prose(`npc${number}`, 60)}\n任务：${prose(`quest${Math.floor(number / 5)}`, 60)}`,
        userInput: prose(`user${number}`, 30),
        guide: planned ? guideOf(number) : null,
        toolResults: planned ? [`检定结果：1d20 = [${1 + (number * 7) % 20}]+2 = ${3 + (number * 7) % 20} (DC 12)`] : [],
        toolListText: '【可用工具】\n- roll_dice：掷骰检定。参数：expr（骰子表达式）、mode（normal / advantage / disadvantage / exploding）、dc（难度）',
        textRecallEnabled: false,
        recalled: [],
        narrative: prose(`narrative${number}`, size.narrative),
        turnNumber: number,
        antiHallucination: true,
        extraInstructions: {},
    };
}
