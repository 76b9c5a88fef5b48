import { writingEngine } from './engine';
import { cardSection, extraSection, guideSection, personaSection, recallSection, recentSection, speakerSection, toolResultsSection, userInputSection } from './parts';
import type { BuiltPrompt, PromptInput } from './prompt-input';
import { builtPrompt, plain, tagged } from './section';
import { sharedWritingPrompt } from './shared-layout';

/**
 * The writing agent's prompt (seed: 写作 Agent, order table 2). The preset's user text carries the tag that the table gives
 * it; the seed's drawing shows the same text bare at the same place.
 */
export function buildWritingPrompt(input: PromptInput): BuiltPrompt {
    if (input.layout === 'shared') return sharedWritingPrompt(input);
    return builtPrompt([
        plain('system', 'preset', input.preset.writingSystemContext),
        tagged('system', 'worldinfo1', input.writer.worldinfo1),
        ...writingEngine(input),
        extraSection(input, 'writing'),
        tagged('user', 'user_preset', input.preset.writingUserContext),
        tagged('user', 'worldinfo2', input.writer.worldinfo2),
        cardSection(input.characterCard.writing),
        personaSection(input),
        recentSection(input, input.windows.writing),
        tagged('user', 'worldinfo3', input.writer.worldinfo3),
        recallSection(input),
        guideSection(input),
        toolResultsSection(input),
        userInputSection(input),
        speakerSection(input),
    ]);
}
