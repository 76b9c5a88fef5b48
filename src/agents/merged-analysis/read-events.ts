import { eventTypes } from '../../state/event';
import { unquoted } from '../../text/json-coerce';

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const typeKeys = ['type', 'event', 'event_type', 'name', 'action', '类型'];
const paramKeys = ['params', 'parameters', 'arguments', 'args', 'data', '参数'];

function readEvent(value: unknown): unknown[] {
    if (!isObject(value)) return [];
    const typeKey = typeKeys.find((key) => typeof value[key] === 'string');
    if (typeKey !== undefined) {
        const inner = paramKeys.map((key) => unquoted(value[key])).find(isObject);
        // Parameters beside the type instead of inside params.
        const beside = Object.fromEntries(Object.entries(value).filter(([key]) => key !== typeKey && !paramKeys.includes(key)));
        const type = String(value[typeKey]);
        return [{ type, params: givenValues(type, inner ?? beside) }];
    }
    // { "move": { "location": … } }: the type is the key.
    const wrapped = ['event', '事件'].map((key) => value[key]).find(isObject);
    if (wrapped) return readEvent(wrapped);
    const entries = Object.entries(value).filter(([key]) => (eventTypes as readonly string[]).includes(key));
    // Items numbered instead of listed: { "1": { "type": … } }.
    if (entries.length === 0 && Object.keys(value).every((key) => /^(?:event_?)?\d+$/i.test(key))) return Object.values(value).flatMap(readEvent);
    return entries.flatMap(([type, params]) => (isObject(params) ? [{ type, params: givenValues(type, params) }] : []));
}

/** A parameter that is null was left out; only a flag may hold null. */
function givenValues(type: string, params: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(params).filter(([key, value]) => value !== null || (type === 'set_flag' && key === 'value')));
}

/** Events in any of the forms models write them. Text that is no object is left out; whether an event is valid the fold decides. */
export function readEvents(value: unknown): unknown[] {
    return (Array.isArray(value) ? value.flat(3) : [value]).flatMap(readEvent);
}

const intentKeys = ['用户意图', 'user_intent', 'intent', 'userIntent'];
const pointKeys = ['叙事要点', 'narrative_points', 'key_points', 'points', 'narrative', '要点'];
const textKeys = ['text', 'content', 'summary', 'entry', '摘要', '内容'];

function readSummary(value: unknown): string[] {
    if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
    if (!isObject(value)) return [];
    const text = (keys: string[]) => {
        const found = keys.map((key) => value[key]).find((each) => typeof each === 'string' || Array.isArray(each));
        return Array.isArray(found) ? found.filter((each) => typeof each === 'string').join('；') : typeof found === 'string' ? found.trim() : '';
    };
    const whole = text(textKeys);
    if (whole !== '') return [whole];
    const parts = [['用户意图', text(intentKeys)], ['叙事要点', text(pointKeys)]].filter(([, part]) => part !== '');
    return parts.length === 0 ? [] : [parts.map(([label, part]) => `${label}：${part}`).join(' | ')];
}

/** Summary entries from strings, or from objects of their parts. */
export function readSummaries(value: unknown): string[] {
    return (Array.isArray(value) ? value.flat(3) : [value]).flatMap(readSummary);
}
