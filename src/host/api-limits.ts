import { notice, type Notice } from '../notice';
import { tavern } from './context';

/** What the user's API cannot be asked for, to be told once; null on chat completion, where everything is supported. */
export function apiNotice(): Notice | null {
    const { mainApi, TextCompletionService } = tavern();
    if (mainApi === 'openai') return null;
    if (mainApi !== 'textgenerationwebui') return notice('warning', 'host.text-raw', { api: mainApi });
    return notice('info', TextCompletionService?.constructPrompt === undefined ? 'host.text-plain' : 'host.text-completion');
}
