import { notice, type Notice } from '../notice';
import { ModelCallError, type ClockPort, type LogPort, type ModelPort, type ModelReply, type ModelRequest, type PromptMessage } from '../ports';
import type { PromptSection } from '../prompt/prompt-input';

/** What reading a reply gave: a value, or what was wrong with it in words the model understands. */
export type Reading<T> =
    | { ok: true; value: T; truncated: boolean; notices?: Notice[] }
    | { ok: false; error: string; /** Code of the sentence that tells users what was wrong; its only parameter is the error. */ reason?: string };

export interface ModelCall<T> {
    request: ModelRequest;
    /** The blocks the prompt was joined from, for the trace. */
    sections: PromptSection[];
    /** Ms for one attempt. */
    timeout: number;
    /** Further attempts after a retryable failure. */
    retries: number;
    /** Structured output is sent whatever comes back (`structuredOutput: on`): no step back to the prompt alone. */
    insistOnStructuredOutput?: boolean;
    read(reply: ModelReply): Reading<T>;
    /** The prompt that asks once more after a reply that could not be read. Absent = no re-ask. */
    reask?(output: string, problem: string): PromptMessage[];
}

/** One line of a turn's bill. */
export interface CallCost {
    purpose: string;
    ms: number;
    promptTokens?: number;
    completionTokens?: number;
    attempts?: number;
}

export interface CallTrace {
    purpose: string;
    sections: PromptSection[];
    output: string;
    reasoning?: string;
    ms: number;
    promptTokens?: number;
    completionTokens?: number;
    error?: string;
}

export type CallResult<T> =
    | { ok: true; value: T; text: string; cost: CallCost; notices: Notice[] }
    | { ok: false; kind: ModelCallError['kind'] | 'malformed'; notice: Notice; cost: CallCost };

export interface CallDeps {
    model: ModelPort;
    clock: ClockPort;
    log: LogPort;
    trace(call: CallTrace): void;
    /** Connections that refused structured output this session: a call without it went well right after one with it had failed. */
    refusesStructuredOutput: Set<string>;
}

const firstPause = 600;

/** What the host or a proxy says of an error it cannot name, and of a server that broke over the request. */
const unclear = /unknown error|returned an error|internal server error/i;

/**
 * The one path of every model call: deadline, abort, retry of retryable failures, structured output that steps back where
 * the API refuses it, one re-ask after an unreadable reply, one retry with more room after a cut one, trace.
 * Never throws for a failed call; an aborted one comes back as kind `aborted`.
 */
export async function callModel<T>(deps: CallDeps, call: ModelCall<T>, signal: AbortSignal): Promise<CallResult<T>> {
    const startedAt = deps.clock.now();
    const connection = deps.model.connectionOf(call.request);
    const cost: CallCost = { purpose: call.request.purpose, ms: 0, attempts: 0 };
    let request = { ...call.request };
    if (!call.insistOnStructuredOutput && deps.refusesStructuredOutput.has(connection)) delete request.structuredOutput;
    /** What the API said to the attempt with structured output before this one went without. */
    let refusal: string | null = null;
    let retriesLeft = call.retries;
    let reasked = false;
    let enlarged = false;
    let kept: { value: T; text: string; notices: Notice[] } | null = null;

    const finish = () => {
        cost.ms = deps.clock.now() - startedAt;
        return cost;
    };
    const succeed = (value: T, text: string, notices: Notice[]): CallResult<T> => ({ ok: true, value, text, cost: finish(), notices });
    const fail = (kind: ModelCallError['kind'] | 'malformed', detail: string, reason?: string): CallResult<T> => ({
        ok: false,
        kind,
        notice: notice(kind === 'aborted' ? 'info' : 'error', `pipeline.call-${kind}`, { purpose: call.request.purpose, detail, ...(reason === undefined ? {} : { reason }) }),
        cost: finish(),
    });

    for (;;) {
        const attemptStart = deps.clock.now();
        cost.attempts = (cost.attempts ?? 0) + 1;
        let reply: ModelReply;
        try {
            reply = await withDeadline(deps, request, call.timeout, signal);
        } catch (cause) {
            const error = asCallError(cause, signal);
            deps.trace({ purpose: request.purpose, sections: call.sections, output: '', ms: deps.clock.now() - attemptStart, error: `${error.kind}: ${error.message}` });
            if (error.kind === 'aborted') return fail('aborted', error.message);
            const mayStepBack = error.kind === 'http' && request.structuredOutput !== undefined && !call.insistOnStructuredOutput;
            if (mayStepBack && (!error.retryable || (retriesLeft === 0 && unclear.test(error.message)))) {
                refusal = error.message;
                request = { ...request, structuredOutput: undefined };
                continue;
            }
            if (error.retryable && retriesLeft > 0) {
                const pause = firstPause * 2 ** (call.retries - retriesLeft);
                retriesLeft -= 1;
                // Some servers refuse it with an error that tells nothing: the retry is made without.
                if (mayStepBack && unclear.test(error.message)) {
                    refusal = error.message;
                    request = { ...request, structuredOutput: undefined };
                }
                try {
                    await deps.clock.wait(pause, signal);
                } catch {
                    return fail('aborted', 'stopped');
                }
                continue;
            }
            if (kept) return succeed(kept.value, kept.text, kept.notices);
            return fail(error.kind, error.message);
        }

        if (refusal !== null) {
            deps.log.info(`structured output refused by ${connection}, asking without from now on`, refusal);
            deps.refusesStructuredOutput.add(connection);
            refusal = null;
        }
        addUsage(cost, reply);
        const reading = call.read(reply);
        deps.trace({
            purpose: request.purpose,
            sections: call.sections,
            output: reply.text,
            reasoning: reply.reasoning,
            ms: deps.clock.now() - attemptStart,
            promptTokens: reply.usage?.promptTokens,
            completionTokens: reply.usage?.completionTokens,
            error: reading.ok ? undefined : reading.error,
        });
        if (reading.ok && !reading.truncated) return succeed(reading.value, reply.text, reading.notices ?? []);

        const cut = reply.finishReason === 'length' || (reading.ok && reading.truncated);
        if (reading.ok) {
            kept = { value: reading.value, text: reply.text, notices: [...(reading.notices ?? []), notice('warning', 'pipeline.truncated', { purpose: request.purpose })] };
        }
        if (cut && !enlarged) {
            enlarged = true;
            const limit = request.maxTokens ?? deps.model.responseLimit?.(request);
            request = { ...request, ...(limit ? { maxTokens: limit * 2 } : {}) };
            continue;
        }
        if (kept) return succeed(kept.value, kept.text, kept.notices);
        const error = reading.ok ? 'truncated' : reading.error;
        if (!reasked && call.reask) {
            reasked = true;
            request = { ...request, messages: call.reask(reply.text, error) };
            continue;
        }
        return fail('malformed', error, reading.ok ? undefined : reading.reason);
    }
}

function addUsage(cost: CallCost, reply: ModelReply): void {
    const { promptTokens, completionTokens } = reply.usage ?? {};
    if (promptTokens !== undefined) cost.promptTokens = (cost.promptTokens ?? 0) + promptTokens;
    if (completionTokens !== undefined) cost.completionTokens = (cost.completionTokens ?? 0) + completionTokens;
}

function asCallError(cause: unknown, signal: AbortSignal): ModelCallError {
    if (signal.aborted) return new ModelCallError('stopped', 'aborted', false, { cause });
    if (cause instanceof ModelCallError) return cause;
    return new ModelCallError(cause instanceof Error ? cause.message : String(cause), 'unknown', false, { cause });
}

/** Makes one attempt, and ends it when the deadline passes or the caller aborts, even where the host cannot abort. */
async function withDeadline(deps: CallDeps, request: ModelRequest, timeout: number, signal: AbortSignal): Promise<ModelReply> {
    if (signal.aborted) throw new ModelCallError('stopped', 'aborted', false);
    const attempt = new AbortController();
    const timer = new AbortController();
    let timedOut = false;
    const stop = () => attempt.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const ended = new Promise<never>((_, reject) => {
        attempt.signal.addEventListener('abort', () => {
            reject(timedOut ? new ModelCallError(`no answer within ${timeout} ms`, 'timeout', true) : new ModelCallError('stopped', 'aborted', false));
        }, { once: true });
    });
    deps.clock.wait(timeout, timer.signal).then(
        () => {
            timedOut = true;
            attempt.abort();
        },
        () => undefined,
    );
    try {
        return await Promise.race([deps.model.call({ ...request, messages: request.messages.map((message) => ({ ...message })) }, attempt.signal), ended]);
    } finally {
        timer.abort();
        signal.removeEventListener('abort', stop);
        ended.catch(() => undefined);
    }
}
