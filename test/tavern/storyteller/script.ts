import type { AgentKind } from './agent';
import type { Answer, Answerer, LoggedRequest } from './server';

type Scripted = Answer | string | ((request: LoggedRequest) => Answer | string | Promise<Answer | string>);

/** Answers written by a test: for each agent a queue, then a standing answer. */
export interface Script {
    answer: Answerer;
    /** The next answers of an agent, in order. */
    queue(agent: AgentKind, ...answers: Scripted[]): void;
    /** The answer of an agent whose queue is empty. */
    always(agent: AgentKind, answer: Scripted): void;
    /** Answers still queued. */
    pending(agent: AgentKind): number;
    /** Back to the standing answers of a fresh script. */
    reset(): void;
}

/** The analysis agent's answer with these events and this summary. */
export function analysisAnswer(events: { type: string; params: Record<string, unknown> }[], summary = '用户意图：探索 | 叙事要点：故事继续'): string {
    return JSON.stringify({ events, summary_entries: [summary] });
}

/** The planning agent's answer with these tool calls. */
export function planningAnswer(toolCalls: { tool: string; params: Record<string, unknown> }[] = [], textRecall: number[] = []): string {
    return JSON.stringify({
        narrative_direction: '守夜人先验看来人的信物，再以规矩回绝，同时留下一条可走的路。', scene_setting: '深夜，北塔门前，有雾', key_points: ['验看信物', '以规矩回绝'],
        tone: '克制', pacing: '中', continuity_notes: ['铜钥匙'], tool_calls: toolCalls, text_recall: textRecall,
    });
}

/** A script with plain standing answers: every reply is told apart by its request number. */
export function createScript(): Script {
    const queues = new Map<AgentKind, Scripted[]>();
    const standing = new Map<AgentKind, Scripted>();
    const reset = (): void => {
        queues.clear();
        standing.clear();
        standing.set('planning', planningAnswer());
        standing.set('writing', (request) => `第 ${request.id} 次书写：雾更浓了。`);
        standing.set('mergedWriting', (request) => `第 ${request.id} 次书写：雾更浓了。`);
        standing.set('mergedAnalysis', analysisAnswer([]));
        standing.set('mvuExtract', JSON.stringify({ patches: [] }));
        standing.set('tool', (request) => `第 ${request.id} 次工具输出`);
        standing.set('relay', '…');
        standing.set('condense', '这一章里，旅人来到北塔。');
        standing.set('chat', (request) => `第 ${request.id} 次闲谈。`);
    };
    reset();
    return {
        answer: async (request) => {
            const next = queues.get(request.agent)?.shift() ?? standing.get(request.agent) ?? '';
            return typeof next === 'function' ? next(request) : next;
        },
        queue: (agent, ...answers) => {
            queues.set(agent, [...(queues.get(agent) ?? []), ...answers]);
        },
        always: (agent, answer) => {
            standing.set(agent, answer);
        },
        pending: (agent) => queues.get(agent)?.length ?? 0,
        reset,
    };
}
