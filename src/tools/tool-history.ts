import { tagContents } from '../text/tags';

/**
 * What a tool wrote before, for itself alone (seed: output_tag / tag_lookback): the bodies of its tag in the last
 * `lookback` texts that have one, oldest first, trimmed. `texts` are the replies of the chat, newest last; a text without
 * the tag (or with an empty or unclosed one) is passed over and does not count.
 */
export function toolHistory(texts: readonly string[], tag: string, lookback: number): string[] {
    const bodies: string[] = [];
    for (let at = texts.length - 1; at >= 0 && bodies.length < lookback; at--) {
        const body = lastTagBody(texts[at] ?? '', tag);
        if (body !== null && body !== '') bodies.unshift(body);
    }
    return bodies;
}

/** The trimmed body of the last closed block of a tag; null where there is none. */
function lastTagBody(text: string, tag: string): string | null {
    return tagContents(text, tag).at(-1)?.replace(/\r\n/g, '\n').trim() ?? null;
}

/** Whether a text holds a closed block of the tag. */
export function hasTag(text: string, tag: string): boolean {
    return lastTagBody(text, tag) !== null;
}
