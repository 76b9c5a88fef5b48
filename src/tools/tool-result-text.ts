import type { PromptLanguage } from '../prompt/prompt-input';

/** UTF-16 units of one tool's result that reach the writing agent and the turn record. */
export const resultLimit = 4_000;

/** A code tool's value as the writing agent reads it: text as it is, else JSON. */
export function valueText(value: unknown): string {
    return typeof value === 'string' ? value.trim() : JSON.stringify(value) ?? '';
}

/** One planning tool's result with its name, as it stands in `<tool_results>`. */
export function toolResultText(name: string, value: string, language: PromptLanguage): string {
    const label = language === 'zh' ? `${name} 结果：` : `${name} result: `;
    const text = value === '' || value === 'null' ? (language === 'zh' ? '（无返回值）' : '(no value)') : value;
    return label + (text.includes('\n') ? '\n' : '') + shortened(text, language);
}

/** What the writing agent is told of a tool that failed. */
export function toolFailureText(name: string, error: string, language: PromptLanguage): string {
    return language === 'zh'
        ? `工具 ${name} 执行失败：${error}。没有可用的结果，不要编造。`
        : `The tool ${name} failed: ${error}. There is no result; do not invent one.`;
}

function shortened(text: string, language: PromptLanguage): string {
    return text.length <= resultLimit ? text : text.slice(0, resultLimit) + (language === 'zh' ? '…（已截断）' : '… (cut)');
}

export type ToolFailure =
    | { kind: 'unknown-tool'; known: string[] }
    | { kind: 'wrong-trigger' }
    | { kind: 'too-many-calls'; limit: number }
    | { kind: 'timeout'; deadline: number }
    | { kind: 'memory' }
    | { kind: 'aborted' }
    | { kind: 'empty' }
    | { kind: 'other'; message: string };

/** Why a tool failed, for the writing agent and the author. */
export function failureText(failure: ToolFailure, language: PromptLanguage): string {
    const zh = language === 'zh';
    switch (failure.kind) {
        case 'unknown-tool': return zh ? `没有这个工具，可用的有 ${failure.known.join('、') || '（无）'}` : `no such tool; there are ${failure.known.join(', ') || 'none'}`;
        case 'wrong-trigger': return zh ? '它在写作之后自动执行，不能由规划调用' : 'it runs by itself after the writing and cannot be called by the planning agent';
        case 'too-many-calls': return zh ? `一轮最多调用 ${failure.limit} 次工具` : `at most ${failure.limit} tool calls in one turn`;
        case 'timeout': return zh ? `超过 ${failure.deadline} 毫秒，已中止` : `stopped after ${failure.deadline} ms`;
        case 'memory': return zh ? '占用内存过多，已中止' : 'stopped for using too much memory';
        case 'aborted': return zh ? '已停止' : 'stopped';
        case 'empty': return zh ? '模型没有输出' : 'the model gave no output';
        case 'other': return failure.message;
    }
}
