import { isObject, type VariableTree } from './tree';

/**
 * MVU's description of a tree, in its stored shape (MVU: src/function/schema.ts). With mvu_zod the place holds a fixed text
 * instead; such a text is carried over and never replaced.
 */
export interface ObjectSchema {
    type: 'object';
    properties: Record<string, SchemaNode & { required?: boolean }>;
    /** New keys may be inserted, keys not required may be removed. */
    extensible?: boolean;
    /** The same for every container below. */
    recursiveExtensible?: boolean;
    /** Fills the missing fields of a new element. */
    template?: unknown;
    strictTemplate?: boolean;
    concatTemplateArray?: boolean;
    strictSet?: boolean;
}

export interface ArraySchema {
    type: 'array';
    elementType: SchemaNode;
    extensible?: boolean;
    recursiveExtensible?: boolean;
    template?: unknown;
}

export type SchemaNode = ObjectSchema | ArraySchema | { type: 'string' | 'number' | 'boolean' | 'any' };

/** The element that opens an array to inserts. */
export const arrayMarker = '$__META_EXTENSIBLE__$';

function isArrayMeta(value: unknown): value is { $arrayMeta: true; $meta: Record<string, unknown> } {
    return isObject(value) && value['$arrayMeta'] === true && isObject(value['$meta']);
}

/** A stored schema as its node, undefined where it is none (a text of mvu_zod, nothing at all). */
export function schemaNode(value: unknown): SchemaNode | undefined {
    if (!isObject(value)) return undefined;
    const type = value['type'];
    if (type === 'object') return { properties: {}, ...value } as unknown as ObjectSchema;
    if (type === 'array') return { elementType: { type: 'any' }, ...value } as unknown as ArraySchema;
    return type === 'string' || type === 'number' || type === 'boolean' ? { type } : { type: 'any' };
}

function arraySchema(values: readonly unknown[], old: SchemaNode | undefined, inherited: boolean): ArraySchema {
    const before = old?.type === 'array' ? old : undefined;
    let extensible = before?.extensible === true;
    let template = before?.template;
    const recursive = before?.recursiveExtensible === true || inherited;
    const meta = values.find(isArrayMeta)?.$meta;
    if (typeof meta?.['extensible'] === 'boolean') extensible = meta['extensible'];
    if (meta?.['template'] !== undefined) template = meta['template'];
    if (values.includes(arrayMarker)) extensible = true;
    const first = values.find((value) => value !== arrayMarker && !isArrayMeta(value));
    return {
        type: 'array',
        extensible: extensible || inherited,
        recursiveExtensible: recursive,
        elementType: first === undefined ? { type: 'any' } : nodeOf(first, before?.elementType, recursive),
        ...(template === undefined ? {} : { template }),
    };
}

function objectSchema(value: Record<string, unknown>, old: SchemaNode | undefined, inherited: boolean): ObjectSchema {
    const before = old?.type === 'object' ? old : undefined;
    const meta = isObject(value['$meta']) ? value['$meta'] : {};
    const recursive = before?.recursiveExtensible === true || inherited || meta['recursiveExtensible'] === true;
    const extensible = before?.extensible === true || meta['extensible'] === true || recursive;
    const template = meta['template'] ?? before?.template;
    const required = Array.isArray(meta['required']) ? meta['required'] : [];
    const properties: ObjectSchema['properties'] = {};
    for (const [key, child] of Object.entries(value)) {
        if (key === '$meta') continue;
        const oldChild = before && Object.hasOwn(before.properties, key) ? before.properties[key] : undefined;
        properties[key] = { ...nodeOf(child, oldChild, recursive), required: oldChild?.required ?? (!extensible || required.includes(key)) };
    }
    return { type: 'object', properties, extensible, recursiveExtensible: recursive, ...(template === undefined ? {} : { template }) };
}

function nodeOf(value: unknown, old: SchemaNode | undefined, inherited: boolean): SchemaNode {
    if (Array.isArray(value)) return arraySchema(value, old, inherited);
    if (isObject(value)) return objectSchema(value, old, inherited);
    const type = typeof value;
    return type === 'string' || type === 'number' || type === 'boolean' ? { type } : { type: 'any' };
}

/**
 * The schema MVU would derive from a tree: objects and arrays are closed unless a `$meta`, an array marker or the old schema
 * opens them; every child of a closed object is required. The tree may still hold its markers. A text in the schema's place
 * comes back unchanged.
 */
export function deriveSchema(tree: VariableTree, old?: unknown): ObjectSchema | string {
    if (typeof old === 'string') return old;
    const before = schemaNode(old);
    const derived = objectSchema(tree, before, false);
    const meta = isObject(tree['$meta']) ? tree['$meta'] : {};
    for (const key of ['strictTemplate', 'concatTemplateArray', 'strictSet'] as const) {
        const value = meta[key] ?? (before?.type === 'object' ? before[key] : undefined);
        if (typeof value === 'boolean') derived[key] = value;
    }
    return derived;
}

/** The value without `$meta` objects and array markers. */
export function withoutMarkers(value: unknown): unknown {
    if (Array.isArray(value)) return value.filter((each) => each !== arrayMarker && !isArrayMeta(each)).map(withoutMarkers);
    if (!isObject(value)) return value;
    const clean: Record<string, unknown> = {};
    for (const [key, child] of Object.entries(value)) {
        if (key !== '$meta' && key !== '__proto__') clean[key] = withoutMarkers(child);
    }
    return clean;
}

/** The schema of what stands at `path`; undefined where the schema does not know. */
export function schemaAt(schema: unknown, path: readonly string[]): SchemaNode | undefined {
    let node = schemaNode(schema);
    for (const key of path) {
        if (node?.type === 'array' && /^\d+$/.test(key)) node = schemaNode(node.elementType);
        else if (node?.type === 'object' && Object.hasOwn(node.properties, key)) node = schemaNode(node.properties[key]);
        else return undefined;
    }
    return node;
}
