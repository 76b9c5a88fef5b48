import { ModelCallError, type ModelPort, type ModelReply, type ModelRequest } from '../ports';
import { connectionProfilesAvailable } from './capabilities';
import { importTavernModule, tavern, type ModuleImporter, type TavernProfile } from './context';
import { chatCompletionBody, jsonSchemaOf } from './model-body';
import { postForReply } from './model-post';
import { rawCall } from './model-raw';
import { asModelCallError, readReply } from './model-reply';
import { textCompletionCall } from './model-text';
import { passesStructuredOutput } from './structured-sources';

/** The connection profiles a call can name, in the user's order; none where the Connection Manager is off. */
export function profiles(): { id: string; name: string }[] {
    if (!connectionProfilesAvailable()) return [];
    const found = tavern().ConnectionManagerRequestService?.getSupportedProfiles() ?? [];
    return found.map(({ id, name }) => ({ id, name }));
}

function findProfile(id: string): TavernProfile {
    if (!connectionProfilesAvailable()) throw new ModelCallError('the Connection Manager extension is off', 'unsupported', false);
    const profile = tavern().ConnectionManagerRequestService?.getSupportedProfiles().find((candidate) => candidate.id === id);
    if (profile === undefined) throw new ModelCallError(`there is no connection profile ${id}`, 'unsupported', false);
    return profile;
}

async function profileCall(id: string, request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const profile = findProfile(id);
    const context = tavern();
    const family = context.CONNECT_API_MAP?.[profile.api ?? '']?.selected ?? 'openai';
    const jsonSchema = family === 'openai' ? jsonSchemaOf(request) : null;
    const override = {
        ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
        ...(jsonSchema === null ? {} : { json_schema: jsonSchema }),
    };
    // A profile without a preset has no limit of its own to go by.
    const maxTokens = request.maxTokens ?? (profile.preset === undefined || profile.preset === '' ? context.chatCompletionSettings.openai_max_tokens : undefined);
    const messages = request.messages.map(({ role, content }) => ({ role, content }));
    // Text completion is left to ST to extract: it trims the instruct template's sequences there.
    const extractData = family !== 'openai';
    const answer = await context.ConnectionManagerRequestService?.sendRequest(id, messages, maxTokens, { stream: false, signal, extractData, includePreset: true, includeInstruct: true }, override);
    if (!extractData) return readReply(answer);
    const extracted = answer as { content?: unknown; reasoning?: unknown };
    const text = typeof extracted.content === 'string' ? extracted.content : '';
    if (text.trim() === '') throw new ModelCallError('the model sent no text', 'empty', true);
    return { text, reasoning: typeof extracted.reasoning === 'string' && extracted.reasoning !== '' ? extracted.reasoning : undefined, finishReason: 'unknown' };
}

async function mainCall(request: ModelRequest, signal: AbortSignal, importModule: ModuleImporter): Promise<ModelReply> {
    const context = tavern();
    if (context.onlineStatus === 'no_connection') throw new ModelCallError('SillyTavern is not connected to an API', 'no-connection', false);
    if (context.mainApi === 'openai') {
        const body = await chatCompletionBody(request, importModule);
        return postForReply('/api/backends/chat-completions/generate', body, signal);
    }
    if (context.mainApi === 'textgenerationwebui') {
        const reply = await textCompletionCall(request, signal, importModule);
        if (reply !== null) return reply;
    }
    return rawCall(request, signal);
}

/**
 * Model calls through the user's connections. The main connection on chat completion, and named profiles, emit none of
 * ST's generation events, run side by side, end with the signal and leave macros in our texts alone; other APIs fall back
 * to generateRaw (see rawCall for its limits). Never changes the user's selected profile, preset or settings.
 */
export function createModelClient(importModule: ModuleImporter = importTavernModule): ModelPort {
    return {
        async call(request, signal) {
            try {
                if (signal.aborted) throw new ModelCallError('the call was stopped', 'aborted', false);
                const profile = request.connectionProfile;
                return profile === undefined || profile === '' ? await mainCall(request, signal, importModule) : await profileCall(profile, request, signal);
            } catch (error) {
                throw asModelCallError(error, signal);
            }
        },
        connectionOf({ connectionProfile }) {
            if (connectionProfile !== undefined && connectionProfile !== '') return `profile:${connectionProfile}`;
            // What one API refuses another may take.
            const context = tavern();
            return context.mainApi === 'openai' ? `main:${context.chatCompletionSettings.chat_completion_source}:${context.getChatCompletionModel?.() ?? ''}` : `main:${context.mainApi}`;
        },
        passesStructuredOutput: ({ connectionProfile }) => passesStructuredOutput(connectionProfile ?? ''),
        responseLimit({ connectionProfile }) {
            const context = tavern();
            // A profile's limit is its preset's; only the main connection's is at hand.
            if (connectionProfile || context.mainApi !== 'openai') return undefined;
            const limit = Number(context.chatCompletionSettings.openai_max_tokens);
            return limit > 0 ? limit : undefined;
        },
    };
}
