import type { ModelReply, ModelRequest } from '../ports';
import { tavern, type ModuleImporter } from './context';
import { postForReply } from './model-post';
import { schemaTextTypes } from './structured-sources';

type GenerationData = (prompt: string, maxTokens: number, isImpersonate: boolean, isContinue: boolean, cfgValues: null, type: string) => Promise<Record<string, unknown>>;

/** The messages without any template: the texts alone. */
export function plainPrompt(messages: ModelRequest['messages']): string {
    return `${messages.map((message) => message.content).join('\n\n')}\n\n`;
}

/** The user's own instruct template around each message, no macros substituted in them. Null where ST cannot (before 1.14). */
export function instructPrompt(messages: ModelRequest['messages']): string | null {
    const context = tavern();
    const instruct = context.powerUserSettings['instruct'] as { enabled?: boolean } | undefined;
    if (instruct?.enabled !== true) return plainPrompt(messages);
    // Templates that show names shall show the story's, not the roles'.
    const names = { user: context.name1, assistant: context.name2, system: '' };
    return context.TextCompletionService?.constructPrompt?.(messages.map(({ role, content }) => ({ role, content, name: names[role] })), instruct) ?? null;
}

/**
 * One call on a text-completion main connection (`textgenerationwebui`) with the user's sampler settings, ended by the
 * signal. Null where this version lacks a part: the caller then falls back to generateRaw.
 */
export async function textCompletionCall(request: ModelRequest, signal: AbortSignal, importModule: ModuleImporter): Promise<ModelReply | null> {
    const prompt = instructPrompt(request.messages);
    const textgen: Record<string, unknown> = await importModule('/scripts/textgen-settings.js').catch(() => ({}));
    const script: Record<string, unknown> = await importModule('/script.js').catch(() => ({}));
    const generationData = textgen['getTextGenGenerationData'] as GenerationData | undefined;
    const ownLimit = Number(script['amount_gen']);
    if (prompt === null || generationData === undefined || !Number.isFinite(ownLimit)) return null;
    const body = await generationData(prompt, request.maxTokens ?? ownLimit, false, false, null, 'quiet');
    if (request.temperature !== undefined) body['temperature'] = request.temperature;
    if (request.structuredOutput !== undefined && schemaTextTypes.has(String(tavern().textCompletionSettings?.['type']))) body['json_schema'] = request.structuredOutput.schema;
    body['stream'] = false;
    return postForReply('/api/backends/text-completions/generate', body, signal);
}
