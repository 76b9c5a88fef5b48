import { z } from 'zod';
import type { JsonSchema } from '../ports';

type Node = Record<string, unknown>;

function isNode(value: unknown): value is Node {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A JSON schema in the strict form that structured-output APIs accept: every object closed, every key required (optional
 * ones may be null), objects of unknown keys as JSON text. The recovery reads both forms.
 */
export function strictSchema(schema: JsonSchema): JsonSchema {
    const { $schema: _dialect, $defs: _definitions, default: _fallback, ...node } = schema as Node;
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
        const list = node[key];
        if (!Array.isArray(list)) continue;
        delete node[key];
        node.anyOf = list.filter(isNode).map(strictSchema);
    }
    if (isNode(node.items)) node.items = strictSchema(node.items);
    if (node.type !== 'object' && !isNode(node.properties)) return node;
    const properties = isNode(node.properties) ? node.properties : {};
    const names = Object.keys(properties);
    if (names.length === 0) return { type: 'string', description: [node.description, 'a JSON object as text'].filter(Boolean).join('; ') };
    const required = new Set(Array.isArray(node.required) ? node.required : []);
    const closed: Node = {};
    for (const name of names) {
        const property = properties[name];
        const strict = strictSchema(isNode(property) ? property : {});
        closed[name] = required.has(name) ? strict : { anyOf: [strict, { type: 'null' }] };
    }
    const description = typeof node.description === 'string' ? { description: node.description } : {};
    return { type: 'object', ...description, properties: closed, required: names, additionalProperties: false };
}

/** The structured output of a zod schema, to go with a model call. */
export function structuredOutputOf(name: string, schema: z.ZodType): { name: string; schema: JsonSchema } {
    return { name, schema: strictSchema(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema) };
}
