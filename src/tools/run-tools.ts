import type { ToolRun } from '../turn-record';
import type { ModelPort } from '../ports';
import type { ToolDefinition } from './definition';
import { rollDiceName } from './roll-dice-tool';
import { runTool, type ToolDeps, type ToolOutcome } from './run-tool';
import { runLimited } from './schedule';
import { failureText, toolFailureText, type ToolFailure } from './tool-result-text';

/** Calls of planning tools in one turn; a planner that asks for more is told. */
export const maximumCalls = 20;

export interface ToolsDeps extends ToolDeps {
    /** Names the connection an llm tool uses; the limit is per connection. */
    connectionOf: ModelPort['connectionOf'];
    /** `pipeline.toolConcurrency`. */
    concurrency: number;
}

/**
 * Runs what the planning agent called: independent calls at once, llm tools of one connection `concurrency` at a time;
 * outcomes in the order of the calls. Unknown names and tools of the other trigger become failed runs. Never rejects.
 */
export function runPlanningTools(calls: readonly { tool: string; params: unknown }[], tools: readonly ToolDefinition[], deps: ToolsDeps): Promise<ToolOutcome[]> {
    const counts = new Map<string, number>();
    // One past the limit is enough to tell the planner.
    const jobs = calls.slice(0, maximumCalls + 1).map((call, position) => {
        const tool = findTool(call.tool, tools);
        const refusal = refusalOf(tool, position, tools);
        if (tool === null || refusal !== null) return { key: 'refused', run: () => Promise.resolve(refused(call, refusal ?? { kind: 'unknown-tool', known: [] }, deps)) };
        const index = counts.get(tool.name) ?? 0;
        counts.set(tool.name, index + 1);
        return { key: keyOf(tool, deps), run: () => runTool(tool, call.params, deps, index) };
    });
    return runLimited(jobs, deps.concurrency);
}

/** Runs post_pipeline tools, limited as planning tools are; outcomes in the order of the tools. Never rejects. */
export function runPostPipelineTools(tools: readonly ToolDefinition[], deps: ToolsDeps): Promise<ToolOutcome[]> {
    const jobs = tools.filter((tool) => tool.trigger === 'post_pipeline').map((tool) => ({ key: keyOf(tool, deps), run: () => runTool(tool, undefined, deps) }));
    return runLimited(jobs, deps.concurrency);
}

/** The rolls of this turn as the context key `dice_results`. */
export function diceResultsText(runs: readonly ToolRun[]): string {
    return runs.filter((run) => run.name === rollDiceName && run.ok).map((run) => run.output ?? '').join('\n');
}

function keyOf(tool: ToolDefinition, deps: ToolsDeps): string {
    return tool.type === 'llm' ? `model:${deps.connectionOf({ connectionProfile: tool.connectionProfile })}` : 'code';
}

/** By name; where no name is the same, by the one that differs in case and blanks alone. */
function findTool(name: string, tools: readonly ToolDefinition[]): ToolDefinition | null {
    const exact = tools.find((tool) => tool.name === name);
    if (exact !== undefined) return exact;
    const fold = (text: string) => text.normalize('NFKC').trim().toLowerCase();
    const near = tools.filter((tool) => fold(tool.name) === fold(name));
    return near.length === 1 ? near[0] ?? null : null;
}

function refusalOf(tool: ToolDefinition | null, position: number, tools: readonly ToolDefinition[]): ToolFailure | null {
    if (position >= maximumCalls) return { kind: 'too-many-calls', limit: maximumCalls };
    if (tool === null) return { kind: 'unknown-tool', known: tools.filter((one) => one.trigger === 'planning').map((one) => one.name) };
    return tool.trigger === 'planning' ? null : { kind: 'wrong-trigger' };
}

function refused(call: { tool: string; params: unknown }, failure: ToolFailure, deps: ToolDeps): ToolOutcome {
    const error = failureText(failure, deps.language);
    const name = call.tool.slice(0, 64);
    const text = toolFailureText(name, error, deps.language);
    return { text, run: { name, trigger: 'planning', ok: false, params: call.params, output: text, error, ms: 0 } };
}
