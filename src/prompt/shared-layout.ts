import { MERGED_WRITING_STEPS, MERGED_WRITING_SYSTEM_SUFFIX } from '../agents/merged-writing/prompt';
import { PLANNING_INSTRUCTION } from '../agents/planning/prompt';
import { SHARED_MERGED_TASK } from '../agents/shared-engine';
import { sharedEngine, sharedPlanningTask, sharedWritingTask } from './engine';
import { cardSection, extraSection, guideSection, mergedCard, mergedEntries, personaSection, recallSection, speakerSection, stateSection, toolResultsSection, userInputSection } from './parts';
import type { BuiltPrompt, PromptInput, RoutedEntries } from './prompt-input';
import { isNamed, recentTurns, recentTurnsText, writerWindow } from './recent-turns';
import { builtPrompt, plain, tagged, type MaybeSection } from './section';

/**
 * The layout for the prompt cache (not the seed's): every agent that tells the story begins with the same text, to the
 * letter: preset, lore for both, the engine's principles, persona, the summaries of the turns that left the window, the window. Between two moves of
 * the window it only grows. What is this turn's or one agent's alone comes after it, so the writing call reuses what the
 * planning call has just paid for. The price: the writer sees those old summaries, which the seed keeps from it.
 */
interface SharedPrefix {
    sections: MaybeSection[];
    /** What of the lore is one audience's alone, or this turn's. */
    rest: (audience: 'planner' | 'writer' | 'both') => MaybeSection[];
}

function sharedPrefix(input: PromptInput, engine: MaybeSection[], window: { n: number; m: number }): SharedPrefix {
    const { planner, writer, language } = input;
    const shown = recentTurns(input.turns, window);
    const common = (section: keyof RoutedEntries) => planner[section].filter((entry) => writer[section].includes(entry));
    const card = input.characterCard.planning === input.characterCard.writing ? input.characterCard.writing : '';
    const merged = mergedEntries(input);
    const own = (section: keyof RoutedEntries, audience: 'planner' | 'writer' | 'both') => {
        const all = audience === 'both' ? merged[section] : audience === 'planner' ? planner[section] : writer[section];
        const shared = new Set(common(section));
        return all.filter((entry) => !shared.has(entry));
    };
    return {
        sections: [
            plain('system', 'preset', input.preset.planningContext),
            tagged('system', 'worldinfo1', common('worldinfo1')),
            ...engine,
            tagged('user', 'worldinfo2', common('worldinfo2')),
            cardSection(card),
            personaSection(input),
            tagged('user', 'story_summary', summariesOutside(input.summaries, shown.map((turn) => turn.number))),
            tagged('user', 'recent_turns', recentTurnsText(shown, language, isNamed(input.turns, input.speaker))),
            tagged('user', 'worldinfo3', common('worldinfo3')),
            userInputSection(input),
        ],
        rest: (audience) => [
            tagged('user', 'worldinfo1', own('worldinfo1', audience)),
            tagged('user', 'worldinfo2', own('worldinfo2', audience)),
            tagged('user', 'worldinfo3', own('worldinfo3', audience)),
            card !== '' ? null : cardSection(audience === 'planner' ? input.characterCard.planning : audience === 'writer' ? input.characterCard.writing : mergedCard(input)),
        ],
    };
}

/** The summary lines that tell of a turn the window does not show. Lines without a number are kept. */
export function summariesOutside(summaries: readonly string[], shown: readonly number[]): string[] {
    const seen = new Set(shown);
    return summaries.filter((line) => {
        const match = /^\[第(\d+)(?:-(\d+))?轮\]/.exec(line);
        if (!match) return true;
        for (let turn = Number(match[1]); turn <= Number(match[2] ?? match[1]); turn += 1) if (!seen.has(turn)) return true;
        return false;
    });
}

export function sharedPlanningPrompt(input: PromptInput): BuiltPrompt {
    const prefix = sharedPrefix(input, sharedEngine(input), writerWindow(input.windows, 'shared', 'planning'));
    return builtPrompt([
        ...prefix.sections,
        ...prefix.rest('planner'),
        stateSection(input),
        sharedPlanningTask(input),
        extraSection(input, 'planning', 'user'),
        speakerSection(input),
        plain('user', 'instruction', PLANNING_INSTRUCTION[input.language]),
    ]);
}

export function sharedWritingPrompt(input: PromptInput): BuiltPrompt {
    const prefix = sharedPrefix(input, sharedEngine(input), writerWindow(input.windows, 'shared', 'planning'));
    return builtPrompt([
        ...prefix.sections,
        ...prefix.rest('writer'),
        tagged('user', 'user_preset', input.preset.writingUserContext),
        recallSection(input),
        guideSection(input),
        toolResultsSection(input),
        ...sharedWritingTask(input),
        extraSection(input, 'writing', 'user'),
        speakerSection(input),
    ]);
}

export function sharedMergedWritingPrompt(input: PromptInput): BuiltPrompt {
    const prefix = sharedPrefix(input, [plain('system', 'engine', `${MERGED_WRITING_SYSTEM_SUFFIX[input.language]}\n\n${MERGED_WRITING_STEPS[input.language]}`)], writerWindow(input.windows, 'shared', 'merged'));
    return builtPrompt([
        ...prefix.sections,
        ...prefix.rest('both'),
        tagged('user', 'user_preset', input.preset.writingUserContext),
        recallSection(input),
        stateSection(input),
        extraSection(input, 'mergedWriting', 'user'),
        speakerSection(input),
        plain('user', 'instruction', SHARED_MERGED_TASK[input.language]),
    ]);
}
