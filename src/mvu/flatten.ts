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

function scalar(value: unknown, caps: FlattenCaps): string {
    if (value === null || value === undefined || value === '') return '无';
    if (value === true) return '是';
    if (value === false) return '否';
    return cut(typeof value === 'string' ? value : isContainer(value) ? JSON.stringify(withoutHidden(value)) : String(value), caps.text);
}

/** An element of a list in one line: `名称 认路，等级 2`. */
function inline(value: unknown, caps: FlattenCaps): string {
    if (!isObject(value)) return scalar(value, caps);
    const fields = Object.entries(value).filter(([key]) => !key.startsWith('$')).map(([key, child]) => `${key} ${Array.isArray(child) && isDescribed(child) ? scalar(child[0], caps) : scalar(child, caps)}`);
    return fields.length === 0 ? '无' : cut(fields.join('，'), caps.text);
}

function list(values: readonly unknown[], caps: FlattenCaps): string {
    const shown = values.slice(0, caps.items).map((value) => inline(value, caps));
    const rest = values.length - shown.length;
    const separator = values.some(isObject) ? '；' : '、';
    return shown.join(separator) + (rest > 0 ? `${separator}…（共 ${values.length} 项）` : '');
}

/**
 * The variable tree as flat text for `<state_summary>` (seed: getMvuStateSummary): one line a leaf, `主角/生命值：100`, in the
 * tree's order. `$` keys are hidden, of a [value, description] pair the value is shown, lists stand on one line and are cut.
 */
export function flattenVariables(tree: VariableTree, caps: Partial<FlattenCaps> = {}): string {
    const limits = { ...defaultCaps, ...caps };
    const lines: string[] = [];
    const walk = (value: unknown, path: string[]): void => {
        const name = path.join('/');
        if (Array.isArray(value)) lines.push(`${name}：${value.length === 0 ? '无' : isDescribed(value) ? scalar(value[0], limits) : list(value, limits)}`);
        else if (isObject(value) && path.length < limits.depth) {
            const entries = Object.entries(value).filter(([key]) => !key.startsWith('$'));
            if (entries.length === 0 && path.length > 0) lines.push(`${name}：无`);
            for (const [key, child] of entries) walk(child, [...path, key]);
        } else lines.push(`${name}：${scalar(value, limits)}`);
    };
    walk(tree, []);
    if (lines.length <= limits.lines) return lines.join('\n');
    return [...lines.slice(0, limits.lines), `…（共 ${lines.length} 项变量）`].join('\n');
}
