import { SHARED_ANALYSIS_PREFIX } from '../agents/shared';
import { reaskMessages } from '../agents/reask';
import { extractMessages, extractOutput, extractToolName } from '../mvu/extract-tool';
import type { Patch } from '../mvu/patch';
import { readPatches } from '../mvu/read-patches';
import type { Notice } from '../notice';
import type { PromptSection } from '../prompt/prompt-input';
import type { ToolDefinition } from '../tools/definition';
import { callModel, type CallCost } from './call-model';
import { withStructuredOutput } from './structured-call';
import type { TurnJournal, TurnWork } from './turn-work';
import type { TurnContext } from './turn-context';
import type { PatchResult, ToolRun, TurnRecord } from '../turn-record';

/** The automatic variable tool is the seed's mvu_extract; entries cannot take its name. */
export function isExtractTool(tool: Pick<ToolDefinition, 'name'>): boolean {
    return tool.name === extractToolName;
}

/** What the user changed by hand at this reply: applied again after a new extraction, in this order. */
export function editsByHand(record: TurnRecord): Patch[] {
    return (record.variables ?? []).flatMap((each) => (each.byUser && each.ok ? [{ op: 'replace' as const, path: each.path, value: each.value, byUser: true }] : []));
}

export interface Extraction {
    /** Null when the answer could not be had or read: nothing is applied. */
    patches: Patch[] | null;
    /** Operations that could not be read, with the reason. */
    rejected: PatchResult[];
    run: ToolRun;
    notices: Notice[];
}

/** Asks for this turn's variable changes (seed: mvu_extract); what comes back is proposals, applied by the variables port. */
export async function extractVariables(work: TurnWork & { context: TurnContext; costs: CallCost[]; journal: TurnJournal }, signal: AbortSignal): Promise<Extraction> {
    const { context, journal, costs } = work;
    const purpose = `tool:${extractToolName}` as const;
    const base = { name: extractToolName, trigger: 'post_pipeline' as const };
    const kept = journal.get(purpose);
    const known = kept === null ? null : readPatches(kept);
    if (known?.ok) return { patches: known.patches, rejected: known.rejected, run: { ...base, ok: true }, notices: [] };

    const messages = extractMessages({
        prefix: SHARED_ANALYSIS_PREFIX[context.language],
        rules: context.variableRules,
        tree: context.variables?.tree ?? {},
        narrative: work.narrative,
        userInput: context.before.userInput,
        language: context.language,
        extraInstructions: context.config.agents.mergedAnalysis.extraInstructions,
    });
    const { timeout, retries, connectionProfile, maxTokens } = context.config.agents.mergedAnalysis;
    const sections: PromptSection[] = messages.map((message) => ({ role: message.role, name: extractToolName, text: message.content }));
    const result = await callModel(work.calls, {
        ...withStructuredOutput({
            purpose,
            messages,
            ...(maxTokens > 0 ? { maxTokens } : {}),
            ...(connectionProfile !== '' ? { connectionProfile } : {}),
        }, () => extractOutput, context.config.structuredOutput, work.calls.model),
        sections,
        timeout,
        retries,
        read: (reply) => {
            const read = readPatches(reply.text);
            return read.ok ? { ok: true, value: read, truncated: reply.finishReason === 'length' } : { ok: false, error: read.reason.code };
        },
        reask: (output, problem) => reaskMessages(messages, output, problem, context.language),
    }, signal);
    costs.push(result.cost);
    if (!result.ok) {
        return { patches: null, rejected: [], run: { ...base, ok: false, error: String(result.notice.params.detail ?? result.kind) }, notices: result.kind === 'aborted' ? [] : [result.notice] };
    }
    journal.keep(purpose, result.text);
    return { patches: result.value.patches, rejected: result.value.rejected, run: { ...base, ok: true, ms: result.cost.ms }, notices: result.notices };
}
