import type { Patch } from './patch';
import { breakUpdateCommands, findUpdateCommands } from './update-commands';

/** What MVU's status bars look for at the end of a message. */
export const statusPlaceholder = '<StatusPlaceHolderImpl/>';

/**
 * JSON in which no text holds a character that MVU, SillyTavern's macros or HTML could take for something of their own:
 * inside strings `<`, `>`, `{`, `_` and `.` are written as \uXXXX, so a value like `_.set('hp', 1);` or `{{user}}` stays a value.
 */
function inertJson(value: unknown): string {
    return JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (text) => text.replace(/[<>{_.]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

/** The update block MVU reads from a message; empty for no operation. Paths must be JSON pointers of the tree. */
export function buildUpdateBlock(patches: readonly Patch[]): string {
    if (patches.length === 0) return '';
    const lines = patches.map(({ op, path, value, from }) => inertJson({ op, path, ...(op === 'move' ? { from } : {}), ...(op === 'move' || op === 'remove' ? {} : { value: value ?? null }) }));
    return `<UpdateVariable>\n<JSONPatch>\n[\n${lines.join(',\n')}\n]\n</JSONPatch>\n</UpdateVariable>`;
}

/** The update blocks a text already has (MVU's second model appends its own), joined; '' where there is none. */
export function updateBlockOf(text: string): string {
    return [...text.matchAll(/<(update_?variable)\b[^>]*>[\s\S]*?<\/\1\s*>/gi)].map((match) => match[0]).join('\n\n');
}

/** The end of a message's text: the block (in an HTML comment when the reader should not see it) and MVU's placeholder. */
export function appendUpdateBlock(text: string, block: string, options: { show: boolean; placeholder: boolean }): string {
    const parts = [withoutUpdateBlocks(text).replaceAll(statusPlaceholder, '').trimEnd()];
    // A block of MVU's second model may reason in it (`10 --> 9`): that must not end the comment.
    if (block !== '') parts.push(options.show ? block : `<!--\n${block.replace(/--(!?)>/g, '--$1\\u003e')}\n-->`);
    if (options.placeholder) parts.push(statusPlaceholder);
    return parts.join('\n\n');
}

/** A finished message with one more block behind those it has; what it had at its end (MVU's placeholder) stays. */
export function appendToUpdateBlock(text: string, block: string, { show }: { show: boolean }): string {
    const blocks = [updateBlockOf(text), block].filter((each) => each !== '').join('\n\n');
    return appendUpdateBlock(text, blocks, { show, placeholder: text.includes(statusPlaceholder) });
}

const wholeBlocks = [
    /<!--\s*<(update_?variable|variable_?update)\b[^>]*>[\s\S]*?<\/\1\s*>\s*-->/gi,
    /<(update_?variable|variable_?update)\b[^>]*>[\s\S]*?<\/\1\s*>/gi,
    /<(json_?patch)\b[^>]*>[\s\S]*?<\/\1\s*>/gi,
];

/** The text without update blocks, as prompts and readers should see it. */
export function withoutUpdateBlocks(text: string): string {
    let rest = text;
    // Removing one may join the halves of another: until nothing changes.
    for (let before = ''; before !== rest;) {
        before = rest;
        for (const block of wholeBlocks) rest = rest.replace(block, '');
    }
    return rest === text ? text : rest.replace(/\n{3,}/g, '\n\n').trimEnd();
}

/** A narrative that executes nothing, and how many update commands and blocks the model had put into it. */
export interface DefusedNarrative {
    text: string;
    found: number;
}

/**
 * Takes the update commands a model invented out of its prose: whole blocks, commands on a line of their own, stray tags.
 * A command inside a sentence or a code fence stays legible but is broken (`_. set(`), so MVU does not run it.
 */
export function defuseUpdateCommands(narrative: string): DefusedNarrative {
    let found = 0;
    let text = withoutUpdateBlocks(narrative);
    if (text !== narrative) found += 1;
    text = text.replace(/<\/?\s*json_?patch\b[^>]*>/gi, () => {
        found += 1;
        return '';
    });
    const commands = findUpdateCommands(text);
    found += commands.length;
    for (const command of commands.reverse()) {
        const lineStart = text.lastIndexOf('\n', command.start - 1) + 1;
        const alone = text.slice(lineStart, command.start).trim() === '' && /^[ \t]*(\n|$)/.test(text.slice(command.end));
        const fenced = (text.slice(0, command.start).match(/^[ \t]*(```|~~~)/gm) ?? []).length % 2 === 1;
        if (alone && !fenced) text = text.slice(0, lineStart) + text.slice(command.end).replace(/^[ \t]*\n?/, '');
    }
    const broken = breakUpdateCommands(text);
    if (broken === narrative) return { text: narrative, found: 0 };
    return { text: broken.replace(/\n{3,}/g, '\n\n').trim(), found: Math.max(found, 1) };
}
