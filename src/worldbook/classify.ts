import type { Entry } from './entry';
import type { EntryKind } from './snapshot';

// Authors stack marks (`[变量][mvu_update]规则`), write them in any case, in full-width brackets, with spaces: a mark counts wherever it stands,
// because a rule that leaks into prose prompts is the worse mistake. `[变量更新规则]` and other brackets are only categories.
const toolMark = /[[【]\s*tool\s*[:：]/i;
const initMark = /[[【]\s*init[_\- ]?vars?\s*[\]】]/i;
const updateMark = /[[【]\s*mvu[_\- ]?update\s*[\]】]/i;
const uiMark = /[[【]\s*ui\s*[\]】]/i;
const toolType = /["']?\btype["']?\s*:\s*["'](?:llm|code)["']/;
const toolFunction = /["']?\bfunction["']?\s*:\s*\{/;

/**
 * What an entry is (seed: 世界书条目分类): by the mark in its comment, else by tool-shaped JSON content even where the comment was lost.
 * Whether it is switched on plays no part: a disabled [initvar] still initialises. `[mvu_plot]` is plain lore.
 */
export function classify(entry: Pick<Entry, 'comment' | 'content'>): EntryKind {
    const { comment } = entry;
    if (comment.includes('[') || comment.includes('【')) {
        if (toolMark.test(comment)) return 'tool';
        if (initMark.test(comment)) return 'initvar';
        if (updateMark.test(comment)) return 'mvu_update';
        if (uiMark.test(comment)) return 'ui';
    }
    return isToolContent(entry.content) ? 'tool' : 'lore';
}

/** `{"type": "llm" | "code", "function": {…}}`, fenced or written as a JavaScript literal too. */
function isToolContent(content: string): boolean {
    const text = content.startsWith('@@') ? content.replace(/^(?:@@.*(?:\n|$))+/, '') : content;
    let start = 0;
    while (start < text.length && text.charCodeAt(start) <= 32) start++;
    const first = text[start];
    if (first !== '{' && first !== '[' && first !== '`') return false;
    const body = text.slice(start, start + 100_000).replace(/^```[\w-]*\s*/, '');
    return /^(?:\[\s*)?\{/.test(body) && toolType.test(body) && toolFunction.test(body);
}
