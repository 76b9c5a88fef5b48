import type { JsonSchema } from '../ports';

const aliases: Record<string, string> = { int: 'integer', long: 'integer', float: 'number', double: 'number', bool: 'boolean', str: 'string', text: 'string', list: 'array', dict: 'object', map: 'object' };
const known = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/**
 * An author's parameter schema in its plain form: absent = no parameters, a bare map of properties is wrapped, type
 * names of other languages are the JSON schema's. `unknownTypes` are left unchecked; the author is told.
 */
export function normaliseParameters(written: JsonSchema | null | undefined): { schema: JsonSchema; wrapped: boolean; unknownTypes: string[] } {
    const unknownTypes: string[] = [];
    if (written == null || Object.keys(written).length === 0) return { schema: { type: 'object', properties: {} }, wrapped: false, unknownTypes };
    const isSchema = typeof written['type'] === 'string' || isObject(written['properties']);
    const wrapped = !isSchema && Object.values(written).every(isObject);
    const base: JsonSchema = wrapped ? { type: 'object', properties: written } : { type: 'object', properties: {}, ...written };
    return { schema: normalise(base, unknownTypes, 0), wrapped, unknownTypes };
}

function normalise(schema: JsonSchema, unknownTypes: string[], depth: number): JsonSchema {
    const result: JsonSchema = { ...schema };
    const typeOf = (value: unknown): unknown => {
        if (typeof value !== 'string') return value;
        const lower = value.trim().toLowerCase();
        const type = Object.hasOwn(aliases, lower) ? aliases[lower] : lower;
        if (type === undefined || !known.has(type)) unknownTypes.push(value);
        return type;
    };
    if ('type' in schema) result['type'] = Array.isArray(schema['type']) ? schema['type'].map(typeOf) : typeOf(schema['type']);
    if (depth >= 32) return result;
    const properties = schema['properties'];
    if (isObject(properties)) {
        result['properties'] = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, isObject(value) ? normalise(value, unknownTypes, depth + 1) : value]));
    }
    const items = schema['items'];
    if (isObject(items)) result['items'] = normalise(items, unknownTypes, depth + 1);
    return result;
}

export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
