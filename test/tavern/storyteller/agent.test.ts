import { describe, expect, it } from 'vitest';
import { condensePrompt } from '../../../src/agents/condense/prompt';
import { relayPrompt } from '../../../src/agents/relay/prompt';
import { buildMergedAnalysisPrompt } from '../../../src/prompt/merged-analysis-prompt';
import { buildMergedWritingPrompt } from '../../../src/prompt/merged-writing-prompt';
import { buildPlanningPrompt } from '../../../src/prompt/planning-prompt';
import type { PromptInput } from '../../../src/prompt/prompt-input';
import { buildWritingPrompt } from '../../../src/prompt/writing-prompt';
import { recogniseAgent } from './agent';
import { chatRequestSchema } from './request';

const none = { worldinfo1: [], worldinfo2: [], worldinfo3: [] };
const guide = { narrative_direction: '开门', scene_setting: '夜', key_points: ['门'], tone: '紧张', pacing: '中', continuity_notes: [], tool_calls: [], text_recall: [] };
const inputs = (['zh', 'en'] as const).flatMap((language) => (['seed', 'shared'] as const).map((layout): PromptInput => ({
    language, layout, preset: { planningContext: '', writingSystemContext: '', writingUserContext: '' }, planner: none, writer: none,
    summaries: ['[第1轮] 用户意图：开门 | 叙事要点：门没有开'], persona: '抄书人', characterCard: { planning: '', writing: '' }, turns: [],
    windows: { planning: { n: 4, m: 4 }, writing: { n: 3, m: 4 } }, stateSummary: '时间：第1天 00:00', userInput: '敲门', guide: null, toolResults: [],
    toolListText: 'roll_dice', textRecallEnabled: true, recalled: [], narrative: '门没有开。', turnNumber: 2, antiHallucination: true, extraInstructions: {},
})));

/** The storyteller and the scripts know the extension's own prompts, in every language and layout. */
describe.each(inputs.map((input) => [`${input.language}, ${input.layout}`, input] as const))('%s', (_name, input) => {
    it.each([
        ['planning', buildPlanningPrompt(input)],
        ['writing', buildWritingPrompt({ ...input, guide })],
        ['mergedWriting', buildMergedWritingPrompt(input)],
        ['mergedAnalysis', buildMergedAnalysisPrompt(input)],
        ['relay', { messages: relayPrompt(input.language) }],
        ['condense', { messages: condensePrompt(input.summaries, 200, input.language) }],
    ] as const)('knows %s', (agent, prompt) => {
        expect(recogniseAgent(chatRequestSchema.parse({ messages: prompt.messages }))).toBe(agent);
    });
});
