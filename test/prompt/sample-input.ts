import type { PromptInput } from '../../src/prompt/prompt-input';
import type { Turn } from '../../src/text/turn';

/** A finished turn with one reply. */
export function turn(number: number, user: string, narrative: string, speaker = '说书人'): Turn {
    const reply = { index: number * 2, speaker, narrative, record: null, stale: false, tagged: true };
    return { number, user, userIndexes: number === 0 ? [] : [number * 2 - 1], replies: [reply] };
}

/** The sixth turn of a story, with everything a prompt can be made of but tools, recall and preset. */
export function sampleInput(more: Partial<PromptInput> = {}): PromptInput {
    return {
        language: 'zh',
        layout: 'seed',
        preset: { planningContext: '', writingSystemContext: '', writingUserContext: '' },
        planner: { worldinfo1: ['魔法不能复活死者。'], worldinfo2: ['石桥由守桥人把守。\n桥西有木棚。'], worldinfo3: ['铜钥匙：旧王室的信物。'] },
        writer: { worldinfo1: ['魔法不能复活死者。'], worldinfo2: ['石桥由守桥人把守。\n桥西有木棚。'], worldinfo3: ['文风：克制。', '铜钥匙：旧王室的信物。'] },
        summaries: ['[第1轮] 用户意图：进镇 | 叙事要点：旅人进了渡口镇', '[第2轮] 用户意图：住店 | 叙事要点：掌柜收下一枚银币'],
        persona: '旅人，来自北方的信使。',
        characterCard: { planning: '', writing: '' },
        turns: [
            turn(0, '', '雨下了三天，渡口镇的灯一盏盏亮起来。'),
            turn(1, '我走进镇子。', '石板路湿滑，木牌上写着“渡口”。'),
            turn(2, '找间客店。', '掌柜收下银币，指了指楼上。\n\n“别出声。”他说。'),
        ],
        windows: { planning: { n: 4, m: 4 }, writing: { n: 3, m: 4 } },
        stateSummary: '时间：第1天 20:30\n地点：客店\n物品：铜钥匙×1',
        userInput: '我把铜钥匙放在桌上。',
        guide: null,
        toolResults: [],
        toolListText: '',
        textRecallEnabled: false,
        recalled: [],
        narrative: '掌柜看了一眼钥匙，脸色变了。',
        turnNumber: 3,
        antiHallucination: true,
        extraInstructions: {},
        ...more,
    };
}

/** What `presetMode: split` gives. */
export const splitPresetContext = { planningContext: '预设系统文本。', writingSystemContext: '预设系统文本。', writingUserContext: '预设用户文本。' };

/** What planning gave a turn with a tool and a recall. */
export const planned: Partial<PromptInput> = {
    guide: {
        narrative_direction: '掌柜认出铜钥匙，压低声音追问来历。', scene_setting: '客店大堂，雨夜', key_points: ['掌柜认得钥匙', '门外有脚步声'],
        tone: '紧张', pacing: '慢', continuity_notes: ['掌柜说过“别出声”'], tool_calls: [{ tool: 'roll_dice', params: { expr: '1d20+2', dc: 12 } }], text_recall: [1],
    },
    toolResults: ['检定结果：1d20 = [15]+2 = 17 (DC 12) → 成功'],
    recalled: [{ turn: 1, text: '石板路湿滑，木牌上写着“渡口”。' }],
};
