import type { ModelReply } from '../ports';
import { tavern } from './context';
import { errorOfBody, readReply } from './model-reply';

/** Posts a generation body to ST's server and reads the reply. The signal ends the HTTP request, here and upstream. */
export async function postForReply(url: string, body: object, signal: AbortSignal): Promise<ModelReply> {
    const response = await fetch(url, {
        method: 'POST',
        headers: tavern().getRequestHeaders(),
        cache: 'no-cache',
        body: JSON.stringify(body),
        signal,
    });
    if (response.ok) return readReply(await response.json());
    const text = await response.text();
    let answer: unknown = { error: { message: text.slice(0, 300) } };
    try {
        answer = JSON.parse(text);
    } catch (error) {
        // A proxy's HTML page or the like: its text is all there is to tell.
        if (!(error instanceof SyntaxError)) throw error;
    }
    throw errorOfBody(answer, response.status);
}
