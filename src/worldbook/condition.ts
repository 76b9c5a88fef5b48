import type { GameState } from '../state/state';

/** What a condition can look at. */
export interface ConditionWorld {
    state: GameState;
    /** The MVU tree (`stat_data`), unchecked. */
    variables?: unknown;
}

type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=' | 'contains' | 'lacks';

interface Comparison {
    path: string[];
    negated: boolean;
    /** Null: the bare path, which holds when the value is there and not false, 0 or empty. */
    operator: Operator | null;
    value: string;
    source: string;
}

/** A parsed `@@when`: any of the alternatives, all of whose comparisons hold. */
export interface Condition {
    alternatives: Comparison[][];
    source: string;
}

const operators: [RegExp, Operator][] = [
    [/^(?:!=|！=|!＝|！＝|≠|<>|不等于|不是)/, '!='],
    [/^(?:>=|＞=|>＝|＞＝|≥|不少于|不低于|至少)/, '>='],
    [/^(?:<=|＜=|<＝|＜＝|≤|不多于|不高于|至多)/, '<='],
    [/^(?:={1,3}|＝{1,3}|等于|是(?=\s|\S))/, '='],
    [/^(?:>|＞|大于|超过)/, '>'],
    [/^(?:<|＜|小于|低于)/, '<'],
    [/^(?:不包含|不含|!~|lacks\b)/, 'lacks'],
    [/^(?:包含|含有|~|contains\b)/, 'contains'],
];

/**
 * Reads a state condition: `地点=北塔`, `物品.铜钥匙>=1`, `标记.门已开=true`, `时间>=22:00`, `任务.找回王冠=active`, any path of the MVU tree,
 * joined by `&&`/`且`/`,` and `||`/`或`, negated by `!`/`非`. Null when it cannot be read.
 */
export function parseCondition(source: string): Condition | null {
    const alternatives: Comparison[][] = [];
    for (const alternative of splitOutsideQuotes(source, /^(?:\|\||\s+(?:or|或者|或)\s+)/i, /^(?:或者|或)/)) {
        const comparisons: Comparison[] = [];
        for (const part of splitOutsideQuotes(alternative, /^(?:&&|\s+(?:and|并且|且)\s+|[,，;；])/i, /^(?:并且|且)/)) {
            const comparison = parseComparison(part.trim());
            if (comparison === null) return null;
            comparisons.push(comparison);
        }
        alternatives.push(comparisons);
    }
    return alternatives.length === 0 ? null : { alternatives, source };
}

/** `bareWord` separates only between two comparisons, so that a place called 或然镇 keeps its name. */
function splitOutsideQuotes(text: string, separator: RegExp, bareWord: RegExp): string[] {
    const parts: string[] = [];
    let part = '';
    let quote = '';
    for (let i = 0; i < text.length;) {
        const char = text[i] ?? '';
        if (quote !== '') {
            if (char === quote) quote = '';
        } else if (char === '"' || char === "'") {
            quote = char;
        } else {
            const rest = text.slice(i);
            const word = bareWord.exec(rest);
            const between = word !== null && /[=＝<>≥≤＞＜~]\s*\S+\s*$/.test(part) && /^[^,，;；]+[=＝<>＞＜≥≤]/.test(rest.slice(word[0].length));
            const found = separator.exec(rest) ?? (between ? word : null);
            if (found && found[0] !== '') {
                parts.push(part);
                part = '';
                i += found[0].length;
                continue;
            }
        }
        part += char;
        i++;
    }
    parts.push(part);
    return parts;
}

function parseComparison(text: string): Comparison | null {
    let rest = text;
    let negated = false;
    const not = /^(?:[!！]|非|not\s+|没有)\s*/i.exec(rest);
    if (not && !/^[!！][=＝~]/.test(rest)) {
        negated = true;
        rest = rest.slice(not[0].length);
    }
    if (/^[=＝<>＜＞≠≥≤~]/.test(rest)) return null;
    for (let i = 1; i < rest.length; i++) {
        // Word operators need a space before them, so that a name such as 是非 or 大于一切 can stand in a path.
        const here = rest.slice(i);
        if (!/^[!！=＝<>＜＞≠≥≤~]/.test(here) && !/\s/.test(rest[i - 1] ?? '')) continue;
        for (const [pattern, operator] of operators) {
            const found = pattern.exec(here);
            if (!found) continue;
            const path = parsePath(rest.slice(0, i));
            const value = unquote(here.slice(found[0].length).trim());
            return path === null || (value === '' && !/["']/.test(here)) ? null : { path, negated, operator, value, source: text };
        }
    }
    const path = parsePath(rest);
    return path === null ? null : { path, negated, operator: null, value: '', source: text };
}

function unquote(text: string): string {
    return /^(["'“]).*(["'”])$/s.test(text) ? text.slice(1, -1) : text;
}

function parsePath(text: string): string[] | null {
    const trimmed = text.trim().replace(/^\{\{|\}\}$/g, '');
    const segments = (trimmed.startsWith('/') ? trimmed.slice(1).split('/') : trimmed.replace(/\[["']?([^\]"']+)["']?\]/g, '.$1').split(/[.．]/)).map((part) => part.trim());
    return segments.length === 0 || segments.some((part) => part === '') ? null : segments;
}

/** Whether the condition holds now; if not, which comparison of the first alternative fails and what the value is. */
export function evaluateCondition(condition: Condition, world: ConditionWorld): { holds: true } | { holds: false; failed: string; actual: string } {
    let failure: { failed: string; actual: string } | null = null;
    for (const comparisons of condition.alternatives) {
        const failed = comparisons.find((comparison) => !holds(comparison, world));
        if (failed === undefined) return { holds: true };
        failure ??= { failed: failed.source, actual: show(lookUp(failed.path, world)) };
    }
    return { holds: false, failed: failure?.failed ?? condition.source, actual: failure?.actual ?? '' };
}

function show(value: unknown): string {
    if (value === undefined) return '—';
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '—').slice(0, 60);
}

function holds(comparison: Comparison, world: ConditionWorld): boolean {
    let actual = lookUp(comparison.path, world);
    // `时间>=第2天 08:00` compares the day too, `时间>=22:00` the clock alone.
    if (comparison.path.length === 1 && fields[(comparison.path[0] ?? '').toLowerCase()] === 'time' && /第|day/i.test(comparison.value)) {
        actual = `第${world.state.time.day}天 ${String(actual)}`;
    }
    return compare(actual, comparison) !== comparison.negated;
}

const truth: Record<string, boolean> = { true: true, false: false, 真: true, 假: false, 是: true, 否: false, yes: true, no: false };
const questWords: Record<string, string> = { 进行中: 'active', 已完成: 'completed', 完成: 'completed', 已失败: 'failed', 失败: 'failed' };

function compare(actual: unknown, { operator, value }: Comparison): boolean {
    if (operator === null) return Boolean(actual) && actual !== 'false';
    if (operator === 'contains' || operator === 'lacks') {
        const inside = Array.isArray(actual) ? actual.some((part) => String(part) === value)
            : actual !== null && typeof actual === 'object' ? Object.hasOwn(actual, value)
                : String(actual ?? '').includes(value);
        return inside === (operator === 'contains');
    }
    if (operator === '=' || operator === '!=') return isEqual(actual, value) === (operator === '=');
    const left = toNumber(actual);
    const right = toNumber(value);
    if (left === null || right === null) return false;
    if (operator === '>') return left > right;
    if (operator === '>=') return left >= right;
    return operator === '<' ? left < right : left <= right;
}

function isEqual(actual: unknown, value: string): boolean {
    const word = truth[value.toLowerCase()];
    if (word !== undefined && typeof actual !== 'string') return Boolean(actual) === word;
    if (typeof actual === 'number') return toNumber(value) === actual;
    if (actual === null || actual === undefined) return value === 'null' || value === '无';
    if (typeof actual === 'object') return false;
    return String(actual).trim() === value || String(actual) === questWords[value];
}

/** Numbers, and clock times as minutes. */
function toNumber(value: unknown): number | null {
    if (typeof value === 'number') return value;
    if (typeof value === 'boolean') return Number(value);
    if (typeof value !== 'string' || value.trim() === '') return null;
    const clock = /^(?:(?:第\s*(\d+)\s*[天日]|day\s*(\d+))\s*)?(\d{1,2})[:：](\d{2})$/i.exec(value.trim());
    if (clock) return (Number(clock[1] ?? clock[2] ?? 0) * 24 + Number(clock[3])) * 60 + Number(clock[4]);
    const number = Number(value.replace(/[，,%％]/g, ''));
    return Number.isFinite(number) ? number : null;
}

const fields: Record<string, keyof GameState> = {
    时间: 'time', time: 'time', 地点: 'location', 位置: 'location', location: 'location',
    物品: 'inventory', 背包: 'inventory', 道具: 'inventory', inventory: 'inventory', item: 'inventory', items: 'inventory',
    关系: 'relationships', 好感: 'relationships', 好感度: 'relationships', relationships: 'relationships', relationship: 'relationships',
    任务: 'quests', quests: 'quests', quest: 'quests', 标记: 'flags', flags: 'flags', flag: 'flags',
};
const clockParts: Record<string, 'day' | 'hour' | 'minute'> = { 天: 'day', 天数: 'day', 日: 'day', day: 'day', 小时: 'hour', 时: 'hour', hour: 'hour', 分钟: 'minute', 分: 'minute', minute: 'minute' };
const questParts: Record<string, 'status' | 'stage' | 'outcome'> = { 状态: 'status', status: 'status', 阶段: 'stage', stage: 'stage', 结果: 'outcome', outcome: 'outcome' };
const treeNames = new Set(['变量', 'variables', 'stat_data', 'mvu']);

function lookUp(path: string[], world: ConditionWorld): unknown {
    const head = (path[0] ?? '').toLowerCase();
    const name = path.slice(1).join('.');
    const { state } = world;
    const own = <T>(record: Record<string, T>): T | undefined => (Object.hasOwn(record, name) ? record[name] : undefined);
    if (path.length === 1 && clockParts[head] !== undefined && !inTree(path, world)) return state.time[clockParts[head]];
    const field = Object.hasOwn(fields, head) ? fields[head] : undefined;
    if (treeNames.has(head)) return walkTree(path.slice(1), world.variables);
    // A tree of the card's own may use a field's name (世界.时间 is reached by path, 时间 alone too when the state has no such part).
    if (field === undefined) return walkTree(path, world.variables);
    switch (field) {
        case 'location': return state.location;
        case 'time': {
            const { day, hour, minute } = state.time;
            const part = clockParts[name.toLowerCase()];
            return part === undefined ? `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}` : { day, hour, minute }[part];
        }
        case 'inventory': return name === '' ? state.inventory : own(state.inventory) ?? 0;
        case 'relationships': return name === '' ? state.relationships : own(state.relationships) ?? 0;
        case 'flags': return name === '' ? state.flags : own(state.flags) ?? walkTree(path.slice(1), state.flags);
        case 'quests': {
            const quest = own(state.quests) ?? (path.length > 2 && Object.hasOwn(state.quests, path.slice(1, -1).join('.')) ? state.quests[path.slice(1, -1).join('.')] : undefined);
            const part = questParts[(path[path.length - 1] ?? '').toLowerCase()];
            return quest === undefined ? undefined : quest[path.length > 2 && part !== undefined ? part : 'status'];
        }
        default: return undefined;
    }
}

function inTree(path: string[], world: ConditionWorld): boolean {
    return walkTree(path, world.variables) !== undefined;
}

function walkTree(path: string[], tree: unknown): unknown {
    let at: unknown = tree;
    for (const segment of path) {
        if (at === null || typeof at !== 'object' || !Object.hasOwn(at, segment)) return undefined;
        at = (at as Record<string, unknown>)[segment];
    }
    // MVU writes a variable with its description as [value, "description"].
    return Array.isArray(at) && at.length === 2 && typeof at[1] === 'string' && typeof at[0] !== 'object' ? at[0] : at;
}
