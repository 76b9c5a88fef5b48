import { jsonrepair } from 'jsonrepair';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { notice, type Notice } from '../notice';
import type { ModelReply } from '../ports';
import { answersIn, bareItems, bestAnswer, knownKey, plainKey, type AnswerKeys } from './json-answer';
import { findValues } from './json-candidates';
import { coerceTo, unquoted } from './json-coerce';
import { withoutReasoning } from './reasoning';
import { tagContents } from './tags';

/** What came of reading a model's output. */
export type Recovered<Value> =
    | {
        ok: true;
        value: Value;
        /** It was not the JSON asked for as it stood. */
        repaired: boolean;
        /** It was cut off: complete items before the cut are in `value`, the cut one is not. */
        truncated: boolean;
    }
    | {
        ok: false;
        reason: Notice;
        /** One technical line for the re-ask. */
        detail: string;
        truncated: boolean;
        rawText: string;
    };

/** How to read an output. */
export interface RecoverOptions {
    finishReason: ModelReply['finishReason'];
    /** Other spellings of keys → key. */
    aliases?: Readonly<Record<string, string>>;
    /** Brings the fields' own shapes nearer, before the schema's. Missing fields are absent. */
    prepare?: (fields: Record<string, unknown>) => Record<string, unknown>;
}

type Shape = z.ZodObject;

function keysOf(schema: Shape, aliases: Readonly<Record<string, string>>): AnswerKeys {
    const json = z.toJSONSchema(schema, { unrepresentable: 'any' }) as { properties?: Record<string, unknown> };
    return {
        names: Object.keys(schema.shape),
        properties: json.properties ?? {},
        aliases: new Map(Object.entries(aliases).map(([key, name]) => [plainKey(key), name])),
    };
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw error;
    }
}

/** The last resort for one object that nothing else could read. */
function repaired(text: string): unknown {
    const from = text.search(/[{[]/);
    if (from < 0) return undefined;
    try {
        return JSON.parse(jsonrepair(text.slice(from)));
    } catch (error) {
        if (error instanceof Error) return undefined;
        throw error;
    }
}

/** Outputs that are YAML: `events:` on a line of its own. */
function yaml(text: string, keys: AnswerKeys): unknown {
    if (!text.split('\n').some((line) => /^[\w\p{Script=Han} ]+[:：]/u.test(line) && knownKey(line.split(/[:：]/)[0] ?? '', keys))) return undefined;
    try {
        return parseYaml(text.replace(/^```.*$/gm, '').replace(/^([\w\p{Script=Han} ]+)：/gmu, '$1: '));
    } catch (error) {
        if (error instanceof Error) return undefined;
        throw error;
    }
}

/** Outputs that are XML: each key a tag. */
function tagged(text: string, keys: AnswerKeys): unknown {
    const found = keys.names.flatMap((name) => tagContents(text, name).slice(0, 1).map((content) => [name, unquoted(content.trim())] as const));
    return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Quotes as HTML entities. */
function unescapedEntities(text: string): string {
    return text.replace(/&(?:quot|#34|#x22);/gi, '"').replace(/&(?:apos|#39|#x27);/gi, "'").replace(/&lt;/gi, '<').replace(/&gt;/gi, '>').replace(/&amp;/gi, '&');
}

/** The answer's fields, and whether the output was cut inside them. */
function fieldsOf(text: string, keys: AnswerKeys, cut: boolean): { fields: Record<string, unknown> | null; truncated: boolean; onlyReasoning: boolean } {
    const isKnownKey = (key: string) => knownKey(key, keys) !== null;
    const whole = unquoted(parsed(text));
    // A whole that is JSON text (serialised twice) is read like an output of its own.
    if (typeof whole === 'string' && whole !== text && /[{[]/.test(whole)) return fieldsOf(whole, keys, cut);
    const found = whole !== undefined && typeof whole === 'object' && whole !== null ? { values: [{ value: whole, end: text.length, closed: true, aborted: false }], onlyReasoning: false } : findValues(text, isKnownKey, cut);
    const values = found.values.map((read) => read.value);
    const fields = bestAnswer(values.flatMap((value) => answersIn(value, keys)))
        ?? bestAnswer(answersIn(tagged(withoutReasoning(text, 'drop'), keys), keys))
        ?? bareItems(found.values.filter((read) => read.closed || found.values.length === 1).map((read) => read.value), keys);
    return { fields, truncated: found.values.some((read) => !read.closed), onlyReasoning: found.onlyReasoning };
}

function isEmpty(value: unknown): boolean {
    if (typeof value === 'string') return value === '';
    return Array.isArray(value) ? value.length === 0 : value === undefined || value === null;
}

/**
 * Reads a model's output against a schema (design: reasoning → fences → the right object → normalise → repair → schema).
 * Reasoning is never taken for an answer, a half-written item never for a whole one; nothing is thrown for bad output.
 */
export function recoverJson<Output>(text: string, schema: z.ZodType<Output> & Shape, options: RecoverOptions): Recovered<Output> {
    const cut = options.finishReason === 'length';
    const fail = (code: string, detail: string, truncated: boolean, params: Notice['params'] = {}): Recovered<Output> => ({
        ok: false, reason: notice('warning', code, params), detail, truncated, rawText: text,
    });
    const source = text.replace(/^\ufeff+/, '').trim();
    if (source === '') return fail('text.output-empty', 'the output is empty', cut);
    const exact = schema.safeParse(parsed(source));
    if (exact.success && !options.prepare) return { ok: true, value: exact.data, repaired: false, truncated: false };
    const keys = keysOf(schema, options.aliases ?? {});
    let { fields, truncated, onlyReasoning } = fieldsOf(source, keys, cut);
    if (fields === null && /[{[,:]\s*\\+"/.test(source)) {
        // Quotes escaped once too often, without the quotes around it.
        ({ fields, truncated, onlyReasoning } = fieldsOf(source.replace(/\\(["\\nrt/])/g, (_match, character: string) => ({ n: '\n', r: '\r', t: '\t' })[character] ?? character), keys, cut));
    }
    if (fields === null && /&(?:quot|#34|#x22);/i.test(source)) ({ fields, truncated, onlyReasoning } = fieldsOf(unescapedEntities(source), keys, cut));
    if (onlyReasoning) return fail('text.output-only-reasoning', 'the output is only reasoning, without an answer', cut);
    if (fields === null && !cut && !truncated) {
        const spoken = withoutReasoning(source, 'drop');
        fields = bestAnswer([yaml(spoken, keys), repaired(spoken)].flatMap((value) => answersIn(value, keys)));
    }
    if (fields === null) return fail(cut || truncated ? 'text.output-truncated' : 'text.output-no-json', 'no JSON object with the required keys was found', cut || truncated);
    const unpacked = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, unquotedList(value, keys.properties[key])]));
    const prepared = options.prepare ? options.prepare(unpacked) : unpacked;
    const coerced = coerceTo(prepared, { type: 'object', properties: keys.properties }) as Record<string, unknown>;
    if (truncated && keys.names.every((name) => isEmpty(coerced[name]))) return fail('text.output-truncated', 'the output was cut off before its first complete item', true);
    const result = schema.safeParse(coerced);
    if (!result.success) {
        const issue = result.error.issues[0];
        const path = (issue?.path ?? []).map(String).join('.');
        const detail = path === '' ? (issue?.message ?? 'invalid') : `${path}: ${issue?.message ?? 'invalid'}`;
        return fail(truncated ? 'text.output-truncated' : 'text.output-invalid', detail, truncated, { detail });
    }
    const same = exact.success && JSON.stringify(exact.data) === JSON.stringify(result.data);
    return { ok: true, value: result.data, repaired: !same, truncated };
}

/** Lists that came as JSON text, or whose objects did; other texts stay as they are. */
function unquotedList(value: unknown, schema: unknown): unknown {
    if (typeof schema !== 'object' || schema === null || !('type' in schema) || schema.type !== 'array') return value;
    const list = unquoted(value);
    return Array.isArray(list) && 'items' in schema && isObjectSchema(schema.items) ? list.map(unquoted) : list;
}

function isObjectSchema(schema: unknown): boolean {
    return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'object';
}
