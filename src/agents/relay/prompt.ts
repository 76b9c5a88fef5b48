import type { PromptLanguage } from '../../prompt/prompt-input';
import type { PromptMessage } from '../../ports';

/**
 * What the placeholder call of the relay delivery answers. More than nothing, or the host takes it for a failure; fewer than
 * five characters, or other extensions take it for a reply and work on it.
 */
export const RELAY_PLACEHOLDER = '…';

/** The prompt that replaces the host's own in relay delivery (seed: 中继占位符): the cheapest call there is. */
export function relayPrompt(language: PromptLanguage): PromptMessage[] {
    const ask = language === 'zh' ? `只回复一个字符，不要任何其他内容：${RELAY_PLACEHOLDER}` : `Reply with this single character and nothing else: ${RELAY_PLACEHOLDER}`;
    return [{ role: 'user', content: ask }];
}
