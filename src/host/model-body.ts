import type { ModelRequest } from '../ports';
import { tavern, type ChatCompletionSettings, type ModuleImporter, type TavernContext } from './context';

type Body = Record<string, unknown>;
type CreateGenerationParameters = (settings: ChatCompletionSettings, model: string, type: string, messages: object[], options: { jsonSchema: object | null }) => Promise<{ generate_data: Body }>;

/** ST's `json_schema` for a request, null when it asks for plain text. */
export function jsonSchemaOf(request: ModelRequest): { name: string; value: object; strict: boolean } | null {
    if (request.structuredOutput === undefined) return null;
    return { name: request.structuredOutput.name, value: request.structuredOutput.schema, strict: request.structuredOutput.strict ?? true };
}

const proxied = ['claude', 'openai', 'mistralai', 'makersuite', 'vertexai', 'deepseek', 'xai'];
const reasoningModel = /^(openai\/)?(o1|o3|o4|gpt-5)/;

/**
 * A request body from the settings, for versions before `createGenerationParameters` (1.13.5: openai.js sendOpenAIRequest).
 * Fields of all sources are sent together: ST's server reads only those of the source named.
 */
function bodyFromSettings(context: TavernContext, model: string, messages: object[]): Body {
    const settings = context.chatCompletionSettings;
    const source = settings.chat_completion_source;
    const number = (key: string): number | undefined => (settings[key] === undefined || settings[key] === null ? undefined : Number(settings[key]));
    const body: Body = {
        type: 'quiet',
        messages,
        model,
        chat_completion_source: source,
        temperature: number('temp_openai'),
        frequency_penalty: number('freq_pen_openai'),
        presence_penalty: number('pres_pen_openai'),
        top_p: number('top_p_openai'),
        max_tokens: settings.openai_max_tokens,
        stream: false,
        user_name: context.name1,
        char_name: context.name2,
        group_names: [],
        include_reasoning: Boolean(settings['show_thoughts']),
        reasoning_effort: settings['reasoning_effort'] === 'auto' ? undefined : settings['reasoning_effort'],
        custom_prompt_post_processing: settings['custom_prompt_post_processing'],
        use_makersuite_sysprompt: settings['use_makersuite_sysprompt'],
        claude_use_sysprompt: settings['claude_use_sysprompt'],
        use_sysprompt: settings['use_sysprompt'],
    };
    for (const key of ['custom_url', 'custom_include_body', 'custom_exclude_body', 'custom_include_headers', 'azure_base_url', 'azure_deployment_name', 'azure_api_version', 'vertexai_auth_mode', 'vertexai_region', 'vertexai_express_project_id']) body[key] = settings[key];
    if (['claude', 'openrouter', 'makersuite', 'vertexai', 'cohere', 'perplexity', 'electronhub', 'nanogpt'].includes(source)) body['top_k'] = number('top_k_openai');
    if (source === 'openrouter') {
        Object.assign(body, {
            min_p: number('min_p_openai'),
            top_a: number('top_a_openai'),
            repetition_penalty: number('repetition_penalty_openai'),
            use_fallback: settings['openrouter_use_fallback'],
            provider: settings['openrouter_providers'],
            allow_fallbacks: settings['openrouter_allow_fallbacks'],
            middleout: settings['openrouter_middleout'],
        });
    }
    const proxy = settings['reverse_proxy'];
    if (typeof proxy === 'string' && proxy !== '' && proxied.includes(source)) {
        body['reverse_proxy'] = proxy;
        body['proxy_password'] = settings['proxy_password'];
    }
    if (['openai', 'azure_openai', 'openrouter'].includes(source) && reasoningModel.test(model)) {
        body['max_completion_tokens'] = body['max_tokens'];
        for (const key of ['max_tokens', 'temperature', 'top_p', 'frequency_penalty', 'presence_penalty']) Reflect.deleteProperty(body, key);
    }
    return body;
}

const narrativePurposes: readonly ModelRequest['purpose'][] = ['writing', 'mergedWriting', 'relay'];

/**
 * The body of one call on the main chat-completion connection, as ST itself would build it for the user's settings
 * (openai.js createGenerationParameters), with this request's own limit and temperature. Never touches the settings, so
 * calls may run side by side. Macros in the messages are left as they are.
 */
export async function chatCompletionBody(request: ModelRequest, importModule: ModuleImporter): Promise<Body> {
    const context = tavern();
    const settings = context.chatCompletionSettings;
    // ST changes roles in place for some models.
    const messages = request.messages.map(({ role, content }) => ({ role, content }));
    const jsonSchema = jsonSchemaOf(request);
    const openai: Record<string, unknown> = await importModule('/scripts/openai.js').catch(() => ({}));
    const model = context.getChatCompletionModel?.() ?? (openai['getChatCompletionModel'] as (() => string) | undefined)?.() ?? '';
    const create = openai['createGenerationParameters'] as CreateGenerationParameters | undefined;
    const body = create === undefined
        ? bodyFromSettings(context, model, messages)
        : { ...(await create(settings, model, 'quiet', messages, { jsonSchema })).generate_data };
    if (jsonSchema !== null) body['json_schema'] = jsonSchema;
    body['stream'] = false;
    for (const key of ['tools', 'tool_choice', 'n', 'logprobs', 'top_logprobs']) Reflect.deleteProperty(body, key);
    body['request_images'] = false;
    if (!narrativePurposes.includes(request.purpose)) {
        // The user's stop strings, bias and web search are for prose; they would cut or spoil JSON.
        for (const key of ['stop', 'logit_bias']) Reflect.deleteProperty(body, key);
        body['enable_web_search'] = false;
    }
    if (request.maxTokens !== undefined) body['max_completion_tokens' in body ? 'max_completion_tokens' : 'max_tokens'] = request.maxTokens;
    // A body without a temperature is of a model that takes none.
    if (request.temperature !== undefined && 'temperature' in body) body['temperature'] = request.temperature;
    return body;
}
