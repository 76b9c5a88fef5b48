import { limits } from './limits';
import { reason } from './reason';
import type { Reason } from './reason';
import { isSafeName } from './safe-value';
import { writtenNumber } from './written-number';

/** The names under which a parameter is also found, most specific first. */
const aliases = {
    location: ['location', 'place', 'destination', 'to', '地点', '位置'],
    item: ['item', 'item_name', 'itemName', 'name', '物品', '物品名'],
    quantity: ['quantity', 'count', 'qty', 'amount', '数量'],
    npc: ['npc', 'npc_name', 'npcName', 'character', 'name', 'target', '角色', '人物'],
    value: ['value', '值', '数值'],
    delta: ['delta', 'change', 'amount', '变化', '变化量'],
    quest_id: ['quest_id', 'questId', 'quest', 'quest_name', 'questName', 'id', 'name', 'title', '任务', '任务名'],
    stage: ['stage', 'step', 'progress', '阶段', '进度'],
    outcome: ['outcome', 'result', '结果', '结局'],
    status: ['status', '状态'],
    flag: ['flag', 'key', 'flag_name', 'flagName', 'name', '标记'],
    amount: ['amount', 'duration', '数量', '时长'],
    unit: ['unit', 'units', '单位'],
    minutes: ['minutes', '分钟'],
    hours: ['hours', '小时'],
    days: ['days', '天'],
    day: ['day'], hour: ['hour'], minute: ['minute'],
    field: ['field'], name: ['name'],
} as const;
export type ParameterName = keyof typeof aliases;

/** Reads the parameters of one event; the first fault is kept, and reads after a fault give harmless values. */
export interface ParameterReader {
    fault(): Reason | null;
    fail(fault: Reason): void;
    /** The value as written, undefined where there is none or it is null. */
    raw(name: ParameterName): unknown;
    /** Whether the parameter is there, be it null. */
    given(name: ParameterName): boolean;
    /** A name that becomes a key of the state: required, one line, within the limit. */
    name(name: ParameterName, limit?: number): string;
    /** An optional text, undefined when absent or empty. */
    note(name: ParameterName): string | undefined;
    /** A whole number; `missing` where the parameter is absent. */
    whole(name: ParameterName, range: { least: number; most: number; missing?: number; noun?: string }): number;
}

const controlCharacter = /[\u0000-\u001f\u007f\u2028\u2029]/;

/** See ParameterReader. */
export function readParameters(params: Record<string, unknown>): ParameterReader {
    let first: Reason | null = null;
    const fail = (fault: Reason): void => {
        first ??= fault;
    };
    const raw = (name: ParameterName): unknown => {
        const found = aliases[name].find((alias) => Object.hasOwn(params, alias) && params[alias] !== undefined && params[alias] !== null);
        return found === undefined ? undefined : params[found];
    };
    const text = (name: ParameterName, limit: number): string => {
        const value = raw(name);
        // An id or a stage may be a number; anything else that is not a text is a mistake.
        const written = typeof value === 'number' && (name === 'quest_id' || name === 'stage') && Number.isFinite(value) ? String(value) : value;
        if (typeof written !== 'string') fail(reason('state.not-text', { parameter: name }));
        else if (written.trim().length > limit) fail(reason('state.too-long', { parameter: name, limit }));
        else if (controlCharacter.test(written.trim())) fail(reason('state.control-character', { parameter: name }));
        else return written.trim().normalize('NFC');
        return '';
    };
    return {
        fault: () => first,
        fail,
        raw,
        given: (name) => aliases[name].some((alias) => Object.hasOwn(params, alias) && params[alias] !== undefined),
        name(name, limit = limits.name) {
            if (raw(name) === undefined) {
                fail(reason('state.missing-parameter', { parameter: name }));
                return '';
            }
            const value = text(name, limit);
            if (first === null && value === '') fail(reason('state.missing-parameter', { parameter: name }));
            if (!isSafeName(value)) fail(reason('state.unsafe-name', { name: value }));
            return value;
        },
        note: (name) => (raw(name) === undefined ? undefined : text(name, limits.note) || undefined),
        whole(name, { least, most, missing, noun }) {
            const value = raw(name);
            if (value === undefined && missing !== undefined) return missing;
            if (value === undefined) fail(reason('state.missing-parameter', { parameter: name }));
            const number = writtenNumber(value, noun);
            if (number === null) fail(reason('state.not-number', { parameter: name, value: describe(value) }));
            else if (!Number.isInteger(number)) fail(reason('state.not-whole', { parameter: name, value: number }));
            else if (number < least || number > most) fail(reason('state.out-of-range', { parameter: name, value: number, least, most }));
            // Minus zero is zero.
            else return number === 0 ? 0 : number;
            return 0;
        },
    };
}

function describe(value: unknown): string {
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : Array.isArray(value) ? '[…]' : typeof value;
}
