import { unquoted } from './json-coerce';

type Node = Record<string, unknown>;

/** The keys an answer has, and how to know them. */
export interface AnswerKeys {
    names: readonly string[];
    /** JSON schema of each. */
    properties: Node;
    /** Other spellings → name. */
    aliases: ReadonlyMap<string, string>;
}

/** A possible answer: its values by proper key. */
export interface Answer {
    fields: Node;
    /** 2 for each key as asked for, 1 for each alias; next to nothing where all is empty. */
    score: number;
}

function isNode(value: unknown): value is Node {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `keyPoints`, `Key Points` and `key-points` are `key_points`. */
export function plainKey(key: string): string {
    return key.normalize('NFKC').trim().replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().replace(/[\s-]+/g, '_').replace(/^["'“”]+|["'“”:：]+$/g, '');
}

/** The proper key that a spelling stands for. */
export function knownKey(key: string, keys: AnswerKeys): { name: string; exact: boolean } | null {
    const plain = plainKey(key);
    if (keys.names.includes(plain)) return { name: plain, exact: true };
    const alias = keys.aliases.get(plain) ?? keys.aliases.get(plain.replaceAll('_', ''));
    return alias === undefined ? null : { name: alias, exact: false };
}

/** Whether a value can be what the key asks for (an alias such as `summary` may be something else's name). */
function fits(value: unknown, schema: unknown, exact: boolean): boolean {
    if (!isNode(schema)) return true;
    const inner = unquoted(value);
    if (inner === null) return true;
    if (schema.type === 'string') return exact || typeof inner !== 'object' || Array.isArray(inner);
    if (schema.type !== 'array') return true;
    if (Array.isArray(inner) || isNode(inner)) return true;
    return isNode(schema.items) && (schema.items.type === 'object' ? typeof inner === 'string' && inner.trim() === '' : true);
}

/** A text that stands where content should: an example repeated, not an answer. */
function isPlaceholder(value: unknown): boolean {
    if (Array.isArray(value)) return value.length > 0 && value.every(isPlaceholder);
    if (isNode(value)) return Object.keys(value).length > 0 && Object.values(value).every(isPlaceholder);
    if (typeof value !== 'string') return false;
    const text = value.trim();
    return /^(?:\.{2,}|…+|string|text|xxx+|<[^<>]*>|\{[^{}]*\}|要点\s*\d|伏笔\s*\d|细节\s*\d|point \d)$/i.test(text)
        || /^(?:不少于|at least)\s*\d+\s*(?:字|words)|不少于100字|^narrative direction and scene construction/i.test(text)
        || /(?:用户意图|User intent)\s*[:：]\s*(?:\.{2,}|…+|xxx+)/i.test(text)
        || /^(?:场景的时间地点环境简介|时间地点环境|基调|快 ?\/ ?中 ?\/ ?慢|伏笔或细节|tone|fast ?\/ ?medium ?\/ ?slow|foreshadowing or details|time, place, surroundings|需要延续的伏笔或细节|foreshadowing or details to carry on|time, place and surroundings in brief)$/.test(text);
}

function isSchemaEcho(value: Node): boolean {
    return '$schema' in value || (isNode(value.properties) && (value.type === 'object' || 'required' in value));
}

/** All possible answers in a value: itself, and what envelopes, lists and JSON texts in it hold. */
export function answersIn(value: unknown, keys: AnswerKeys, depth = 0): Answer[] {
    if (depth > 6) return [];
    const inner = unquoted(value);
    if (Array.isArray(inner)) return inner.flatMap((item) => answersIn(item, keys, depth + 1));
    if (!isNode(inner) || isSchemaEcho(inner)) return [];
    const fields: Node = {};
    let score = 0;
    const others: unknown[] = [];
    for (const [key, each] of Object.entries(inner)) {
        const known = knownKey(key, keys);
        if (known && fits(each, keys.properties[known.name], known.exact) && !(known.name in fields && !known.exact)) {
            if (!(known.name in fields)) score += known.exact ? 2 : 1;
            fields[known.name] = each;
        } else others.push(each);
    }
    const nested = others.flatMap((each) => answersIn(each, keys, depth + 1));
    const texts = Object.values(fields).filter((each) => each !== '' && !(Array.isArray(each) && each.length === 0));
    if (score === 0 || (texts.length > 0 && texts.filter(isPlaceholder).length * 2 >= texts.length)) return nested;
    // An answer that says nothing (`{"events": []}` named as an example) yields to any that does.
    return [...nested, { fields, score: texts.length === 0 ? score / 100 : score }];
}

/**
 * The answer among several: the one with most of its keys, of equals the last (drafts come before the final version).
 * Halves written as objects of their own, with keys the best one lacks, are put together.
 */
export function bestAnswer(answers: readonly Answer[]): Node | null {
    const best = answers.reduce<Answer | null>((before, answer) => (before === null || answer.score >= before.score ? answer : before), null);
    if (best === null) return null;
    const fields = { ...best.fields };
    for (const answer of answers) {
        if (answer !== best && Object.keys(answer.fields).every((key) => !(key in fields))) Object.assign(fields, answer.fields);
    }
    return fields;
}

/** Items of the answer's one list of objects that stand there bare, without the object around them. */
export function bareItems(values: readonly unknown[], keys: AnswerKeys): Node | null {
    const lists = keys.names.filter((name) => {
        const property = keys.properties[name];
        return isNode(property) && property.type === 'array' && isNode(property.items) && property.items.type === 'object';
    });
    const name = lists[0];
    const property = name === undefined ? undefined : keys.properties[name];
    if (lists.length !== 1 || name === undefined || !isNode(property) || !isNode(property.items) || !Array.isArray(property.items.required)) return null;
    const first: unknown = property.items.required[0];
    const items = values.flatMap((value) => (Array.isArray(value) ? value : [value])).filter((item) => isNode(item) && typeof first === 'string' && typeof item[first] === 'string' && !isSchemaEcho(item));
    return items.length === 0 ? null : { [name]: items };
}
