import { ModelCallError, type ModelReply, type ModelRequest } from '../ports';
import { tavern } from './context';

const ownPrompts = new WeakSet<object>();

/** A piece of each raw call under way: on text completion the host hands on one text made from our messages. */
let ownTexts: string[] = [];

/**
 * Whether a `data.chat` of CHAT_COMPLETION_PROMPT_READY is the array of a raw call of ours: ST hands on the very array it
 * was given (1.13.5 and later). Calls on chat completion and on profiles emit nothing and need no such test.
 */
export function isOwnPrompt(chat: unknown): boolean {
    if (typeof chat === 'string') return ownTexts.some((text) => chat.includes(text));
    return typeof chat === 'object' && chat !== null && ownPrompts.has(chat);
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Calls `generateRaw`, for APIs that are not chat completion and have no better way. One at a time: ST keeps the response
 * length in a global, and parallel calls would mix theirs (and leave the user's setting changed).
 *
 * Limits of this path: ST substitutes macros in the text once more; the reasoning and the finish reason are lost; ST ends
 * the request at its Stop button (1.18+) but not at our signal, so an abort only stops the waiting.
 */
export function rawCall(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const run = async (): Promise<ModelReply> => {
        signal.throwIfAborted();
        const context = tavern();
        if (context.generateRaw === undefined) throw new ModelCallError('this version of SillyTavern has no generateRaw for extensions', 'unsupported', false);
        const prompt = request.messages.map(({ role, content }) => ({ role, content }));
        ownPrompts.add(prompt);
        const mark = prompt.at(-1)?.content.trim() ?? '';
        if (mark !== '') ownTexts = [...ownTexts, mark];
        const call = context.generateRaw({ prompt, responseLength: request.maxTokens ?? null, trimNames: false });
        const stopped = new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new ModelCallError('the call was stopped', 'aborted', false)), { once: true });
        });
        const text = await Promise.race([call, stopped]).finally(() => {
            ownTexts = ownTexts.filter((each) => each !== mark);
        });
        if (text.trim() === '') throw new ModelCallError('the model sent no text', 'empty', true);
        return { text, finishReason: 'unknown' };
    };
    const result = queue.then(run, run);
    queue = result.catch(() => undefined);
    return result;
}
