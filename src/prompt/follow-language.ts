import { turnNarrative, type Turn } from '../text/turn';
import type { PromptLanguage } from './prompt-input';

/** The language a story is told in, for prompts that follow it: of its last turns and the new line. Chinese where nothing tells. */
export function followLanguage(turns: readonly Turn[], userInput = ''): PromptLanguage {
    const text = [...turns.slice(-4).map((turn) => `${turn.user}\n${turnNarrative(turn)}`), userInput].join('\n');
    const chinese = text.match(/\p{Script=Han}/gu)?.length ?? 0;
    const words = text.match(/\p{Script=Latin}+/gu)?.length ?? 0;
    return words > chinese ? 'en' : 'zh';
}
