import { isMarkup } from './clean';
import { contextOf } from './narrative';
import { withoutReasoning } from './reasoning';
import { elementsOf, tagsOf, withoutTags } from './tags';

/** The parts of a finished message. */
export interface MessageParts {
    /** The prose as the model wrote it, formatting kept. */
    narrative: string;
    /** One summary line; none where the analysis gave none. */
    summary?: string | null;
    /** Outputs of post_pipeline tools, in declaration order. */
    outputs?: readonly string[];
    /** Variable block that goes last, hidden from readers by the host's regexes. */
    updateBlock?: string;
}

/** A message taken apart. */
export interface DisassembledMessage {
    /** Inside `<context>` as written, not cleaned; the whole text where there is no such block. */
    narrative: string;
    summary: string | null;
    /** Tool outputs and variable blocks, as one text. */
    rest: string;
    /** Prose that stands behind the last block: what a `continue` added. */
    continuation: string;
    tagged: boolean;
}

/**
 * A message in the seed's form: `<context>…</context>`, `<summary>…</summary>`, tool outputs, each an empty line apart.
 * Without a summary or outputs their places are simply not there.
 */
export function assembleMessage(parts: MessageParts): string {
    const blocks = [`<context>${unwrapNarrative(parts.narrative)}</context>`];
    const summary = parts.summary?.trim();
    if (summary) blocks.push(`<summary>${withoutTags(summary, (name) => name === 'summary' || name === 'context')}</summary>`);
    for (const block of [...(parts.outputs ?? []), parts.updateBlock ?? '']) if (block.trim() !== '') blocks.push(block.trim());
    return blocks.join('\n\n');
}

/**
 * What a model wrote as narrative, without the `<context>` and `<summary>` blocks it may have copied from earlier messages
 * and without its reasoning. Prose it wrote behind them stays; an introduction before them goes.
 */
export function unwrapNarrative(text: string): string {
    const spoken = withoutReasoning(text);
    const inner = contextOf(spoken);
    if (inner === null) return dropSummary(spoken).trim();
    const continuation = disassembleMessage(spoken).continuation.trim();
    const whole = [inner, continuation].filter((part) => part !== '').join('\n\n');
    return withoutTags(whole, (name) => name === 'context').trim();
}

/** Removes a `<summary>` block that does not belong to HTML's `<details>`. */
function dropSummary(text: string): string {
    const details = elementsOf(text, 'details');
    let out = '';
    let from = 0;
    for (const element of elementsOf(text, 'summary')) {
        if (!element.closed || details.some((each) => element.start > each.start && element.end < each.end)) continue;
        out += text.slice(from, element.start);
        from = element.end;
    }
    return out + text.slice(from);
}

/**
 * Takes a message apart. `outputs` are the tool outputs known to stand in it (their lengths are enough, in order, as the
 * turn record keeps them); without them every tagged block and fence behind the summary counts as output and only prose
 * behind the last of them as a continuation.
 */
export function disassembleMessage(text: string, outputs: readonly (string | number)[] = []): DisassembledMessage {
    const first = elementsOf(text, 'context')[0];
    const summaryBlock = first && elementsOf(text, 'summary').find((element) => element.closed && element.start >= first.innerStart && element.start >= (first.closed ? first.end : 0));
    // A continuation may bring its own `<context>`: only what stands before our summary is the narrative.
    const head = summaryBlock ? text.slice(0, summaryBlock.start) : text;
    const inner = contextOf(head);
    if (inner === null) return { narrative: text.trim(), summary: null, rest: '', continuation: '', tagged: false };
    const tail = summaryBlock ? text.slice(summaryBlock.end) : text.slice(contextEnd(head));
    const known = outputs.reduce<number>((sum, output) => sum + (typeof output === 'number' ? output : output.trim().length), 0);
    const lead = tail.length - tail.trimStart().length;
    const end = lastBlockEnd(tail, known > 0 ? lead + known + 2 * (outputs.length - 1) : 0);
    return {
        narrative: inner,
        summary: summaryBlock ? text.slice(summaryBlock.innerStart, summaryBlock.innerEnd).trim() : null,
        rest: tail.slice(0, end).trim(),
        continuation: withoutTags(tail.slice(end), (name) => name === 'context').trimEnd(),
        tagged: true,
    };
}

/** Where the last `<context>` block of a text ends. An unclosed one ends where a block of ours begins, else at the end. */
function contextEnd(text: string): number {
    const elements = elementsOf(text, 'context');
    const last = elements[elements.length - 1];
    if (last?.closed) return last.end;
    const pattern = last ? /<(?:summary|UpdateVariable)[\s>]/i : /<\/\s*context\s*>/i;
    const match = pattern.exec(text.slice(last?.innerStart ?? 0));
    if (!match) return text.length;
    return (last?.innerStart ?? 0) + match.index + (last ? 0 : match[0].length);
}

/** Where the last block (element, comment, self-closing tag, fence, `[…]` line) that starts at or after `from` ends; `from` without one. */
function lastBlockEnd(tail: string, from: number): number {
    let end = Math.min(from, tail.length);
    const tags = tagsOf(tail).filter((tag) => tag.start >= end && !isMarkup(tag.name));
    for (const tag of tags) {
        if (tag.kind === 'close' || tag.kind === 'empty' || tag.name === 'statusplaceholderimpl') end = Math.max(end, tag.end);
    }
    // The variable block stands in a comment: half of it must not be taken for prose.
    for (const match of tail.matchAll(/<!--[\s\S]*?-->/g)) {
        if (match.index >= from) end = Math.max(end, match.index + match[0].length);
    }
    for (const match of tail.matchAll(/^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?^[ \t]*\1[ \t]*$/gm)) {
        if (match.index >= from) end = Math.max(end, match.index + match[0].length);
    }
    return end;
}

/** The narrative of a message that was continued: the old prose and what was added, in one; formatting kept. */
export function joinContinuation(narrative: string, continuation: string): string {
    if (continuation === '') return narrative;
    const added = unwrapNarrative(continuation);
    // The host glues the new text on as the model gave it: a sentence that broke off goes on without a gap.
    const broken = !/[.!?。！？…”"」』）)*\n]\s*$/.test(narrative) && !/^\s*\n/.test(continuation);
    if (!broken) return `${narrative.trimEnd()}\n\n${added}`;
    return narrative.trimEnd() + (/^\s/.test(continuation) ? ' ' : '') + added;
}
