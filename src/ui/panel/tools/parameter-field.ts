import type { JsonSchema } from '../../../ports';

/** One box of the try form. `json` takes whatever has no box of its own (objects, lists, unions). */
export interface ParameterField {
    name: string;
    kind: 'text' | 'number' | 'switch' | 'choice' | 'json';
    options: string[];
    description: string;
    required: boolean;
    initial: string;
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(schema: Record<string, unknown>): ParameterField['kind'] {
    if (Array.isArray(schema.enum) && schema.enum.every((option) => typeof option === 'string')) return 'choice';
    if (schema.type === 'string') return 'text';
    if (schema.type === 'number' || schema.type === 'integer') return 'number';
    if (schema.type === 'boolean') return 'switch';
    return 'json';
}

/** The boxes for a tool's parameters, in the order the author declared them. */
export function parameterFields(schema: JsonSchema): ParameterField[] {
    if (!isObject(schema.properties)) return [];
    const required = Array.isArray(schema.required) ? schema.required : [];
    return Object.entries(schema.properties).map(([name, property]) => {
        const own = isObject(property) ? property : {};
        const kind = kindOf(own);
        const fallback = own.default ?? own.example;
        return {
            name,
            kind,
            options: kind === 'choice' && Array.isArray(own.enum) ? own.enum.map(String) : [],
            description: typeof own.description === 'string' ? own.description : '',
            required: required.includes(name),
            initial: fallback === undefined ? '' : typeof fallback === 'string' ? fallback : JSON.stringify(fallback),
        };
    });
}

/** The parameters as typed: empty boxes are left out, numbers and JSON are read. Throws SyntaxError where JSON is malformed. */
export function readParameters(fields: readonly ParameterField[], texts: Record<string, string>): Record<string, unknown> {
    const params: Record<string, unknown> = {};
    for (const { name, kind } of fields) {
        const text = texts[name] ?? '';
        if (text.trim() === '') continue;
        if (kind === 'number') params[name] = Number(text);
        else if (kind === 'switch') params[name] = text === 'true';
        else if (kind === 'json') params[name] = JSON.parse(text) as unknown;
        else params[name] = text;
    }
    return params;
}
