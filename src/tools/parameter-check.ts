import type { PromptLanguage } from '../prompt/prompt-input';
import type { JsonSchema } from '../ports';
import { isObject } from './parameter-schema';

/** What is wrong with one parameter. `path` is `items[0].name`, '' for the whole. */
export interface ParameterProblem {
    path: string;
    code: 'required' | 'type' | 'enum' | 'minimum' | 'maximum' | 'min-length' | 'max-length' | 'any';
    expected: string;
    found: string;
}

export type ParameterCheck = { ok: true; value: Record<string, unknown> } | { ok: false; problems: ParameterProblem[] };

/**
 * Checks what the planning agent passed against the tool's JSON schema and gives a copy in the schema's types. Coerced
 * where nothing is lost: numeric text, "true", a number as text, one item for a list, JSON in text, the case of an enum
 * value, null for an absent optional one; defaults are filled in. Read: type, enum, const, required, properties,
 * additionalProperties (false drops), items, minimum/maximum (exclusive too), minLength/maxLength, minItems/maxItems,
 * anyOf/oneOf, default, nullable. `pattern` is not: an author's expression could hang the page. zod's fromJSONSchema was
 * measured: it throws on what it does not know, and coerces nothing.
 */
export function checkParameters(schema: JsonSchema, params: unknown): ParameterCheck {
    const problems: ParameterProblem[] = [];
    const value = check({ ...schema, type: 'object' }, params ?? {}, '', problems);
    if (problems.length > 0 || !isObject(value)) return { ok: false, problems };
    return { ok: true, value };
}

function check(schema: JsonSchema, value: unknown, path: string, problems: ParameterProblem[]): unknown {
    const choices = [schema['anyOf'], schema['oneOf']].find(Array.isArray);
    if (choices !== undefined) {
        for (const choice of choices.filter(isObject)) {
            const tried: ParameterProblem[] = [];
            const result = check(choice, value, path, tried);
            if (tried.length === 0) return result;
        }
        problems.push({ path, code: 'any', expected: '', found: shown(value) });
        return value;
    }
    const types = typesOf(schema);
    if (types.length === 0) return checkEnum(schema, clean(value), path, problems);
    for (const type of types) {
        const result = coerce(type, value);
        if (result === undefined) continue;
        const sound = result.value;
        if (type === 'object' && isObject(sound)) return checkObject(schema, sound, path, problems);
        if (type === 'array' && Array.isArray(sound)) return checkArray(schema, sound, path, problems);
        checkBounds(schema, sound, path, problems);
        return checkEnum(schema, sound, path, problems);
    }
    problems.push({ path, code: 'type', expected: types.join(' | '), found: shown(value) });
    return value;
}

function typesOf(schema: JsonSchema): string[] {
    const { type } = schema;
    const written = Array.isArray(type) ? type.filter((one) => typeof one === 'string') : typeof type === 'string' ? [type] : [];
    const known = written.filter((one) => ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'].includes(one));
    return schema['nullable'] === true && known.length > 0 ? [...known, 'null'] : known;
}

/** The value in the type, or undefined where it cannot be. */
function coerce(type: string, value: unknown): { value: unknown } | undefined {
    const text = typeof value === 'string' ? value.normalize('NFKC').trim() : null;
    switch (type) {
        case 'null': return value === null ? { value } : undefined;
        case 'string':
            if (typeof value === 'string') return { value };
            return typeof value === 'number' || typeof value === 'boolean' ? { value: String(value) } : undefined;
        case 'number':
        case 'integer': {
            const number = typeof value === 'number' ? value : text !== null && /^[+-\u2212]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text.replace('\u2212', '-')) : NaN;
            return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? { value: number } : undefined;
        }
        case 'boolean':
            if (typeof value === 'boolean') return { value };
            if (text !== null && /^(?:true|yes|是)$/i.test(text)) return { value: true };
            return text !== null && /^(?:false|no|否)$/i.test(text) ? { value: false } : undefined;
        case 'array': {
            if (Array.isArray(value)) return { value };
            const parsed = text?.startsWith('[') === true ? parse(text) : undefined;
            if (Array.isArray(parsed)) return { value: parsed };
            return value === null || value === undefined || text === '' ? undefined : { value: [value] };
        }
        default: {
            if (isObject(value)) return { value };
            const parsed = text?.startsWith('{') === true ? parse(text) : undefined;
            return isObject(parsed) ? { value: parsed } : undefined;
        }
    }
}

function parse(text: string): unknown {
    try {
        return JSON.parse(text) as unknown;
    } catch {
        // Text that only looks like JSON stays text.
        return undefined;
    }
}

function checkObject(schema: JsonSchema, value: Record<string, unknown>, path: string, problems: ParameterProblem[]): Record<string, unknown> {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const result: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
        if (key === '__proto__' || Object.hasOwn(properties, key) || schema['additionalProperties'] === false) continue;
        result[key] = clean(item);
    }
    for (const [key, property] of Object.entries(properties)) {
        if (key === '__proto__') continue;
        const inside = path === '' ? key : `${path}.${key}`;
        const propertySchema = isObject(property) ? property : {};
        const item = Object.hasOwn(value, key) ? value[key] : undefined;
        const isAbsent = item === undefined || item === null && !typesOf(propertySchema).includes('null');
        if (!isAbsent) result[key] = check(propertySchema, item, inside, problems);
        else if (propertySchema['default'] !== undefined) result[key] = clean(propertySchema['default']);
        else if (required.includes(key)) problems.push({ path: inside, code: 'required', expected: typesOf(propertySchema).join(' | '), found: '' });
    }
    return result;
}

function checkArray(schema: JsonSchema, value: unknown[], path: string, problems: ParameterProblem[]): unknown[] {
    checkLength(schema, 'minItems', 'maxItems', value.length, path, problems);
    const items = schema['items'];
    return isObject(items) ? value.map((item, index) => check(items, item, `${path}[${index}]`, problems)) : value.map(clean);
}

function checkBounds(schema: JsonSchema, value: unknown, path: string, problems: ParameterProblem[]): void {
    if (typeof value === 'string') checkLength(schema, 'minLength', 'maxLength', value.length, path, problems);
    if (typeof value !== 'number') return;
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
    if (typeof minimum === 'number' && value < minimum) problems.push({ path, code: 'minimum', expected: String(minimum), found: String(value) });
    if (typeof maximum === 'number' && value > maximum) problems.push({ path, code: 'maximum', expected: String(maximum), found: String(value) });
    if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) problems.push({ path, code: 'minimum', expected: `> ${exclusiveMinimum}`, found: String(value) });
    if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) problems.push({ path, code: 'maximum', expected: `< ${exclusiveMaximum}`, found: String(value) });
}

function checkLength(schema: JsonSchema, least: string, most: string, length: number, path: string, problems: ParameterProblem[]): void {
    const minimum = schema[least];
    const maximum = schema[most];
    if (typeof minimum === 'number' && length < minimum) problems.push({ path, code: 'min-length', expected: String(minimum), found: String(length) });
    if (typeof maximum === 'number' && length > maximum) problems.push({ path, code: 'max-length', expected: String(maximum), found: String(length) });
}

function checkEnum(schema: JsonSchema, value: unknown, path: string, problems: ParameterProblem[]): unknown {
    const options = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : null;
    if (options === null || options.includes(value)) return value;
    const fold = (one: unknown) => String(one).normalize('NFKC').trim().toLowerCase();
    const near = options.filter((option) => typeof option !== 'object' && typeof value !== 'object' && fold(option) === fold(value));
    if (near.length === 1) return near[0];
    problems.push({ path, code: 'enum', expected: options.map(shown).join(', '), found: shown(value) });
    return value;
}

/** A copy without `__proto__` keys. */
function clean(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(clean);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__').map(([key, item]) => [key, clean(item)]));
}

function shown(value: unknown): string {
    const text = JSON.stringify(value) ?? '';
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The problems as one sentence, for the writing agent and the author. */
export function parameterProblemsText(problems: ParameterProblem[], language: PromptLanguage): string {
    const sentence = ({ path, code, expected, found }: ParameterProblem): string => {
        const name = path === '' ? 'params' : path;
        if (language === 'en') {
            switch (code) {
                case 'required': return `${name} is missing`;
                case 'type': return `${name} should be ${expected}, got ${found}`;
                case 'enum': return `${name} should be one of ${expected}, got ${found}`;
                case 'minimum': return `${name} is below ${expected}: ${found}`;
                case 'maximum': return `${name} is above ${expected}: ${found}`;
                case 'min-length': return `${name} has ${found}, at least ${expected} needed`;
                case 'max-length': return `${name} has ${found}, at most ${expected} allowed`;
                case 'any': return `${name} fits none of the allowed forms: ${found}`;
            }
        }
        switch (code) {
            case 'required': return `缺少参数 ${name}`;
            case 'type': return `参数 ${name} 应为 ${expected}，收到 ${found}`;
            case 'enum': return `参数 ${name} 只能是 ${expected}，收到 ${found}`;
            case 'minimum': return `参数 ${name} 不得小于 ${expected}，收到 ${found}`;
            case 'maximum': return `参数 ${name} 不得大于 ${expected}，收到 ${found}`;
            case 'min-length': return `参数 ${name} 的长度为 ${found}，至少 ${expected}`;
            case 'max-length': return `参数 ${name} 的长度为 ${found}，至多 ${expected}`;
            case 'any': return `参数 ${name} 不符合任何一种允许的形式：${found}`;
        }
    };
    return problems.slice(0, 5).map(sentence).join(language === 'zh' ? '；' : '; ');
}
