import { buildMergedAnalysisPrompt } from '../../../src/prompt/merged-analysis-prompt';
import { buildMergedWritingPrompt } from '../../../src/prompt/merged-writing-prompt';
import { buildPlanningPrompt } from '../../../src/prompt/planning-prompt';
import type { BuiltPrompt, PromptInput } from '../../../src/prompt/prompt-input';
import { buildWritingPrompt } from '../../../src/prompt/writing-prompt';
import { storyInput, type StorySize } from './story';

export type Mode = 'planning' | 'merged';
export type Tokenizer = (text: string) => number[];

/** Tokens of all calls of one agent over the replay. */
export interface Cost {
    prompt: number;
    uncached: number;
}

/** How many leading tokens two prompts share. */
function sharedPrefix(one: readonly number[], other: readonly number[]): number {
    let length = 0;
    while (length < one.length && one[length] === other[length]) length += 1;
    return length;
}

function callsOf(turn: number, layout: PromptInput['layout'], mode: Mode, size: StorySize): [agent: string, prompt: BuiltPrompt][] {
    const input = storyInput(turn, layout, size, mode === 'planning');
    const analysis: [string, BuiltPrompt] = ['mergedAnalysis', buildMergedAnalysisPrompt(input)];
    return mode === 'merged'
        ? [['mergedWriting', buildMergedWritingPrompt(input)], analysis]
        : [['planning', buildPlanningPrompt(input)], ['writing', buildWritingPrompt(input)], analysis];
}

/** Plays a story through and counts, per agent and in all, the tokens that no earlier prompt of any agent begins with. */
export function replay(layout: PromptInput['layout'], mode: Mode, size: StorySize, encode: Tokenizer): Record<string, Cost> {
    const earlier: number[][] = [];
    const costs: Record<string, Cost> = { all: { prompt: 0, uncached: 0 } };
    for (let turn = 1; turn <= size.turns; turn += 1) {
        for (const [agent, prompt] of callsOf(turn, layout, mode, size)) {
            const tokens = prompt.messages.flatMap((message) => encode(`<|${message.role}|>\n${message.content}\n`));
            const cached = Math.max(0, ...earlier.map((each) => sharedPrefix(tokens, each)));
            earlier.push(tokens);
            for (const name of [agent, 'all']) {
                const cost = (costs[name] ??= { prompt: 0, uncached: 0 });
                cost.prompt += tokens.length;
                cost.uncached += tokens.length - cached;
            }
        }
    }
    return costs;
}
