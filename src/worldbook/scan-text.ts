import type { ChatMessage } from '../ports';
import type { Turn } from '../text/turn';

/**
 * The seed's scan text (匹配文本构成: recent turns of the window and the state summary) with the user's new line in front, newest first. Pass the turns
 * of the larger of the two windows: planner and writer get one and the same selection.
 */
export function seedScanTexts(window: readonly Turn[], userInput: string, stateSummary: string): { texts: string[]; alwaysScanned: string[] } {
    const texts = [userInput];
    for (const turn of [...window].reverse()) {
        for (const reply of [...turn.replies].reverse()) texts.push(reply.narrative);
        texts.push(turn.user);
    }
    return { texts: texts.filter((text) => text.trim() !== ''), alwaysScanned: [stateSummary] };
}

/** The host's scan text for `scan: "sillytavern"`: visible messages, newest first, each with its speaker's name where the host is set so. */
export function hostScanTexts(messages: readonly ChatMessage[], includeNames: boolean): string[] {
    return messages.filter((message) => !message.isHidden).map((message) => (includeNames ? `${message.name}: ${message.text}` : message.text)).reverse();
}
