import type { PromptLanguage } from '../prompt/prompt-input';
import type { PromptMessage } from '../ports';

const shown = 4000;

/**
 * Asks once more after an output that could not be read: the same prompt, what the model gave, and what was wrong with it.
 * `problem` is a short technical line (the recovery's detail); a cut output is asked for again, shorter.
 */
export function reaskMessages(messages: readonly PromptMessage[], output: string, problem: string, language: PromptLanguage, truncated = false): PromptMessage[] {
    const why = truncated
        ? { zh: '上一次的输出没有写完就被截断了。请重新输出完整的 JSON 对象，内容更精简。', en: 'The last output was cut off before its end. Output the whole JSON object again, more briefly.' }
        : { zh: `上一次的输出无法读取：${problem}。请重新输出，只给出一个符合格式的 JSON 对象，不加解释、不用代码围栏。`, en: `The last output could not be read: ${problem}. Output it again: exactly one JSON object in the required format, no explanation, no code fence.` };
    const before = output.trim() === '' ? [] : [{ role: 'assistant' as const, content: output.length > shown ? `${output.slice(0, shown)}…` : output }];
    return [...messages, ...before, { role: 'user', content: why[language] }];
}
