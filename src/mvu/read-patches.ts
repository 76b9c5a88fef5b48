import { notice, type Notice } from '../notice';
import { withoutReasoning } from '../text/reasoning';
import type { PatchResult } from '../turn-record';
import { parseLooseJson } from './loose-json';
import { countsDown, operationOf, type Patch } from './patch';
import { copyValue, isObject } from './tree';
import { findUpdateCommands, type UpdateCommand } from './update-commands';

/** What a model's answer asks for. `rejected` are operations that could not be understood; the others are not harmed by them. */
export type ReadPatches =
    | { ok: true; patches: Patch[]; rejected: PatchResult[] }
    | { ok: false; reason: Notice };

/** Number of a text like `+50`, `－5` or `12.5`; null for anything else. */
export function numberOf(value: unknown): number | null {
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value !== 'string') return null;
    const plain = value.trim().replace(/[０-９．＋－]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)).replace(/^[\u2212\u2013]/, '-');
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

function textOf(value: unknown): string | undefined {
    if (typeof value === 'string') return value;
    return Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number') ? `/${value.join('/')}` : undefined;
}

/** One operation as a model may write it: other names for op, path, value and from, any case. */
function readOne(raw: unknown): { patch: Patch } | { rejected: PatchResult } {
    if (!isObject(raw)) return { rejected: { op: '', path: '', ok: false, reason: notice('warning', 'mvu.patch-not-an-object') } };
    const fields = new Map(Object.entries(raw).map(([key, value]) => [key.trim().toLowerCase(), value]));
    const pick = (...names: string[]) => names.map((name) => fields.get(name)).find((value) => value !== undefined);
    const name = textOf(pick('op', 'operation', 'action', 'type')) ?? '';
    const op = operationOf(name);
    const to = textOf(pick('to', 'target'));
    let path = textOf(pick('path', 'key', 'pointer', 'field'));
    let from = textOf(pick('from', 'source'));
    const value = pick('value', 'new_value', 'newvalue', 'val', ...(op === 'delta' ? ['delta', 'amount', 'by'] : []));
    if (op === 'move') {
        if (from === undefined && to !== undefined) from = path;
        path = to ?? path;
    }
    const shown = { op: name, path: path ?? '', ...(value === undefined ? {} : { value: copyValue(value) }), ...(from === undefined ? {} : { from }) };
    if (op === null) return { rejected: { ...shown, ok: false, reason: notice('warning', 'mvu.unknown-operation', { op: name }) } };
    if (path === undefined) return { rejected: { ...shown, ok: false, reason: notice('warning', 'mvu.no-path', { op: name }) } };
    if (op === 'move' && from === undefined) return { rejected: { ...shown, ok: false, reason: notice('warning', 'mvu.no-from', { path }) } };
    if (op !== 'move' && op !== 'remove' && value === undefined) return { rejected: { ...shown, ok: false, reason: notice('warning', 'mvu.no-value', { op: name, path }) } };
    const amount = op === 'delta' && countsDown(name) ? numberOf(value) : null;
    const clean = amount === null ? shown.value : -Math.abs(amount);
    return { patch: { op, path, ...(op === 'move' || clean === undefined ? {} : { value: clean }), ...(op === 'move' ? { from } : {}) } };
}

/** The list of operations inside a parsed answer; null where there is none. */
function listOf(answer: unknown): unknown[] | null {
    if (Array.isArray(answer)) return answer.length === 1 && isObject(answer[0]) && listKey(answer[0]) ? listOf(answer[0]) : answer;
    if (!isObject(answer)) return null;
    const key = listKey(answer);
    if (key) {
        const list = answer[key];
        return Array.isArray(list) ? list : isObject(list) ? [list] : list === null ? [] : null;
    }
    if ('op' in answer || 'operation' in answer) return [answer];
    return Object.keys(answer).length === 0 ? [] : null;
}

function listKey(answer: Record<string, unknown>): string | undefined {
    return Object.keys(answer).find((key) => ['patches', 'patch', 'operations', 'ops', 'changes', 'updates', 'json_patch', 'jsonpatch'].includes(key.trim().toLowerCase()));
}

/** The answer without the model's reasoning and without the analysis that MVU's own update format begins with. */
function answerOf(text: string): string {
    const spoken = withoutReasoning(text.replace(/<(analysis|update_?analysis)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, ''), 'drop').trim();
    if (spoken !== '') return spoken;
    // A block that nobody closed, with the answer on lines of its own at the end: only the closing mark was forgotten.
    return /\n[ \t]*(?:```\w*\s*)?([{[][\s\S]*[}\]])[\s`]*$/.exec(text)?.[1] ?? '';
}

/** Every text that may be the answer's JSON, the most likely first: patch tags, fences (last first), then the longest brackets. */
function candidates(text: string): string[] {
    const found: string[] = [];
    for (const match of text.matchAll(/<(json_?patch)>([\s\S]*?)<\/\1>/gi)) found.push(match[2] ?? '');
    const fences = [...text.matchAll(/(`{3,})[^\n`]*\n([\s\S]*?)\n?\1/g)].map((match) => match[2] ?? '');
    found.push(...fences.reverse());
    // Of several answers the last one counts: drafts and examples come before it.
    const objects: string[] = [];
    let end = 0;
    for (const { index } of text.matchAll(/\{\s*["'“]?(?:patches|patch|operations|ops|changes|updates)["'”]?\s*[:：]\s*[[［]/gi)) {
        if (index < end) continue;
        objects.unshift(text.slice(index));
        end = index + balanced(text.slice(index)).length;
    }
    found.push(...objects);
    const list = text.search(/\[\s*\{/);
    if (list >= 0) found.push(text.slice(list));
    const single = text.search(/\{\s*["'“]?op\b/i);
    if (single >= 0) found.push(text.slice(single));
    const open = text.search(/[[{]/);
    if (open >= 0) found.push(text.slice(open));
    return found.flatMap((each) => [each, balanced(each)]).map((each) => each.replace(/^\s*`{3,}[^\n]*\n|`{3,}\s*$/g, '').trim()).filter((each) => each !== '');
}

/** Strings that hold JSON themselves: an answer serialised twice, the arguments of a tool call. */
function jsonTexts(text: string): string[] {
    return [...text.matchAll(/"(?:[^"\\]|\\.)*\\"(?:[^"\\]|\\.)*"/g)].flatMap((match) => {
        const value = parseLooseJson(match[0]);
        return typeof value === 'string' && /[{[]/.test(value) ? [value] : [];
    });
}

/** From the first bracket to the one that closes it; the whole rest where none does (a cut answer). */
function balanced(text: string): string {
    const start = text.search(/[[{]/);
    if (start < 0) return '';
    let depth = 0;
    let inText = false;
    for (let position = start; position < text.length; position += 1) {
        const character = text[position];
        if (inText) {
            if (character === '\\') position += 1;
            else if (character === '"') inText = false;
        } else if (character === '"') inText = true;
        else if (character === '[' || character === '{') depth += 1;
        else if (character === ']' || character === '}') {
            depth -= 1;
            if (depth === 0) return text.slice(start, position + 1);
        }
    }
    return text.slice(start);
}

/** An older command as an operation: `_.set('a.b', 1);`. */
function fromCommand(command: UpdateCommand): unknown {
    const bare = (text: string | undefined) => (text ?? '').trim().replace(/^[\\"'` ]+|[\\"'` ]+$/g, '');
    const value = (text: string | undefined): unknown => {
        if (text === undefined) return undefined;
        const parsed = parseLooseJson(text);
        return parsed === undefined ? bare(text) : parsed;
    };
    const { verb, args } = command;
    const path = bare(args[0]);
    if (verb === 'set') return { op: 'replace', path, value: value(args.at(-1)) };
    if (verb === 'add') return { op: 'delta', path, value: value(args[1]) };
    if (verb === 'insert' || verb === 'assign') {
        return args.length > 2 ? { op: 'insert', path: `${path}[${JSON.stringify(bare(args[1]))}]`, value: value(args[2]) } : { op: 'insert', path, value: value(args[1]) };
    }
    return { op: 'remove', path: args[1] === undefined ? path : `${path}[${JSON.stringify(bare(args[1]))}]` };
}

/** Understands an answer that is already parsed. */
export function patchesFrom(answer: unknown): ReadPatches {
    const list = listOf(answer);
    if (!list) return { ok: false, reason: notice('error', 'mvu.answer-unreadable') };
    const read = list.map(readOne);
    return {
        ok: true,
        patches: read.flatMap((each) => ('patch' in each ? [each.patch] : [])),
        rejected: read.flatMap((each) => ('rejected' in each ? [each.rejected] : [])),
    };
}

function looksLikePatches(list: unknown[]): boolean {
    return list.length === 0 || list.some((each) => isObject(each) && Object.keys(each).some((key) => /^(op|operation|path|action)$/i.test(key.trim())));
}

/** An answer that ends in the middle of an operation: what was made up to close it is not to be trusted. */
function withoutCutEnd(read: ReadPatches, text: string): ReadPatches {
    const last = read.ok ? read.patches.at(-1) : undefined;
    if (!read.ok || !last || /[}\]][\s,;`]*$/.test(text) || /[}\]]\s*[^\s"'{}[\]:]*$/.test(text)) return read;
    return { ok: true, patches: read.patches.slice(0, -1), rejected: [...read.rejected, { ...last, ok: false, reason: notice('warning', 'mvu.cut-off', { path: last.path }) }] };
}

/**
 * Reads the answer of mvu_extract (`depth`: how often it was found inside a string of itself): `{ "patches": [ … ] }`, a bare list, one operation, a `<JSONPatch>` block or `_.set()`
 * commands, with reasoning before it, fences around it, damaged or cut JSON. What the reasoning drafted is not read.
 */
export function readPatches(modelOutput: string, depth = 0): ReadPatches {
    const text = answerOf(modelOutput);
    if (text === '') return { ok: false, reason: notice('error', 'mvu.answer-empty') };
    for (const candidate of candidates(text)) {
        const list = listOf(parseLooseJson(candidate));
        if (list && looksLikePatches(list)) return withoutCutEnd(patchesFrom(list), candidate);
    }
    const inside = depth < 3 ? jsonTexts(text).map((each) => readPatches(each, depth + 1)).find((each) => each.ok) : undefined;
    if (inside) return inside;
    const commands = findUpdateCommands(text);
    if (commands.length > 0) return patchesFrom(commands.map(fromCommand));
    return { ok: false, reason: notice('error', 'mvu.answer-unreadable') };
}

/** The operations an author's text carries: `<JSONPatch>` blocks and commands, in this order. For greetings. */
export function patchesIn(text: string): Patch[] {
    const blocks = [...text.matchAll(/<(json_?patch)>([\s\S]*?)<\/\1>/gi)].map((match) => patchesFrom(parseLooseJson((match[2] ?? '').replace(/^\s*`{3,}[^\n]*\n|`{3,}\s*$/g, '').trim())));
    const commands = patchesFrom(findUpdateCommands(text).map(fromCommand));
    return [...blocks, commands].flatMap((each) => (each.ok ? each.patches : []));
}
