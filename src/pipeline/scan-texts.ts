import type { Config } from '../config';
import type { Turn } from '../text/turn';
import type { DecideContext } from '../worldbook/context';
import { hostScanTexts, seedScanTexts } from '../worldbook/scan-text';
import type { StateBefore } from './chat-state';

/**
 * What keywords are looked for in. Seed: the recent turns of the window, the state summary, and the user's new line;
 * `sillytavern`: the chat's messages as the host scans them (newest first, with names where the host puts them).
 */
export function scanTexts(input: { config: Config; before: StateBefore; window: readonly Turn[]; stateSummary: string; includeNames: boolean }): Pick<DecideContext, 'texts' | 'alwaysScanned' | 'query'> {
    const { before, config, window } = input;
    const query = [before.userInput, before.fold.state.location].filter((text) => text !== '').join('\n');
    if (config.worldbook.scan === 'sillytavern') {
        // Our own replies are scanned as prose: their summaries and panels are no part of the story's text.
        const narratives = new Map(before.turns.flatMap((turn) => turn.replies.map((reply) => [reply.index, reply.narrative] as const)));
        const messages = before.view.messages.map((message) => ({ ...message, text: narratives.get(message.index) ?? message.text }));
        return { texts: hostScanTexts(messages, input.includeNames), alwaysScanned: [], query };
    }
    // In a group the line already stands in the window once the first member has answered it.
    const answered = window.at(-1)?.user === before.userInput;
    return { ...seedScanTexts(window, answered ? '' : before.userInput, input.stateSummary), query };
}
