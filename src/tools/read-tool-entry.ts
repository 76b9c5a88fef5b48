import { notice, type Notice } from '../notice';
import { canonicalContextOrder, type ContextKey, type ToolDefinition, type ToolEntry } from './definition';
import { lineOfField } from './json-position';
import { readLenientJson } from './lenient-json';
import { isObject, normaliseParameters } from './parameter-schema';
import { rollDiceName, rollDiceTool } from './roll-dice-tool';
import { isOptionalField, toolContentSchema, type ToolContent } from './tool-content';
import type { PromptLanguage } from '../prompt/prompt-input';

/** Ms an author may ask for a code tool. */
export const maximumDeadline = 5_000;

/** One entry read: its tool, or none; what its author should know; and the line its code begins on. */
export interface ToolReading {
    tool: ToolDefinition | null;
    faults: Notice[];
    /** The place in the entry, for faults found later. */
    place: { entry: string; id: string };
    codeLine: number;
}

/**
 * Reads one `[TOOL:…]` entry: strict JSON, else leniently; validated; defaults as authors expect. A fault that leaves no
 * usable tool is an error, one that costs a field is a warning. Every notice names the entry, its id and the line.
 */
export function readToolEntry(entry: ToolEntry, language: PromptLanguage = 'zh'): ToolReading {
    const title = entry.comment.trim().slice(0, 200);
    const place = { entry: title === '' ? entry.id : title, id: entry.id };
    const faults: Notice[] = [];
    const say = (level: Notice['level'], code: string, params: Notice['params']) => {
        faults.push(notice(level, code, { ...place, ...params }));
    };
    const refused: ToolReading = { tool: null, faults, place, codeLine: 1 };

    const reading = readLenientJson(entry.content);
    if (!reading.ok) {
        say('error', `tools.json-${reading.problem}`, { line: reading.line, found: reading.found });
        return refused;
    }
    const repaired = reading.repairs.find((repair) => repair.risky) ?? reading.repairs[0];
    if (repaired !== undefined) say(repaired.risky ? 'warning' : 'info', repaired.risky ? 'tools.json-guessed' : 'tools.json-lenient', { line: repaired.line, kinds: reading.repairs.map((repair) => repair.kind).join(', ') });

    const content = validate(reading.value, entry.content, say);
    if (content === null) return refused;
    const { name } = content.function;
    const line = (...path: string[]) => lineOfField(entry.content, path);
    const type = content.type ?? inferType(content, name);
    if (type === null) {
        say('error', 'tools.type-missing', { tool: name, line: 1 });
        return refused;
    }
    const trigger = content.trigger ?? 'planning';
    const isDice = name === rollDiceName;
    if (isDice && (type !== 'code' || trigger !== 'planning')) {
        say('error', 'tools.roll-dice-reserved', { line: line(type !== 'code' ? 'type' : 'trigger') });
        return refused;
    }
    const code = content.code ?? '';
    if (isDice && code.trim() !== '') say('warning', 'tools.roll-dice-code', { line: line('code') });
    if (!isDice && type === 'code' && code.trim() === '') {
        say('error', 'tools.code-missing', { tool: name, line: line('function', 'name') });
        return refused;
    }
    if (type === 'llm' && (content.system_prompt ?? '').trim() === '') say('warning', 'tools.system-prompt-missing', { tool: name, line: 1 });

    const mark = /\[\s*tool\s*[:：]\s*([^\]]*)\]/i.exec(title)?.[1]?.trim();
    if (mark !== undefined && mark !== '' && mark !== name) say('info', 'tools.name-mismatch', { tool: name, mark, line: line('function', 'name') });
    const description = (content.function.description ?? '').trim();
    if (description === '' && trigger === 'planning' && !isDice) say('warning', 'tools.description-missing', { tool: name, line: line('function') });

    const parameters = normaliseParameters(content.function.parameters);
    if (parameters.wrapped) say('info', 'tools.parameters-wrapped', { tool: name, line: line('function', 'parameters') });
    if (parameters.unknownTypes.length > 0) say('warning', 'tools.parameter-type-unknown', { tool: name, types: parameters.unknownTypes.join(', '), line: line('function', 'parameters') });
    if (trigger === 'post_pipeline' && Array.isArray(parameters.schema['required']) && parameters.schema['required'].length > 0) say('warning', 'tools.post-pipeline-parameters', { tool: name, line: line('function', 'parameters') });

    let deadline = content.deadline ?? undefined;
    if (deadline !== undefined && deadline > maximumDeadline && type === 'code') {
        say('warning', 'tools.deadline-capped', { tool: name, line: line('deadline'), limit: maximumDeadline });
        deadline = maximumDeadline;
    }
    const outputTag = content.output_tag ?? undefined;
    const tagLookback = content.tag_lookback ?? undefined;
    if (tagLookback !== undefined && tagLookback > 0 && outputTag === undefined) say('warning', 'tools.lookback-without-tag', { tool: name, line: line('tag_lookback') });

    const builtin = isDice ? rollDiceTool(language) : null;
    const tool: ToolDefinition = {
        name, type, trigger,
        description: description === '' ? builtin?.description ?? '' : description,
        parameters: builtin !== null && content.function.parameters == null ? builtin.parameters : parameters.schema,
        context: readContext(content.context ?? [], (unknown) => say('warning', 'tools.context-unknown', { tool: name, key: unknown, known: canonicalContextOrder.join(', '), line: line('context') })),
        systemPrompt: content.system_prompt ?? '',
        ...(type === 'code' && !isDice ? { code } : {}),
        ...(outputTag === undefined ? {} : { outputTag }),
        ...(tagLookback === undefined ? {} : { tagLookback }),
        ...(content.connection_profile == null || content.connection_profile === '' ? {} : { connectionProfile: content.connection_profile }),
        ...(content.max_tokens == null ? {} : { maxTokens: content.max_tokens }),
        ...(deadline === undefined ? {} : { deadline }),
        source: entry.id,
        title: place.entry,
    };
    return { tool, faults, place, codeLine: line('code') };
}

type Say = (level: Notice['level'], code: string, params: Notice['params']) => void;

/** The content checked; faulty optional fields are left out. Null where the tool cannot be. */
function validate(value: unknown, text: string, say: Say): ToolContent | null {
    if (!isObject(value)) {
        say('error', 'tools.json-no-object', { line: 1, found: '' });
        return null;
    }
    const first = toolContentSchema.safeParse(value);
    if (first.success) return first.data;
    const kept: Record<string, unknown> = { ...value };
    let usable = true;
    for (const issue of first.error.issues) {
        const [field] = issue.path;
        const path = issue.path.map(String).join('.');
        const line = lineOfField(text, issue.path);
        const written = shown(issue.path.reduce<unknown>((at, key) => isObject(at) ? at[String(key)] : undefined, value));
        if (isOptionalField(field)) {
            say('warning', 'tools.field-ignored', { field: path, value: written, line });
            Reflect.deleteProperty(kept, field);
            continue;
        }
        usable = false;
        if (path === 'type') say('error', 'tools.type-unknown', { value: written, line });
        else if (path === 'trigger') say('error', 'tools.trigger-unknown', { value: written, line });
        else if (path === 'function') say('error', 'tools.function-missing', { line });
        else if (path === 'function.name') say('error', written === '' ? 'tools.name-missing' : 'tools.name-invalid', { value: written, line });
        else say('error', 'tools.field-invalid', { field: path, value: written, line });
    }
    return usable ? toolContentSchema.parse(kept) : null;
}

function shown(value: unknown): string {
    if (value === undefined || value === null) return '';
    const text = typeof value === 'string' ? value : JSON.stringify(value) ?? '';
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** What the author forgot to say and the rest of the entry does. */
function inferType(content: ToolContent, name: string): 'code' | 'llm' | null {
    if (name === rollDiceName || (content.code ?? '').trim() !== '') return 'code';
    return (content.system_prompt ?? '').trim() !== '' ? 'llm' : null;
}

/** Known keys, once each, in the canonical order. */
function readContext(written: string[], unknown: (key: string) => void): ContextKey[] {
    const keys = written.map((key) => key.trim().replace(/^<|>$/g, '').toLowerCase());
    for (const key of keys) if (!(canonicalContextOrder as readonly string[]).includes(key)) unknown(key);
    return canonicalContextOrder.filter((key) => keys.includes(key));
}
