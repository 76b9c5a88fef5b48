import type { Config } from '../config';
import { turnNarrative, type Turn } from '../text/turn';
import type { DecideContext } from '../worldbook/context';
import type { StateBefore } from './chat-state';

/**
 * What keywords are looked for in. Seed: the recent turns of the window, the state summary, and the user's new line;
 * `sillytavern`: the chat's messages as the host scans them (newest first, with names where the host puts them).
 */
export function scanTexts(input: { config: Config; before: StateBefore; window: readonly Turn[]; stateSummary: string; includeNames: boolean }): Pick<DecideContext, 'texts' | 'alwaysScanned' | 'query'> {
    const { before, config } = input;
    const query = [before.userInput, before.fold.state.location].filter((text) => text !== '').join('\n');
    if (config.worldbook.scan === 'sillytavern') {
        const narratives = new Map(before.turns.flatMap((turn) => turn.replies.map((reply) => [reply.index, reply.narrative] as const)));
        const texts = before.view.messages
            .filter((message) => !message.isHidden)
            .map((message) => {
                const text = narratives.get(message.index) ?? message.text;
                return input.includeNames ? `${message.name}: ${text}` : text;
            });
        return { texts: texts.reverse(), alwaysScanned: [], query };
    }
    const texts = input.window.flatMap((turn) => [turn.user, turnNarrative(turn)]);
    // In a group the line already stands in the window once the first member has answered it.
    if (input.window.at(-1)?.user !== before.userInput) texts.push(before.userInput);
    return { texts: texts.filter((text) => text !== '').reverse(), alwaysScanned: [input.stateSummary], query };
}
