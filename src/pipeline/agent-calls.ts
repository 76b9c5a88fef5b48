import { analysisStructuredOutput, recoverAnalysis, type Analysis } from '../agents/merged-analysis/output';
import { planningStructuredOutput, recoverPlanning } from '../agents/planning/output';
import { reaskMessages } from '../agents/reask';
import type { Config } from '../config';
import type { AgentName, ModelReply, ModelRequest } from '../ports';
import type { BuiltPrompt, PromptLanguage, WritingGuide } from '../prompt/prompt-input';
import { unwrapNarrative } from '../text/assemble';
import type { Recovered } from '../text/recover-json';
import type { ToolDefinition } from '../tools/definition';
import { withStructuredOutput } from './structured-call';
import { callModel, type CallDeps, type CallResult, type ModelCall, type Reading } from './call-model';

/** Calls of the pipeline's own agents, with each agent's settings. All go through callModel. */
export interface AgentCalls {
    plan(prompt: BuiltPrompt, tools: ToolDefinition[], signal: AbortSignal): Promise<CallResult<WritingGuide>>;
    /** Only where the host does not make the writing call itself (relay). */
    write(agent: 'writing' | 'mergedWriting', prompt: BuiltPrompt, signal: AbortSignal): Promise<CallResult<string>>;
    analyse(prompt: BuiltPrompt, signal: AbortSignal): Promise<CallResult<Analysis>>;
    condense(messages: ModelRequest['messages'], signal: AbortSignal): Promise<CallResult<string>>;
}

export function createAgentCalls(deps: CallDeps, config: Config, language: PromptLanguage): AgentCalls {
    const request = (agent: AgentName, prompt: BuiltPrompt): ModelRequest => {
        const { connectionProfile, maxTokens, temperature } = config.agents[agent];
        return {
            purpose: agent,
            messages: prompt.messages,
            ...(maxTokens > 0 ? { maxTokens } : {}),
            ...(temperature !== null ? { temperature } : {}),
            ...(connectionProfile !== '' ? { connectionProfile } : {}),
        };
    };
    const limits = (agent: AgentName) => ({ timeout: config.agents[agent].timeout, retries: config.agents[agent].retries });

    const jsonCall = <T>(agent: AgentName, prompt: BuiltPrompt, output: () => ModelRequest['structuredOutput'], recover: (text: string, finish: ModelReply['finishReason']) => Recovered<T>): ModelCall<T> => ({
        ...withStructuredOutput(request(agent, prompt), output, config.structuredOutput, deps.model),
        sections: prompt.sections,
        ...limits(agent),
        read: (reply) => readingOf(recover(reply.text, reply.finishReason)),
        reask: (text, problem) => reaskMessages(prompt.messages, text, problem, language),
    });

    return {
        plan: (prompt, tools, signal) => callModel(deps, jsonCall('planning', prompt, () => planningStructuredOutput(tools), recoverPlanning), signal),
        analyse: (prompt, signal) => callModel(deps, jsonCall('mergedAnalysis', prompt, analysisStructuredOutput, recoverAnalysis), signal),
        write: (agent, prompt, signal) => callModel(deps, {
            request: request(agent, prompt),
            sections: prompt.sections,
            ...limits(agent),
            read: (reply) => {
                const text = unwrapNarrative(reply.text);
                return text === '' ? { ok: false, error: 'no narrative' } : { ok: true, value: text, truncated: false };
            },
        }, signal),
        condense: (messages, signal) => callModel(deps, {
            request: { ...request('mergedAnalysis', { messages, sections: [] }), purpose: 'condense' },
            sections: messages.map((message) => ({ role: message.role, name: 'condense', text: message.content })),
            ...limits('mergedAnalysis'),
            read: (reply) => (reply.text.trim() === '' ? { ok: false, error: 'no text' } : { ok: true, value: reply.text.trim(), truncated: reply.finishReason === 'length' }),
        }, signal),
    };
}

function readingOf<T>(recovered: Recovered<T>): Reading<T> {
    return recovered.ok ? { ok: true, value: recovered.value, truncated: recovered.truncated } : { ok: false, error: recovered.detail, reason: recovered.reason.code };
}
