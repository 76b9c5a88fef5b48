import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildMergedAnalysisPrompt } from '../../src/prompt/merged-analysis-prompt';
import { buildMergedWritingPrompt } from '../../src/prompt/merged-writing-prompt';
import { buildPlanningPrompt } from '../../src/prompt/planning-prompt';
import type { BuiltPrompt, PromptInput } from '../../src/prompt/prompt-input';
import { buildWritingPrompt } from '../../src/prompt/writing-prompt';
import { planned, sampleInput, splitPresetContext } from './sample-input';

/** Whole prompts, as sent. After a change that is meant: `UPDATE_GOLDEN=1 npx vitest run test/prompt`. */
const folder = `${import.meta.dirname}/golden/`;
const update = process.env.UPDATE_GOLDEN === '1';

function shown(prompt: BuiltPrompt): string {
    return `${prompt.messages.map((message) => `===== ${message.role} =====\n${message.content}`).join('\n')}\n`;
}

function compare(name: string, prompt: BuiltPrompt): void {
    const file = `${folder}${name}.txt`;
    if (update) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, shown(prompt));
    }
    expect(existsSync(file), `${name}.txt is missing`).toBe(true);
    expect(shown(prompt)).toBe(readFileSync(file, 'utf8'));
}

const split: Partial<PromptInput> = { preset: splitPresetContext };
const tools: Partial<PromptInput> = { toolListText: '【可用工具】\n- roll_dice：掷骰检定。参数：{"expr": string, "mode": string, "dc": number}' };
const agents = { planning: buildPlanningPrompt, writing: buildWritingPrompt, 'merged-writing': buildMergedWritingPrompt, 'merged-analysis': buildMergedAnalysisPrompt };

const prompts: [name: string, agent: keyof typeof agents, input: Partial<PromptInput>][] = [
    ['planning-none', 'planning', {}],
    ['planning-split', 'planning', split],
    ['planning-none-tools', 'planning', tools],
    ['planning-split-tools-recall', 'planning', { ...split, ...tools, textRecallEnabled: true }],
    ['planning-none-en', 'planning', { language: 'en', textRecallEnabled: true, ...tools }],
    ['writing-none', 'writing', { guide: planned.guide ?? null }],
    ['writing-split', 'writing', { guide: planned.guide ?? null, ...split }],
    ['writing-none-tools-recall', 'writing', planned],
    ['writing-split-tools-recall', 'writing', { ...planned, ...split }],
    ['writing-none-en', 'writing', { ...planned, language: 'en' }],
    ['merged-writing-none', 'merged-writing', {}],
    ['merged-writing-split', 'merged-writing', split],
    ['merged-writing-none-recall', 'merged-writing', { recalled: planned.recalled ?? [] }],
    ['merged-writing-none-en', 'merged-writing', { language: 'en' }],
    ['merged-analysis-none', 'merged-analysis', {}],
    ['merged-analysis-split', 'merged-analysis', { ...split, ...planned }],
    ['merged-analysis-greeting', 'merged-analysis', { turnNumber: 0, userInput: '', summaries: [], turns: [] }],
    ['merged-analysis-none-en', 'merged-analysis', { language: 'en' }],
    ['planning-shared', 'planning', { layout: 'shared', ...split, ...tools }],
    ['writing-shared', 'writing', { layout: 'shared', ...split, ...planned }],
    ['merged-writing-shared', 'merged-writing', { layout: 'shared', ...split }],
];

describe('whole prompts', () => {
    it.each(prompts)('%s', (name, agent, input) => {
        compare(name, agents[agent](sampleInput(input)));
    });

    it('of the analysis does not differ by preset, tools, recall or layout', () => {
        const plain = buildMergedAnalysisPrompt(sampleInput());
        expect(buildMergedAnalysisPrompt(sampleInput({ ...split, ...planned, ...tools, layout: 'shared', textRecallEnabled: true }))).toEqual(plain);
    });
});
