import { ModelCallError, type ModelReply, type ModelUsage } from '../ports';

type Json = Record<string, unknown>;

function object(value: unknown): Json | undefined {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function list(value: unknown): unknown[] {
    return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
    return typeof value === 'string' && value !== '' ? value : undefined;
}

function joinParts(parts: unknown[], pick: (part: Json) => unknown): string | undefined {
    const texts = parts.map(object).map((part) => (part === undefined ? undefined : text(pick(part)))).filter((found) => found !== undefined);
    return texts.length > 0 ? texts.join('\n\n') : undefined;
}

/** The reply's text in any shape ST's server passes on (script.js extractMessageFromData), structured output as a tool call included. */
function replyText(data: Json, message: Json | undefined, choice: Json | undefined): string {
    const parts = list(data['content']);
    const tool = parts.map(object).find((part) => part?.['type'] === 'tool_use');
    const call = object(object(list(message?.['tool_calls'])[0])?.['function']);
    return text(data['content'])
        ?? joinParts(parts, (part) => (part['type'] === 'text' ? part['text'] : undefined))
        ?? (tool === undefined ? undefined : JSON.stringify(tool['input']))
        ?? text(message?.['content'])
        ?? joinParts(list(message?.['content']), (part) => part['text'])
        ?? text(choice?.['text'])
        ?? text(data['text'])
        ?? text(data['response'])
        ?? joinParts(list(object(data['message'])?.['content']), (part) => part['text'])
        ?? text(object(list(data['results'])[0])?.['text'])
        ?? text(data['output'])
        ?? text(call?.['arguments'])
        ?? '';
}

function replyReasoning(data: Json, message: Json | undefined, choice: Json | undefined): string | undefined {
    return text(message?.['reasoning_content'])
        ?? text(message?.['reasoning'])
        ?? text(choice?.['reasoning'])
        ?? joinParts(list(data['content']), (part) => (part['type'] === 'thinking' ? part['thinking'] : undefined))
        ?? joinParts(list(object(data['responseContent'])?.['parts']), (part) => (part['thought'] === true ? part['text'] : undefined))
        ?? text(data['thinking']);
}

function replyUsage(data: Json): ModelUsage | undefined {
    const usage = object(data['usage']) ?? object(data['usageMetadata']);
    if (usage === undefined) return undefined;
    const number = (...values: unknown[]): number | undefined => values.find((value) => typeof value === 'number');
    return {
        promptTokens: number(usage['prompt_tokens'], usage['input_tokens'], usage['promptTokenCount']),
        completionTokens: number(usage['completion_tokens'], usage['output_tokens'], usage['candidatesTokenCount']),
        cachedTokens: number(
            object(usage['prompt_tokens_details'])?.['cached_tokens'],
            usage['prompt_cache_hit_tokens'],
            usage['cache_read_input_tokens'],
            usage['cachedContentTokenCount'],
        ),
    };
}

const stops = ['stop', 'end_turn', 'eos', 'stop_sequence', 'complete', 'tool_calls', 'tool_use'];
const lengths = ['length', 'max_tokens', 'max_output_tokens', 'model_length'];

function finishReason(data: Json, choice: Json | undefined): ModelReply['finishReason'] {
    const raw = text(choice?.['finish_reason']) ?? text(data['stop_reason']) ?? text(data['finish_reason']) ?? text(choice?.['stop_reason']);
    if (raw === undefined) return 'unknown';
    const name = raw.toLowerCase();
    if (stops.includes(name)) return 'stop';
    return lengths.includes(name) ? 'length' : 'other';
}

/** Reads a response body of ST's generate endpoints. Throws ModelCallError of kind `http` for an error in it, `empty` without text. */
export function readReply(body: unknown): ModelReply {
    // llama.cpp answers with a list of one.
    const data = object(Array.isArray(body) ? body[0] : body) ?? {};
    if (data['error'] !== undefined && data['error'] !== false && data['error'] !== null) throw errorOfBody(data, undefined);
    const choice = object(list(data['choices'])[0]);
    const message = object(choice?.['message']);
    const reply: ModelReply = {
        text: replyText(data, message, choice),
        reasoning: replyReasoning(data, message, choice),
        finishReason: finishReason(data, choice),
        usage: replyUsage(data),
        model: text(data['model']),
    };
    if (reply.text.trim() === '') {
        const cut = reply.finishReason === 'length' ? ' (the response limit was spent on reasoning)' : '';
        throw new ModelCallError(`the model sent no text${cut}`, 'empty', true);
    }
    return reply;
}

// ST's server often answers 200 with only the upstream status text in `error.message`, so the text decides.
const permanent = /bad request|unauthori[sz]ed|forbidden|not found|payment required|payload too large|content too large|unprocessable|method not allowed|unsupported|invalid|api key|quota/i;

/** The error a response tells of. `status` is the HTTP status where it was not 200. */
export function errorOfBody(body: unknown, status: number | undefined): ModelCallError {
    const data = object(body);
    const error = data?.['error'];
    const said = text(object(error)?.['message']) ?? text(error) ?? text(data?.['message']) ?? text(object(data?.['detail'])?.['message']);
    const message = said ?? (status === undefined ? 'the API returned an error' : `the API answered ${status}`);
    const spent = data?.['quota_error'] === true;
    // ST itself answers 400 where a key or the source is missing, and 500 for whatever went wrong upstream.
    const permanentStatus = status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 425 && status !== 429;
    return new ModelCallError(message, 'http', !(spent || permanentStatus || permanent.test(message)));
}

/** Whatever a call threw as a ModelCallError: aborts, broken connections, ST's wrapped and thrown bodies. */
export function asModelCallError(cause: unknown, signal: AbortSignal): ModelCallError {
    if (cause instanceof ModelCallError) return cause;
    const name = cause instanceof Error ? cause.name : '';
    if (signal.aborted || name === 'AbortError') return new ModelCallError('the call was stopped', 'aborted', false, { cause });
    if (cause instanceof TypeError) return new ModelCallError(cause.message, 'no-connection', true, { cause });
    if (cause instanceof Error && cause.cause !== undefined) return asModelCallError(cause.cause, signal);
    if (cause instanceof SyntaxError) return new ModelCallError('the API answered with something else than JSON', 'http', true, { cause });
    if (cause instanceof Error) {
        if (/cancelled|aborted/i.test(cause.message)) return new ModelCallError(cause.message, 'aborted', false, { cause });
        if (/no message generated/i.test(cause.message)) return new ModelCallError(cause.message, 'empty', true, { cause });
        return errorOfBody({ error: { message: cause.message } }, undefined);
    }
    if (typeof cause === 'object' && cause !== null) return errorOfBody(cause, undefined);
    return new ModelCallError(String(cause), 'unknown', false);
}
