import { tavern } from './context';

/**
 * Chat-completion sources for which ST's server turns `json_schema` into the API's own structured output (1.18:
 * src/endpoints/backends/chat-completions.js). For DeepSeek and AI21 it becomes more prompt text, for MiniMax nothing, and
 * whether the rest take what is sent is not known.
 */
const chatSources: ReadonlySet<string> = new Set([
    'openai', 'azure_openai', 'openrouter', 'custom', 'claude', 'makersuite', 'vertexai', 'mistralai', 'cohere', 'xai', 'perplexity', 'groq', 'fireworks',
    'electronhub', 'aimlapi', 'chutes',
]);

/** Text-completion servers that take a `json_schema` beside the prompt (ST: textgen-settings.js). */
export const schemaTextTypes: ReadonlySet<string> = new Set(['llamacpp', 'tabby']);

/** Whether ST passes structured output on for a profile (by id), or for the main connection when it is empty. */
export function passesStructuredOutput(profileId: string): boolean {
    const context = tavern();
    if (profileId !== '') {
        const profile = context.ConnectionManagerRequestService?.getSupportedProfiles().find(({ id }) => id === profileId);
        const api = context.CONNECT_API_MAP?.[profile?.api ?? ''];
        return api?.selected === 'openai' && chatSources.has(api.source ?? '');
    }
    if (context.mainApi === 'openai') return chatSources.has(context.chatCompletionSettings.chat_completion_source);
    return context.mainApi === 'textgenerationwebui' && schemaTextTypes.has(String(context.textCompletionSettings?.['type'] ?? ''));
}
