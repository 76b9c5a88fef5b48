import type { PromptLanguage } from '../prompt/prompt-input';
import { isContainer, isDescribed, isObject, type VariableTree } from './tree';

export interface FlattenCaps {
    /** Lines in all. */
    lines: number;
    /** Elements shown of one list. */
    items: number;
    /** UTF-16 units of one text value. */
    text: number;
    /** Levels; what is deeper is written as one JSON text. */
    depth: number;
}

interface Words {
    nothing: string;
    yes: string;
    no: string;
    colon: string;
    comma: string;
    listed: string;
    semicolon: string;
    items(count: number): string;
    variables(count: number): string;
}

const words: Record<PromptLanguage, Words> = {
    zh: { nothing: '无', yes: '是', no: '否', colon: '：', comma: '，', listed: '、', semicolon: '；', items: (count) => `…（共 ${count} 项）`, variables: (count) => `…（共 ${count} 项变量）` },
    en: { nothing: 'none', yes: 'yes', no: 'no', colon: ': ', comma: ', ', listed: ', ', semicolon: '; ', items: (count) => `… (${count} in all)`, variables: (count) => `… (${count} variables in all)` },
};

interface Style extends FlattenCaps {
    words: Words;
}

const defaultCaps: FlattenCaps = { lines: 400, items: 30, text: 300, depth: 12 };

function cut(text: string, limit: number): string {
    const line = text.replace(/\s*\n\s*/g, ' ').trim();
    return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

/** The tree without hidden (`$`) keys. */
export function withoutHidden(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(withoutHidden);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('$')).map(([key, child]) => [key, withoutHidden(child)]));
}

function scalar(value: unknown, caps: Style): string {
    if (value === null || value === undefined || value === '') return caps.words.nothing;
    if (typeof value === 'boolean') return value ? caps.words.yes : caps.words.no;
    return cut(typeof value === 'string' ? value : isContainer(value) ? JSON.stringify(withoutHidden(value)) : String(value), caps.text);
}

/** An element of a list in one line: `名称 认路，等级 2`. */
function inline(value: unknown, caps: Style): string {
    if (!isObject(value)) return scalar(value, caps);
    const fields = Object.entries(value).filter(([key]) => !key.startsWith('$')).map(([key, child]) => `${key} ${Array.isArray(child) && isDescribed(child) ? scalar(child[0], caps) : scalar(child, caps)}`);
    return fields.length === 0 ? caps.words.nothing : cut(fields.join(caps.words.comma), caps.text);
}

function list(values: readonly unknown[], caps: Style): string {
    const shown = values.slice(0, caps.items).map((value) => inline(value, caps));
    const rest = values.length - shown.length;
    const separator = values.some(isObject) ? caps.words.semicolon : caps.words.listed;
    return shown.join(separator) + (rest > 0 ? `${separator}${caps.words.items(values.length)}` : '');
}

/**
 * The variable tree as flat text for `<state_summary>` (seed: getMvuStateSummary): one line a leaf, `主角/生命值：100`, in the
 * tree's order. `$` keys are hidden, of a [value, description] pair the value is shown, lists stand on one line and are cut.
 */
export function flattenVariables(tree: VariableTree, caps: Partial<FlattenCaps> = {}, language: PromptLanguage = 'zh'): string {
    const limits: Style = { ...defaultCaps, ...caps, words: words[language] };
    const { colon, nothing } = limits.words;
    const lines: string[] = [];
    const walk = (value: unknown, path: string[]): void => {
        const name = path.join('/');
        if (Array.isArray(value)) lines.push(`${name}${colon}${value.length === 0 ? nothing : isDescribed(value) ? scalar(value[0], limits) : list(value, limits)}`);
        else if (isObject(value) && path.length < limits.depth) {
            const entries = Object.entries(value).filter(([key]) => !key.startsWith('$'));
            if (entries.length === 0 && path.length > 0) lines.push(`${name}${colon}${nothing}`);
            for (const [key, child] of entries) walk(child, [...path, key]);
        } else lines.push(`${name}${colon}${scalar(value, limits)}`);
    };
    walk(tree, []);
    if (lines.length <= limits.lines) return lines.join('\n');
    return [...lines.slice(0, limits.lines), limits.words.variables(lines.length)].join('\n');
}
