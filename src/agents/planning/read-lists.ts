/** A tool call as the guide holds it. */
export interface ToolCall {
    tool: string;
    params: Record<string, unknown>;
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(value: unknown): unknown {
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
    try {
        return JSON.parse(value);
    } catch (error) {
        if (error instanceof SyntaxError) return value;
        throw error;
    }
}

const nameKeys = ['tool', 'name', 'tool_name', 'toolName', '工具', '工具名'];
const paramKeys = ['params', 'arguments', 'parameters', 'args', 'input', '参数'];

function readCall(raw: unknown): ToolCall[] {
    const value = parsed(raw);
    if (typeof value === 'string') return isNothing(value) ? [] : [{ tool: value.trim().replace(/\s*\(\s*\)$/, ''), params: {} }];
    if (!isObject(value)) return [];
    // OpenAI's own form: { "type": "function", "function": { "name", "arguments" } }.
    if (isObject(value.function)) return readCall(value.function);
    const nameKey = nameKeys.find((key) => typeof value[key] === 'string') ?? (typeof value.function === 'string' ? 'function' : undefined);
    if (nameKey !== undefined) {
        const paramKey = paramKeys.find((key) => key in value);
        const given = paramKey === undefined ? undefined : parsed(value[paramKey]);
        const beside = Object.entries(value).filter(([key]) => key !== nameKey && !(key === 'id' || (key === 'type' && ['function', 'tool', 'tool_use', 'tool_call'].includes(String(value[key])))));
        const params = isObject(given) ? given : paramKey === undefined ? Object.fromEntries(beside) : {};
        const tool = String(value[nameKey]).trim();
        return isNothing(tool) ? [] : [{ tool, params: givenValues(params) }];
    }
    // { "roll_dice": { "expr": … } }: the name is the key.
    return Object.entries(value).flatMap(([tool, params]) => {
        const inner = parsed(params);
        return isObject(inner) ? [{ tool, params: givenValues(inner) }] : [];
    });
}

/** Strict structured output writes null for what was left out. */
function givenValues(params: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}

function isNothing(text: string): boolean {
    return /^\s*(?:|无|没有|不需要|none|null|n\/a|nothing)\s*$/i.test(text);
}

/** Tool calls in any of the forms models know; what is no call is left out. */
export function readToolCalls(value: unknown): ToolCall[] {
    const list = parsed(value);
    return (Array.isArray(list) ? list : [list]).flatMap(readCall);
}

/** Turn numbers from `[1, 3]`, `"1,3"`, `["第3轮"]`, `{"turn": 3}`, `"2-4"`; each once, in order of naming. */
export function readTurnNumbers(value: unknown): number[] {
    const list = parsed(value);
    const numbers: number[] = [];
    for (const item of Array.isArray(list) ? list : [list]) {
        const inner = isObject(item) ? (item.turn ?? item.轮次 ?? item.round ?? item.index) : item;
        if (typeof inner === 'number') numbers.push(inner);
        if (typeof inner !== 'string') continue;
        const text = inner.normalize('NFKC').replace(/(\d+)\s*[-–~至到]\s*(?:第\s*)?(\d+)/g, (_match, from: string, to: string) => {
            const span = Array.from({ length: Math.max(0, Math.min(20, Number(to) - Number(from) + 1)) }, (_each, offset) => Number(from) + offset);
            return span.join(',');
        });
        numbers.push(...(text.match(/\d+/g) ?? []).map(Number));
    }
    return [...new Set(numbers)].filter((number) => Number.isInteger(number) && number >= 0);
}
