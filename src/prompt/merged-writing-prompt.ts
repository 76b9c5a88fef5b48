import { MERGED_WRITING_INSTRUCTION, MERGED_WRITING_SYSTEM_SUFFIX } from '../agents/merged-writing/prompt';
import { cardSection, extraSection, mergedCard, mergedEntries, personaSection, recallSection, recentSection, speakerSection, stateSection, summarySection, userInputSection } from './parts';
import type { BuiltPrompt, PromptInput } from './prompt-input';
import { builtPrompt, plain, tagged } from './section';
import { sharedMergedWritingPrompt } from './shared-layout';

/** The prompt of planning and writing in one (seed: 合并写作 Agent); the writing agent's window. */
export function buildMergedWritingPrompt(input: PromptInput): BuiltPrompt {
    if (input.layout === 'shared') return sharedMergedWritingPrompt(input);
    const entries = mergedEntries(input);
    return builtPrompt([
        plain('system', 'preset', input.preset.planningContext),
        tagged('system', 'worldinfo1', entries.worldinfo1),
        plain('system', 'engine', MERGED_WRITING_SYSTEM_SUFFIX[input.language]),
        extraSection(input, 'mergedWriting'),
        tagged('user', 'user_preset', input.preset.writingUserContext),
        tagged('user', 'worldinfo2', entries.worldinfo2),
        cardSection(mergedCard(input)),
        personaSection(input),
        summarySection(input),
        recentSection(input, input.windows.writing),
        tagged('user', 'worldinfo3', entries.worldinfo3),
        recallSection(input),
        stateSection(input),
        userInputSection(input),
        speakerSection(input),
        plain('user', 'instruction', MERGED_WRITING_INSTRUCTION[input.language]),
    ]);
}
