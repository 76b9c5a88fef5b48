import { describe, expect, it, vi } from 'vitest';
import { callModel, type CallDeps, type CallTrace, type ModelCall } from '../../src/pipeline/call-model';
import { ModelCallError, type ModelPort, type ModelReply, type ModelRequest } from '../../src/ports';

type Step = Partial<ModelReply> | ModelCallError | 'hang';

/** A model that answers by a list of steps, and a clock that only passes when it is waited on. */
function stage(steps: Step[], options: { limit?: number } = {}) {
    const requests: ModelRequest[] = [];
    const traces: CallTrace[] = [];
    let now = 0;
    let aborted = 0;
    const model: ModelPort = {
        connectionOf: () => 'main',
        responseLimit: () => options.limit,
        call(request, signal) {
            requests.push(request);
            const step = steps.shift();
            if (step === 'hang') {
                return new Promise((_, reject) => {
                    signal.addEventListener('abort', () => {
                        aborted += 1;
                        reject(new ModelCallError('aborted', 'aborted', false));
                    });
                });
            }
            if (step instanceof ModelCallError) return Promise.reject(step);
            return Promise.resolve({ text: 'ok', finishReason: 'stop', ...step });
        },
    };
    const waiting: { at: number; resolve: () => void }[] = [];
    const deps: CallDeps = {
        model,
        clock: {
            now: () => now,
            wait: (ms, signal) => new Promise((resolve, reject) => {
                waiting.push({ at: now + ms, resolve });
                signal?.addEventListener('abort', () => reject(new Error('aborted')));
            }),
        },
        log: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() },
        trace: (call) => traces.push(call),
        refusesStructuredOutput: new Set(),
    };
    const pass = async (ms: number): Promise<void> => {
        for (let step = 0; step < 20; step += 1) await Promise.resolve();
        now += ms;
        for (const each of waiting) if (each.at <= now) each.resolve();
        for (let step = 0; step < 20; step += 1) await Promise.resolve();
    };
    return { deps, requests, traces, pass, abortedRequests: () => aborted };
}

const call = (over: Partial<ModelCall<string>> = {}): ModelCall<string> => ({
    request: { purpose: 'mergedAnalysis', messages: [{ role: 'user', content: 'x' }] },
    sections: [],
    timeout: 1000,
    retries: 2,
    read: (reply) => (reply.text.startsWith('bad') ? { ok: false, error: 'no json' } : { ok: true, value: reply.text, truncated: reply.text.endsWith('…') }),
    reask: (output, problem) => [{ role: 'user', content: `again: ${problem} in ${output}` }],
    ...over,
});
const open = (): AbortSignal => new AbortController().signal;
const http = (retryable: boolean): ModelCallError => new ModelCallError('500', 'http', retryable);

describe('callModel', () => {
    it('gives the value and what it cost', async () => {
        const { deps, traces } = stage([{ text: 'fine', usage: { promptTokens: 10, completionTokens: 3 } }]);
        const result = await callModel(deps, call(), open());
        expect(result).toMatchObject({ ok: true, value: 'fine', cost: { attempts: 1, promptTokens: 10, completionTokens: 3 } });
        expect(traces).toHaveLength(1);
    });

    it('tries a retryable failure again after a pause, as often as it may', async () => {
        const { deps, requests, pass } = stage([http(true), http(true), { text: 'third' }]);
        const result = callModel(deps, call(), open());
        await pass(600);
        expect(requests).toHaveLength(2);
        await pass(1200);
        expect(await result).toMatchObject({ ok: true, value: 'third', cost: { attempts: 3 } });
    });

    it('does not repeat what cannot succeed', async () => {
        const { deps, requests } = stage([http(false)]);
        expect(await callModel(deps, call(), open())).toMatchObject({ ok: false, kind: 'http' });
        expect(requests).toHaveLength(1);
    });

    it('ends an attempt at its deadline, and the request with it', async () => {
        const { deps, pass, abortedRequests } = stage(['hang', { text: 'second' }]);
        const result = callModel(deps, call({ retries: 1 }), open());
        await pass(1000);
        expect(abortedRequests()).toBe(1);
        await pass(600);
        expect(await result).toMatchObject({ ok: true, value: 'second' });
    });

    it('ends at once when stopped, in a call or in a pause, and calls no more', async () => {
        for (const steps of [['hang'] as Step[], [http(true)] as Step[]]) {
            const { deps, requests, pass } = stage(steps);
            const controller = new AbortController();
            const result = callModel(deps, call(), controller.signal);
            await pass(0);
            controller.abort('stopped');
            expect(await result).toMatchObject({ ok: false, kind: 'aborted', notice: { level: 'info' } });
            expect(requests).toHaveLength(1);
        }
    });

    it('asks once more after an unreadable reply, with the error', async () => {
        const { deps, requests } = stage([{ text: 'bad one' }, { text: 'good' }]);
        expect(await callModel(deps, call(), open())).toMatchObject({ ok: true, value: 'good' });
        expect(requests[1]?.messages).toEqual([{ role: 'user', content: 'again: no json in bad one' }]);
        const again = stage([{ text: 'bad one' }, { text: 'bad two' }, { text: 'good' }]);
        expect(await callModel(again.deps, call(), open())).toMatchObject({ ok: false, kind: 'malformed' });
        expect(again.requests).toHaveLength(2);
    });

    it('names what could not be read by a code, for a sentence in the user\'s language', async () => {
        const { deps } = stage([{ text: 'bad one' }, { text: 'bad two' }]);
        const read: ModelCall<string>['read'] = () => ({ ok: false, error: 'no json', reason: 'text.output-no-json' });
        expect(await callModel(deps, { ...call(), read }, open())).toMatchObject({ notice: { code: 'pipeline.call-malformed', params: { detail: 'no json', reason: 'text.output-no-json' } } });
    });

    it('gives a cut reply more room once, then keeps its whole items and says so', async () => {
        const { deps, requests } = stage([{ text: 'half…', finishReason: 'length' }, { text: 'half again…', finishReason: 'length' }], { limit: 400 });
        const result = await callModel(deps, call(), open());
        expect(requests.map((request) => request.maxTokens)).toEqual([undefined, 800]);
        expect(result).toMatchObject({ ok: true, value: 'half again…', notices: [{ code: 'pipeline.truncated' }] });
    });

    it('keeps what a cut reply gave when the larger attempt fails', async () => {
        const { deps } = stage([{ text: 'half…', finishReason: 'length' }, http(false)]);
        expect(await callModel(deps, call(), open())).toMatchObject({ ok: true, value: 'half…' });
    });

    it('does without structured output where the connection refuses it, and remembers', async () => {
        const { deps, requests } = stage([http(false), { text: 'plain' }, { text: 'next' }]);
        const structured = call({ request: { purpose: 'planning', messages: [], structuredOutput: { name: 'guide', schema: {} } } });
        expect(await callModel(deps, structured, open())).toMatchObject({ ok: true, value: 'plain' });
        expect(requests.map((request) => request.structuredOutput !== undefined)).toEqual([true, false]);
        await callModel(deps, structured, open());
        expect(requests[2]?.structuredOutput).toBeUndefined();
    });

    const structured = (over: Partial<ModelCall<string>> = {}): ModelCall<string> => call({ request: { purpose: 'planning', messages: [], structuredOutput: { name: 'guide', schema: {} } }, ...over });

    it('does not take an error of another cause for a refusal of structured output', async () => {
        const { deps, requests } = stage([http(false), http(false), { text: 'next' }]);
        expect(await callModel(deps, structured(), open())).toMatchObject({ ok: false, kind: 'http' });
        await callModel(deps, structured(), open());
        expect(requests.map((request) => request.structuredOutput !== undefined)).toEqual([true, false, true]);
    });

    it('makes the retry after an unnamed error without structured output, after a busy server with it', async () => {
        for (const [message, kept] of [['Unknown error occurred', false], ['Too Many Requests', true]] as const) {
            const { deps, requests, pass } = stage([new ModelCallError(message, 'http', true), { text: 'fine' }]);
            const result = callModel(deps, structured(), open());
            await pass(600);
            expect(await result).toMatchObject({ ok: true });
            expect(requests.map((request) => request.structuredOutput !== undefined)).toEqual([true, kept]);
            expect(deps.refusesStructuredOutput.size).toBe(kept ? 0 : 1);
        }
    });

    it('insists on structured output when told to', async () => {
        const { deps, requests } = stage([http(false), { text: 'plain' }]);
        expect(await callModel(deps, structured({ insistOnStructuredOutput: true }), open())).toMatchObject({ ok: false, kind: 'http' });
        expect(requests).toHaveLength(1);
    });
});
