import { tagsOf, type Tag } from './tags';
import { reasoningNames } from './reasoning';

/** Variable blocks of MVU and the cards around it: never prose, and never closed by some models. */
const variableBlocks = new Set(['updatevariable', 'update', 'variableupdate', 'initvar', 'status_current_variable', 'status_current_variables', 'jsonpatch']);
const placeholders = new Set(['statusplaceholderimpl']);
/** Removed with what they hold. */
const removedBlocks = new Set([
    'summary', 'details', 'options', 'option', 'choices', 'choice', 'choose', 'branches', '选项',
    'html', 'head', 'body', 'script', 'style', 'svg', 'iframe', 'table', 'button', 'select', 'form', 'template', 'canvas', 'audio', 'video', 'object', 'noscript',
]);
const statusName = /status|panel|statebar|state_bar|^stats?$|^state$|^hud$|状态|面板|属性栏/;
const statusAttributes = /(?:class|id)\s*=\s*["'][^"']*(?:status|panel|hud|stat-|stats|状态)/i;
/** Markup whose text is kept. Block-level ones end a line. */
const blockMarkup = new Set(['p', 'div', 'section', 'article', 'blockquote', 'center', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'br', 'hr', 'pre']);
const inlineMarkup = new Set([
    'a', 'b', 'big', 'code', 'del', 'em', 'font', 'i', 'img', 'input', 'ins', 'kbd', 'label', 'mark', 'q', 's', 'small', 'span', 'strong',
    'strike', 'sub', 'sup', 'u', 'ruby', 'rt', 'rp', 'wbr', 'link', 'meta', 'main', 'header', 'footer', 'nav', 'tt', 'samp', 'var', 'cite', 'abbr', 'time',
]);
const wrappers = new Set(['context', 'content', '正文']);

/**
 * Prose without status blocks, HTML, code fences, variable blocks, `<summary>` and the named tool outputs (seed: 上下文路由
 * takes the narrative alone). Emphasis marks and line breaks stay. Cleaning twice changes nothing more.
 */
export function cleanProse(text: string, outputTags: readonly string[] = []): string {
    const outputs = new Set(outputTags.map((tag) => tag.toLowerCase()));
    let clean = text.replace(/\r\n?/g, '\n');
    for (let round = 0; round < 6; round += 1) {
        const next = tidy(withoutFences(withoutMarkup(clean.replace(/<!--[\s\S]*?-->/g, ''), outputs)));
        const done = next === clean || !/[<`~]/.test(next);
        clean = next;
        if (done) break;
    }
    return clean;
}

function isRemoved(tag: Tag, source: string, outputs: ReadonlySet<string>): boolean {
    if (variableBlocks.has(tag.name) || removedBlocks.has(tag.name) || reasoningNames.has(tag.name) || outputs.has(tag.name)) return true;
    if (statusName.test(tag.name)) return true;
    return (tag.name === 'div' || tag.name === 'section') && statusAttributes.test(source);
}

/** Whether a tag only shapes prose (HTML that is unwrapped, `<context>`), as opposed to a block of its own. */
export function isMarkup(name: string): boolean {
    return blockMarkup.has(name) || inlineMarkup.has(name) || wrappers.has(name);
}

/** Index of the tag that closes `tags[at]`, nested ones of its name matched; -1 without one. */
function closingOf(tags: Tag[], at: number): number {
    const name = tags[at]?.name;
    let depth = 0;
    for (let next = at; next < tags.length; next += 1) {
        const tag = tags[next];
        if (!tag || tag.name !== name) continue;
        if (tag.kind === 'open') depth += 1;
        if (tag.kind === 'close') depth -= 1;
        if (depth === 0) return next;
    }
    return -1;
}

function withoutMarkup(text: string, outputs: ReadonlySet<string>): string {
    const tags = tagsOf(text);
    if (tags.length === 0) return text;
    const unwrapped = new Set<number>();
    let out = '';
    let from = 0;
    for (let at = 0; at < tags.length; at += 1) {
        const tag = tags[at];
        if (!tag || tag.start < from) continue;
        const source = text.slice(tag.start, tag.end);
        const keep = () => {
            out += text.slice(from, tag.start);
            from = tag.end;
        };
        if (placeholders.has(tag.name)) keep();
        else if (isRemoved(tag, source, outputs)) {
            keep();
            if (tag.kind !== 'open') continue;
            const closing = tags[closingOf(tags, at)];
            if (closing) from = closing.end;
            else if (variableBlocks.has(tag.name)) from = text.length;
        } else if (blockMarkup.has(tag.name)) {
            keep();
            if (tag.kind !== 'open' || tag.name === 'br' || tag.name === 'hr') out += '\n';
        } else if (inlineMarkup.has(tag.name) || wrappers.has(tag.name) || unwrapped.has(at)) keep();
        else {
            // A tag nobody knows: with its partner it is markup, alone it may be something the story says.
            const closing = tag.kind === 'open' ? closingOf(tags, at) : -1;
            if (closing < 0) continue;
            unwrapped.add(closing);
            keep();
        }
    }
    return out + text.slice(from);
}

const fence = /^[ \t]*(```+|~~~+)[ \t]*([^\s`]*)[^\n`]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;
const proseLanguage = /^(?:|text|txt|plain|plaintext|markdown|md)$/i;

function withoutFences(text: string): string {
    if (!text.includes('```') && !text.includes('~~~')) return text;
    const closed = text.replace(fence, '');
    // A reply that is nothing but one fence of plain text is the story in the wrong wrapper.
    if (closed.trim() === '' && text.trim() !== '') {
        const bodies = [...text.matchAll(fence)].filter((match) => proseLanguage.test(match[2] ?? '') && !/^\s*[<{[]/.test(match[3] ?? ''));
        return bodies.map((match) => match[3] ?? '').join('\n');
    }
    // One that is never closed: code goes to the end, of anything else only the mark goes.
    return closed
        .replace(/^[ \t]*(?:```+|~~~+)[ \t]*(?:html?|xml|json|ya?ml|css|js|javascript|svg)\b[\s\S]*$/im, '')
        .replace(/^[ \t]*(?:```+|~~~+)[^\n`]*$/gm, '');
}

function tidy(text: string): string {
    return text
        .replace(/&nbsp;/gi, ' ')
        .replace(/[ \t]+$/gm, '')
        .replace(/\n{3,}/g, '\n\n')
        .trim();
}
