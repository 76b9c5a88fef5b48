import seedrandom from 'seedrandom';
import type { Config } from '../config';
import type { ToolRun } from '../turn-record';
import type { ClockPort, ModelRequest, SandboxPort, SandboxResult } from '../ports';
import type { BuiltPrompt, PromptLanguage } from '../prompt/prompt-input';
import { withoutReasoning } from '../text/reasoning';
import type { ContextKey, ToolDefinition } from './definition';
import { rollDice } from './dice';
import { diceErrorText, diceText } from './dice-text';
import { checkParameters, parameterProblemsText } from './parameter-check';
import { isObject } from './parameter-schema';
import { isRollDice } from './roll-dice-tool';
import { hasTag, toolHistory } from './tool-history';
import { llmToolPrompt } from './tool-prompt';
import { failureText, toolFailureText, toolResultText, valueText, type ToolFailure } from './tool-result-text';

/** Ms of a code tool whose author asks for no other. */
export const defaultDeadline = 500;
/** Bytes of a code tool. */
export const codeMemory = 32 * 1024 * 1024;

/** The one model-call path as tools see it: the reply, or why there is none. */
export type ToolModelReply = { ok: true; text: string } | { ok: false; message: string; aborted?: boolean };

/** What running a tool takes. All of it is of one turn. */
export interface ToolDeps {
    sandbox: SandboxPort;
    /** Executes in the page; only used for books in `tools.pageBooks` while `tools.codeExecution` is `page`. */
    page?: SandboxPort;
    tools: Pick<Config['tools'], 'codeExecution' | 'pageBooks'>;
    callModel(request: ModelRequest, signal: AbortSignal, prompt: BuiltPrompt): Promise<ToolModelReply>;
    clock: Pick<ClockPort, 'now'>;
    /** The turn's seed, from its record. */
    seed: string;
    /** `toolState(…)`. */
    state: unknown;
    contextValues: Partial<Record<ContextKey, string>>;
    /** Replies of the chat (whole message texts), newest last, for `<tool_history>`. */
    replies: readonly string[];
    language: PromptLanguage;
    signal: AbortSignal;
}

/** One tool run: its record, and the text it gives — to the writer (planning) or to the message (post_pipeline, '' on failure). */
export interface ToolOutcome {
    run: ToolRun;
    text: string;
    /** Of a custom code tool: log, time, memory. */
    sandbox?: SandboxResult;
    /** Of an llm tool: what was sent. */
    prompt?: BuiltPrompt;
}

/**
 * Runs one tool. Never rejects: whatever goes wrong is a run with `ok: false`, and for planning tools a sentence that
 * tells the writing agent. `callIndex` counts the calls of this tool in this turn; with it the random stream's seed is
 * `<turn seed>/<tool>/<call index>`.
 */
export async function runTool(tool: ToolDefinition, params: unknown, deps: ToolDeps, callIndex = 0): Promise<ToolOutcome> {
    const started = deps.clock.now();
    const seed = `${deps.seed}/${tool.name}/${callIndex}`;
    let body: Body;
    try {
        body = await perform(tool, params, seed, deps);
    } catch (error) {
        body = { ok: false, error: error instanceof Error ? error.message : String(error) };
    }
    const planning = tool.trigger === 'planning';
    const { ok, error, detail, output, ...rest } = body;
    const text = ok ? planning ? output ?? '' : tagged(output ?? '', tool.outputTag) : planning ? toolFailureText(tool.name, error ?? '', deps.language) : '';
    const run: ToolRun = {
        name: tool.name, trigger: tool.trigger, ok,
        ...(isKept(params) ? { params } : {}),
        ...(planning ? { output: text } : { length: text.length }),
        ...(error === undefined ? {} : { error: error.slice(0, 500) }),
        ...(tool.type === 'code' ? { seed } : {}),
        ...(detail === undefined ? {} : { detail }),
        ms: Math.max(0, Math.round(deps.clock.now() - started)),
    };
    return { run, text, ...rest };
}

/** Params stay in the record (a replay needs them) unless they are out of all proportion. */
function isKept(params: unknown): boolean {
    return params !== undefined && (JSON.stringify(params) ?? '').length <= 4_000;
}

interface Body {
    ok: boolean;
    output?: string;
    error?: string;
    detail?: Record<string, unknown>;
    sandbox?: SandboxResult;
    prompt?: BuiltPrompt;
}

async function perform(tool: ToolDefinition, params: unknown, seed: string, deps: ToolDeps): Promise<Body> {
    const fail = (failure: ToolFailure): Body => ({ ok: false, error: failureText(failure, deps.language) });
    if (deps.signal.aborted) return fail({ kind: 'aborted' });
    if (isRollDice(tool)) return performDice(params, seed, deps.language);
    // Nobody calls a post_pipeline tool with parameters, so nothing can be required of it.
    const schema = tool.trigger === 'planning' ? tool.parameters : { ...tool.parameters, required: [] };
    const checked = checkParameters(schema, params);
    if (!checked.ok) return { ok: false, error: parameterProblemsText(checked.problems, deps.language) };
    return tool.type === 'code' ? performCode(tool, checked.value, seed, deps, fail) : performModel(tool, checked.value, deps, fail);
}

function performDice(params: unknown, seed: string, language: PromptLanguage): Body {
    const given = isObject(params) ? params : { expr: params };
    const result = rollDice(given, seedrandom(seed));
    if (!result.ok) return { ok: false, error: diceErrorText(result.error, language) };
    // The reason and the branches are in the params already.
    const { reason: _reason, success_branch: _success, failure_branch: _failure, ...detail } = result.roll;
    return { ok: true, output: diceText(result.roll, language), detail };
}

/** The sandbox, unless the user put this tool's book on the list of those that run in the page. */
export function executionOf(tool: Pick<ToolDefinition, 'source'>, settings: Pick<Config['tools'], 'codeExecution' | 'pageBooks'>): 'sandbox' | 'page' {
    const mark = tool.source.lastIndexOf('#');
    return settings.codeExecution === 'page' && mark > 0 && settings.pageBooks.includes(tool.source.slice(0, mark)) ? 'page' : 'sandbox';
}

async function performCode(tool: ToolDefinition, params: Record<string, unknown>, seed: string, deps: ToolDeps, fail: (failure: ToolFailure) => Body): Promise<Body> {
    const port = executionOf(tool, deps.tools) === 'page' && deps.page !== undefined ? deps.page : deps.sandbox;
    const deadline = tool.deadline ?? defaultDeadline;
    // A post_pipeline code tool reads the context it declared as params.
    const context = tool.trigger === 'planning' ? {} : Object.fromEntries(tool.context.map((key) => [key, deps.contextValues[key] ?? '']));
    const result = await port.run({ code: tool.code ?? '', params: { ...context, ...params }, state: deps.state, seed, now: deps.clock.now(), deadline, memory: codeMemory }, deps.signal);
    if (!result.ok) {
        const body = fail(result.kind === 'timeout' ? { kind: 'timeout', deadline } : result.kind === 'memory' || result.kind === 'aborted' ? { kind: result.kind } : { kind: 'other', message: result.message });
        return { ...body, sandbox: result };
    }
    const value = valueText(result.value);
    const output = tool.trigger === 'planning' ? toolResultText(tool.name, value, deps.language) : value === 'null' ? '' : value;
    return { ok: true, output, sandbox: result };
}

async function performModel(tool: ToolDefinition, params: Record<string, unknown>, deps: ToolDeps, fail: (failure: ToolFailure) => Body): Promise<Body> {
    const history = tool.outputTag === undefined ? [] : toolHistory(deps.replies, tool.outputTag, tool.tagLookback ?? 0);
    const prompt = llmToolPrompt(tool, deps.contextValues, history, deps.language, params);
    const reply = await deps.callModel(toolRequest(tool, prompt), deps.signal, prompt);
    if (!reply.ok) return { ...fail(reply.aborted === true ? { kind: 'aborted' } : { kind: 'other', message: reply.message }), prompt };
    const text = withoutReasoning(reply.text).trim();
    if (text === '') return { ...fail({ kind: 'empty' }), prompt };
    return { ok: true, output: tool.trigger === 'planning' ? toolResultText(tool.name, text, deps.language) : text, prompt };
}

/** The model request of an llm tool. */
export function toolRequest(tool: Pick<ToolDefinition, 'name' | 'maxTokens' | 'connectionProfile'>, prompt: BuiltPrompt): ModelRequest {
    return {
        purpose: `tool:${tool.name}`,
        messages: prompt.messages,
        ...(tool.maxTokens === undefined ? {} : { maxTokens: tool.maxTokens }),
        ...(tool.connectionProfile === undefined ? {} : { connectionProfile: tool.connectionProfile }),
    };
}

/** An output whose model forgot the declared tag gets it, so that tool_history and display rules find it. */
function tagged(output: string, tag: string | undefined): string {
    return output === '' || tag === undefined || hasTag(output, tag) ? output : `<${tag}>\n${output}\n</${tag}>`;
}

/** Rolls again from a run's seed and params: the same dice. A run that is no roll comes back as it is. */
export function replayRoll(run: ToolRun, language: PromptLanguage): ToolRun {
    if (run.seed === undefined || run.detail?.['attempts'] === undefined) return run;
    const { ok, output, error, detail } = performDice(run.params, run.seed, language);
    return { ...run, ok, ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }), ...(detail === undefined ? {} : { detail }) };
}
