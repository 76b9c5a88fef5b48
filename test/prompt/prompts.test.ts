import { describe, expect, it } from 'vitest';
import { buildMergedAnalysisPrompt } from '../../src/prompt/merged-analysis-prompt';
import { buildMergedWritingPrompt } from '../../src/prompt/merged-writing-prompt';
import { buildPlanningPrompt } from '../../src/prompt/planning-prompt';
import type { BuiltPrompt, PromptInput } from '../../src/prompt/prompt-input';
import { summariesOutside } from '../../src/prompt/shared-layout';
import { buildWritingPrompt } from '../../src/prompt/writing-prompt';
import { planned, sampleInput, splitPresetContext, turn } from './sample-input';

const text = (prompt: BuiltPrompt, role?: string) => prompt.messages.filter((message) => role === undefined || message.role === role).map((message) => message.content).join('\n');
const names = (prompt: BuiltPrompt, role: string) => prompt.sections.filter((section) => section.role === role).map((section) => section.name);
const everything: Partial<PromptInput> = { ...planned, preset: splitPresetContext, toolListText: '工具列表', textRecallEnabled: true, characterCard: { planning: '卡', writing: '卡' }, extraInstructions: { planning: '附', writing: '附', mergedWriting: '附', mergedAnalysis: '附' } };

describe('sections and their order', () => {
    it('are the seed\'s for planning', () => {
        const prompt = buildPlanningPrompt(sampleInput(everything));
        expect(names(prompt, 'system')).toEqual(['preset', 'worldinfo1', 'engine', 'tool_list', 'recall_rules', 'extra']);
        expect(names(prompt, 'user')).toEqual(['worldinfo2', 'character_card', 'story_summary', 'user_persona', 'recent_turns', 'worldinfo3', 'state_summary', 'user_input', 'instruction']);
        expect(text(prompt, 'user').endsWith('请生成写作指导。')).toBe(true);
    });

    it('are the seed\'s for writing, without summary and state', () => {
        const prompt = buildWritingPrompt(sampleInput(everything));
        expect(names(prompt, 'system')).toEqual(['preset', 'worldinfo1', 'engine', 'tool_binding', 'extra']);
        expect(names(prompt, 'user')).toEqual(['user_preset', 'worldinfo2', 'character_card', 'user_persona', 'recent_turns', 'worldinfo3', 'text_recall', 'writing_guide', 'tool_results', 'user_input']);
        expect(text(prompt)).not.toContain('story_summary');
        expect(text(prompt, 'system')).toContain('工具执行结果已由系统确定，必须严格按结果走向写作');
    });

    it('are the seed\'s for merged writing', () => {
        const prompt = buildMergedWritingPrompt(sampleInput(everything));
        expect(names(prompt, 'system')).toEqual(['preset', 'worldinfo1', 'engine', 'extra']);
        expect(names(prompt, 'user')).toEqual(['user_preset', 'worldinfo2', 'character_card', 'user_persona', 'story_summary', 'recent_turns', 'worldinfo3', 'text_recall', 'state_summary', 'user_input', 'instruction']);
        expect(text(prompt, 'user')).toMatch(/【思维模式要求】[^\n]*$/);
    });

    it('of the analysis are summaries, state, this turn, instruction; no worldbook, persona, card or preset', () => {
        const prompt = buildMergedAnalysisPrompt(sampleInput(everything));
        expect(names(prompt, 'system')).toEqual(['engine', 'anti_hallucination', 'extra']);
        expect(names(prompt, 'user')).toEqual(['story_summary', 'state_summary', 'user_input', 'narrative_text', 'instruction']);
        for (const foreign of ['worldinfo', '魔法', '旅人，来自', '预设', '卡', '石板路']) expect(text(prompt, 'user')).not.toContain(foreign);
        expect(names(buildMergedAnalysisPrompt(sampleInput({ antiHallucination: false })), 'system')).toEqual(['engine']);
    });
});

describe('empty sections', () => {
    const bare = sampleInput({
        planner: { worldinfo1: [], worldinfo2: [''], worldinfo3: ['  '] }, writer: { worldinfo1: [], worldinfo2: [], worldinfo3: [] },
        summaries: [], persona: ' ', turns: [], stateSummary: '', toolResults: ['', ' '], recalled: [],
    });
    it.each([['planning', buildPlanningPrompt], ['writing', buildWritingPrompt], ['merged writing', buildMergedWritingPrompt], ['analysis', buildMergedAnalysisPrompt]] as const)('leave no tags in %s', (_name, build) => {
        for (const layout of ['seed', 'shared'] as const) {
            const whole = text(build({ ...bare, layout }));
            const tags = [...whole.matchAll(/^<\/?(\w+)>$/gm)].map((match) => match[1]);
            expect(new Set(tags)).toEqual(new Set(build === buildMergedAnalysisPrompt ? ['user_input', 'narrative_text'] : ['user_input']));
        }
    });

    it('leave no tool binding, tool list or recall rules', () => {
        expect(names(buildWritingPrompt(bare), 'system')).toEqual(['engine']);
        expect(names(buildPlanningPrompt(bare), 'system')).toEqual(['engine']);
    });
});

describe('recent turns', () => {
    const recent = (input: Partial<PromptInput>) => buildWritingPrompt(sampleInput(input)).sections.find((section) => section.name === 'recent_turns')?.text;

    it('are lines of the seed\'s form, the opening first', () => {
        expect(recent({ turns: [turn(0, '', '雨。'), turn(1, '走', '停。')] })).toBe('<recent_turns>\n[轮0] AI: 雨。\n[轮1] 用户: 走 | AI: 停。\n</recent_turns>');
    });

    it('name the speakers of a group', () => {
        const two = { ...turn(1, '谁守夜？', '“我来。”', '阿甲'), replies: [...turn(1, '', '“我来。”', '阿甲').replies, ...turn(1, '', '阿乙打了个哈欠。', '阿乙').replies] };
        expect(recent({ turns: [two], speaker: '阿乙' })).toContain('[轮1] 用户: 谁守夜？ | 阿甲: “我来。” | 阿乙: 阿乙打了个哈欠。');
        expect(text(buildWritingPrompt(sampleInput({ turns: [two], speaker: '阿$&乙' })))).toContain('「阿$&乙」');
    });

    it('drop the opening with the first turns, and hidden ones always', () => {
        const many = Array.from({ length: 9 }, (_each, number) => turn(number, number === 0 ? '' : `问${number}`, `答${number}。`));
        expect(recent({ turns: many })?.match(/\[轮\d\]/g)).toEqual(['[轮6]', '[轮7]', '[轮8]']);
        const hidden = many.map((each) => (each.number === 3 ? { ...each, replies: each.replies.map((reply) => ({ ...reply, hidden: true })) } : each));
        expect(recent({ turns: hidden })?.match(/\[轮\d\]/g)).toEqual(['[轮0]', '[轮1]', '[轮2]', '[轮4]', '[轮5]', '[轮6]', '[轮7]', '[轮8]']);
    });
});

describe('merged writing', () => {
    it('sees what either audience sees, in one order', () => {
        const prompt = buildMergedWritingPrompt(sampleInput({ planner: { worldinfo1: ['a', 'p', 'b'], worldinfo2: [], worldinfo3: [] }, writer: { worldinfo1: ['a', 'b', 'w'], worldinfo2: [], worldinfo3: [] } }));
        expect(prompt.sections[0]?.text).toBe('<worldinfo1>\na\np\nb\nw\n</worldinfo1>');
    });
});

describe('the shared layout', () => {
    it('gives planner and writer one prefix up to the user\'s line', () => {
        const input = sampleInput({ ...everything, layout: 'shared' });
        const [planning, writing] = [text(buildPlanningPrompt(input)), text(buildWritingPrompt(input))];
        const shared = [...planning].findIndex((character, position) => character !== [...writing][position]);
        expect(planning.slice(0, shared)).toContain('</user_input>');
    });

    it('keeps what is one audience\'s alone out of the other\'s prompt', () => {
        const lore = (own: string) => ({ worldinfo1: ['共', own], worldinfo2: [], worldinfo3: [] });
        const input = sampleInput({ layout: 'shared', planner: lore('幕后'), writer: lore('台前') });
        expect(text(buildPlanningPrompt(input))).toContain('幕后');
        expect(text(buildPlanningPrompt(input))).not.toContain('台前');
        expect(text(buildWritingPrompt(input))).not.toContain('幕后');
    });

    it('summarises only what its window does not show', () => {
        expect(summariesOutside(['[第1轮] a', '[第2-4轮] b', '[第5轮] c', '无编号'], [4, 5, 6])).toEqual(['[第1轮] a', '[第2-4轮] b', '无编号']);
    });
});
