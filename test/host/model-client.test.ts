import { afterEach, describe, expect, it, vi } from 'vitest';
import { createModelClient, profiles } from '../../src/host/model-client';
import { isOwnPrompt } from '../../src/host/model-raw';
import type { ModelRequest } from '../../src/ports';
import { installTavern } from './fake-tavern';

const request: ModelRequest = { purpose: 'mergedAnalysis', messages: [{ role: 'system', content: '规则' }, { role: 'user', content: '{{user}} 说' }] };
const noModules = () => Promise.reject(new Error('no such module'));
const signal = () => new AbortController().signal;

function answerWith(body: unknown, status = 200) {
    const sent: { url: string; body: Record<string, unknown> }[] = [];
    const fake = vi.fn(async (url: string, init: RequestInit) => {
        sent.push({ url, body: JSON.parse(String(init.body)) as Record<string, unknown> });
        return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
    });
    vi.stubGlobal('fetch', fake);
    return sent;
}

const reply = { model: 'm', choices: [{ finish_reason: 'length', message: { content: '{"events":[', reasoning_content: '想' } }], usage: { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } } };

afterEach(() => vi.unstubAllGlobals());

describe('the main chat-completion connection', () => {
    it('uses the body ST would build and overrides only what the request asks for', async () => {
        installTavern();
        const sent = answerWith(reply);
        const create = vi.fn(async (_settings, model, type, messages) => ({ generate_data: { type, model, messages, temperature: 1, max_tokens: 300, stream: true, stop: ['\n旅人:'], tools: [{}], top_p: 0.9 } }));
        const client = createModelClient(async () => ({ createGenerationParameters: create }));
        const got = await client.call({ ...request, maxTokens: 50, temperature: 0.2, structuredOutput: { name: 'analysis', schema: { type: 'object' } } }, signal());
        expect(got).toMatchObject({ text: '{"events":[', reasoning: '想', finishReason: 'length', usage: { promptTokens: 9, completionTokens: 3, cachedTokens: 4 }, model: 'm' });
        expect(create).toHaveBeenCalledWith(expect.anything(), 'storyteller', 'quiet', expect.anything(), { jsonSchema: { name: 'analysis', value: { type: 'object' }, strict: true } });
        expect(sent[0]?.body).toMatchObject({ max_tokens: 50, temperature: 0.2, stream: false, top_p: 0.9, json_schema: { name: 'analysis' } });
        expect(sent[0]?.body).not.toHaveProperty('stop');
        expect(sent[0]?.body).not.toHaveProperty('tools');
        expect(sent[0]?.body['messages']).toEqual(request.messages);
        await client.call({ ...request, structuredOutput: { name: 'patches', schema: {}, strict: false } }, signal());
        expect(sent[1]?.body).toMatchObject({ json_schema: { name: 'patches', strict: false } });
    });

    it('builds the body from the settings where ST has no builder (1.13.5)', async () => {
        installTavern();
        const sent = answerWith(reply);
        await createModelClient(noModules).call({ ...request, maxTokens: 50 }, signal());
        expect(sent[0]).toMatchObject({ url: '/api/backends/chat-completions/generate', body: { chat_completion_source: 'custom', custom_url: 'http://127.0.0.1:9/v1', max_tokens: 50, temperature: 1, model: 'storyteller' } });
    });

    it('runs calls with different limits side by side without touching the settings', async () => {
        const { context } = installTavern();
        const sent = answerWith(reply);
        const client = createModelClient(noModules);
        await Promise.all([11, 22, 33].map((maxTokens) => client.call({ ...request, maxTokens }, signal())));
        expect(sent.map(({ body }) => body['max_tokens']).sort()).toEqual([11, 22, 33]);
        expect(context.chatCompletionSettings.openai_max_tokens).toBe(300);
    });

    it.each([
        [{ error: { message: 'Unauthorized' } }, 200, 'http', false],
        [{ error: { message: 'Bad Request' } }, 200, 'http', false],
        [{ error: { message: 'Too Many Requests' } }, 200, 'http', true],
        [{ error: { message: 'Too Many Requests' }, quota_error: true }, 200, 'http', false],
        [{ error: { message: 'Internal Server Error' } }, 200, 'http', true],
        [{ error: true }, 400, 'http', false],
        ['<html>gateway</html>', 502, 'http', true],
        [{ choices: [{ message: { content: '' } }] }, 200, 'empty', true],
        ['not json', 200, 'http', true],
    ])('%j with status %i is %s, retryable %s', async (body, status, kind, retryable) => {
        installTavern();
        answerWith(body, status);
        await expect(createModelClient(noModules).call(request, signal())).rejects.toMatchObject({ name: 'ModelCallError', kind, retryable });
    });

    it('tells a broken connection, a missing one and an abort apart', async () => {
        const { context } = installTavern();
        const client = createModelClient(noModules);
        vi.stubGlobal('fetch', async () => { throw new TypeError('Failed to fetch'); });
        await expect(client.call(request, signal())).rejects.toMatchObject({ kind: 'no-connection', retryable: true });
        context.onlineStatus = 'no_connection';
        await expect(client.call(request, signal())).rejects.toMatchObject({ kind: 'no-connection', retryable: false });
        context.onlineStatus = 'Valid';
        const controller = new AbortController();
        vi.stubGlobal('fetch', (_url: string, init: RequestInit) => new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(new DOMException('x', 'AbortError')))));
        const call = client.call(request, controller.signal);
        setTimeout(() => controller.abort(), 5);
        await expect(call).rejects.toMatchObject({ kind: 'aborted', retryable: false });
    });

    it('takes structured output that came as a tool call', async () => {
        installTavern();
        answerWith({ choices: [{ message: { content: '' } }], content: [{ type: 'thinking', thinking: '想' }, { type: 'tool_use', input: { events: [] } }] });
        expect(await createModelClient(noModules).call(request, signal())).toMatchObject({ text: '{"events":[]}', reasoning: '想' });
    });
});

describe('a connection profile', () => {
    const profile = { id: 'p1', name: '便宜的', api: 'custom', model: 'small', preset: 'P' };
    const settings = { disabledExtensions: [] as string[], connectionManager: { profiles: [profile] } };

    it('goes through the Connection Manager with the request of its own', async () => {
        const sendRequest = vi.fn(async () => reply);
        installTavern({ extensionSettings: settings, CONNECT_API_MAP: { custom: { selected: 'openai' } }, ConnectionManagerRequestService: { sendRequest, getSupportedProfiles: () => [profile] } });
        const client = createModelClient(noModules);
        expect(profiles()).toEqual([{ id: 'p1', name: '便宜的' }]);
        expect(client.connectionOf({ connectionProfile: 'p1' })).not.toBe(client.connectionOf({}));
        expect(await client.call({ ...request, connectionProfile: 'p1', temperature: 0 }, signal())).toMatchObject({ finishReason: 'length' });
        expect(sendRequest).toHaveBeenCalledWith('p1', request.messages, undefined, expect.objectContaining({ stream: false, extractData: false, includePreset: true }), { temperature: 0 });
    });

    it('unwraps ST\'s error, names a missing profile and a disabled manager', async () => {
        const { context } = installTavern({
            extensionSettings: { ...settings },
            ConnectionManagerRequestService: { getSupportedProfiles: () => [profile], sendRequest: async () => { throw new Error('API request failed', { cause: new Error('Unauthorized') }); } },
        });
        const client = createModelClient(noModules);
        await expect(client.call({ ...request, connectionProfile: 'p1' }, signal())).rejects.toMatchObject({ kind: 'http', retryable: false, message: 'Unauthorized' });
        await expect(client.call({ ...request, connectionProfile: 'gone' }, signal())).rejects.toMatchObject({ kind: 'unsupported', retryable: false });
        context.extensionSettings['disabledExtensions'] = ['connection-manager'];
        await expect(client.call({ ...request, connectionProfile: 'p1' }, signal())).rejects.toMatchObject({ kind: 'unsupported' });
        expect(profiles()).toEqual([]);
    });
});

describe('a text-completion connection', () => {
    it('formats with the user\'s instruct template, keeps the user\'s samplers and ends with the signal', async () => {
        const instruct = { enabled: true };
        const constructPrompt = vi.fn((messages: object[]) => messages.map((message) => `[${(message as { name: string }).name}]${(message as { content: string }).content}`).join(''));
        installTavern({ mainApi: 'textgenerationwebui', powerUserSettings: { instruct }, TextCompletionService: { constructPrompt } });
        const sent = answerWith({ choices: [{ text: '答', finish_reason: 'stop' }] });
        const importModule = async (path: string): Promise<Record<string, unknown>> => (path === '/script.js' ? { amount_gen: 80 } : { getTextGenGenerationData: async (prompt: string, max_tokens: number) => ({ prompt, max_tokens, min_p: 0.1 }) });
        expect(await createModelClient(importModule).call(request, signal())).toMatchObject({ text: '答', finishReason: 'stop' });
        expect(sent[0]).toMatchObject({ url: '/api/backends/text-completions/generate', body: { prompt: '[]规则[旅人]{{user}} 说', max_tokens: 80, min_p: 0.1, stream: false } });
        expect(constructPrompt).toHaveBeenCalledWith(expect.anything(), instruct);
    });

    it('falls back to generateRaw where ST lacks the parts', async () => {
        installTavern({ mainApi: 'textgenerationwebui', powerUserSettings: { instruct: { enabled: true } }, generateRaw: async () => '旧' });
        expect(await createModelClient(noModules).call(request, signal())).toMatchObject({ text: '旧', finishReason: 'unknown' });
    });
});

describe('other APIs through generateRaw', () => {
    it('runs one at a time, marks its arrays, and stops waiting on abort', async () => {
        let running = 0;
        let most = 0;
        const seen: unknown[] = [];
        const generateRaw = vi.fn(async (options: Record<string, unknown>) => {
            running += 1;
            most = Math.max(most, running);
            seen.push(options['prompt']);
            await new Promise((resolve) => setTimeout(resolve, 5));
            running -= 1;
            return '文';
        });
        installTavern({ mainApi: 'novel', generateRaw });
        const client = createModelClient(noModules);
        await Promise.all([client.call({ ...request, maxTokens: 11 }, signal()), client.call({ ...request, maxTokens: 22 }, signal())]);
        expect(most).toBe(1);
        expect(seen.every(isOwnPrompt)).toBe(true);
        expect(isOwnPrompt([])).toBe(false);
        const controller = new AbortController();
        const call = client.call(request, controller.signal);
        controller.abort();
        await expect(call).rejects.toMatchObject({ kind: 'aborted' });
        expect(await client.call(request, signal())).toMatchObject({ text: '文' });
    });
});
