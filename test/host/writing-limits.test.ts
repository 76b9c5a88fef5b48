import { describe, expect, it } from 'vitest';
import { applyWritingLimits } from '../../src/host/writing-limits';
import { passesStructuredOutput } from '../../src/host/structured-sources';
import { apiNotice } from '../../src/host/api-limits';
import { installTavern } from './fake-tavern';

describe('limits of the writing call', () => {
    it('go where the body has its own', () => {
        const chat = { max_tokens: 300, temperature: 1 };
        applyWritingLimits(chat, { maxTokens: 50, temperature: 0.3 }, 'max_tokens');
        expect(chat).toEqual({ max_tokens: 50, temperature: 0.3 });
        // A reasoning model: another name, and no temperature.
        const reasoning: Record<string, unknown> = { max_completion_tokens: 300 };
        applyWritingLimits(reasoning, { maxTokens: 50, temperature: 0.3 }, 'max_tokens');
        expect(reasoning).toEqual({ max_completion_tokens: 50 });
        const text = { max_new_tokens: 300, max_tokens: 300, n_predict: 300, temperature: 1, num_ctx: 8192 };
        applyWritingLimits(text, { maxTokens: 50, temperature: null }, null);
        expect(text).toEqual({ max_new_tokens: 50, max_tokens: 50, n_predict: 50, temperature: 1, num_ctx: 8192 });
    });

    it('leave everything alone where there are none', () => {
        const body = { max_tokens: 300, temperature: 1 };
        applyWritingLimits(body, { maxTokens: null, temperature: null }, 'max_tokens');
        expect(body).toEqual({ max_tokens: 300, temperature: 1 });
    });
});

describe('what the API can be asked for', () => {
    const settings = (source: string) => ({ chat_completion_source: source, openai_max_context: 8000, openai_max_tokens: 300 });

    it('structured output where SillyTavern passes it on as such', () => {
        for (const [source, passes] of [['custom', true], ['openrouter', true], ['claude', true], ['deepseek', false], ['ai21', false]] as const) {
            installTavern({ mainApi: 'openai', chatCompletionSettings: settings(source) });
            expect(passesStructuredOutput(''), source).toBe(passes);
        }
        installTavern({ mainApi: 'textgenerationwebui', textCompletionSettings: { type: 'llamacpp' } });
        expect(passesStructuredOutput('')).toBe(true);
        installTavern({ mainApi: 'textgenerationwebui', textCompletionSettings: { type: 'generic' } });
        expect(passesStructuredOutput('')).toBe(false);
        installTavern({
            mainApi: 'openai',
            chatCompletionSettings: settings('custom'),
            CONNECT_API_MAP: { deepseek: { selected: 'openai', source: 'deepseek' }, openai: { selected: 'openai', source: 'openai' } },
            ConnectionManagerRequestService: { getSupportedProfiles: () => [{ id: 'a', name: 'A', api: 'deepseek' }, { id: 'b', name: 'B', api: 'openai' }], sendRequest: async () => ({}) },
        });
        expect(['a', 'b', 'gone'].map(passesStructuredOutput)).toEqual([false, true, false]);
    });

    it('is told on text completion and on older APIs, not on chat completion', () => {
        installTavern({ mainApi: 'openai' });
        expect(apiNotice()).toBeNull();
        installTavern({ mainApi: 'textgenerationwebui', TextCompletionService: { constructPrompt: () => '' } });
        expect(apiNotice()).toMatchObject({ level: 'info', code: 'host.text-completion' });
        installTavern({ mainApi: 'textgenerationwebui' });
        expect(apiNotice()).toMatchObject({ code: 'host.text-plain' });
        installTavern({ mainApi: 'novel' });
        expect(apiNotice()).toMatchObject({ level: 'warning', code: 'host.text-raw', params: { api: 'novel' } });
    });
});
