type Node = Record<string, unknown>;

function isNode(value: unknown): value is Node {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const nothing = /^\s*(?:|无|没有|暂无|none|null|n\/a|nil|\[\s*\])\s*$/i;

/** Parses text that is JSON itself (values serialised twice); anything else comes back as it is. */
export function unquoted(value: unknown): unknown {
    if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
    try {
        return JSON.parse(value);
    } catch (error) {
        if (error instanceof SyntaxError) return value;
        throw error;
    }
}

const deepest = 60;

/** A copy without keys that would reach an object's prototype. What is nested deeper than any real value is dropped. */
export function withoutPrototypeKeys(value: unknown, depth = 0): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth > deepest) return null;
    if (Array.isArray(value)) return value.map((item) => withoutPrototypeKeys(item, depth + 1));
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__').map(([key, inner]) => [key, withoutPrototypeKeys(inner, depth + 1)]));
}

function asText(value: unknown): unknown {
    if (value === null || value === undefined) return '';
    if (typeof value === 'string') return value.trim();
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (Array.isArray(value)) return value.map(asText).filter((part) => part !== '').join('；');
    if (!isNode(value)) return value;
    const texts = ['text', 'content', 'description', 'value'].map((key) => value[key]).filter((each) => typeof each === 'string');
    if (texts[0] !== undefined) return asText(texts[0]);
    return Object.entries(value).map(([key, inner]) => `${key}：${String(asText(inner))}`).join('；');
}

function asNumber(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const text = value.normalize('NFKC').trim();
    return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : value;
}

function asList(value: unknown, items: Node): unknown[] {
    const list = unquoted(value);
    if (Array.isArray(list)) return list.filter((item) => item !== null && item !== undefined);
    if (list === null || list === undefined) return [];
    if (typeof list !== 'string') return items.type === 'string' && isNode(list) ? Object.values(list) : [list];
    if (nothing.test(list)) return [];
    if (items.type !== 'string') return [list];
    // One text that lists its points line by line.
    const lines = list.split('\n').map((line) => line.trim()).filter((line) => line !== '');
    const points = lines.every((line) => /^(?:[-*•·]|\d+[.、)）])\s*/.test(line));
    return lines.length > 1 && points ? lines.map((line) => line.replace(/^(?:[-*•·]|\d+[.、)）])\s*/, '')) : [list];
}

/**
 * Brings a value nearer to its JSON schema without inventing content: texts, lists and numbers in the shape asked for,
 * missing texts and lists empty. What cannot be brought nearer is left for validation to refuse.
 */
export function coerceTo(value: unknown, schema: unknown): unknown {
    if (!isNode(schema)) return value;
    if (schema.type === 'string') return asText(value);
    if (schema.type === 'number' || schema.type === 'integer') return asNumber(value);
    if (schema.type === 'boolean') return value === 'true' || value === '是' ? true : value === 'false' || value === '否' ? false : value;
    if (schema.type === 'array') {
        const items = isNode(schema.items) ? schema.items : {};
        const list = asList(value, items).map((item) => coerceTo(item, items));
        return items.type === 'string' ? list.filter((item) => item !== '') : list;
    }
    if (schema.type !== 'object') return withoutPrototypeKeys(value);
    const object = unquoted(value);
    if (!isNode(schema.properties)) return object === null || object === undefined ? {} : withoutPrototypeKeys(object);
    if (!isNode(object)) return object;
    return Object.fromEntries(Object.entries(schema.properties).map(([key, inner]) => [key, coerceTo(object[key], inner)]));
}
