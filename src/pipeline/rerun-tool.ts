import { flattenVariables } from '../mvu/flatten';
import { appendUpdateBlock, withoutUpdateBlocks } from '../mvu/update-block';
import { notice } from '../notice';
import { stateSummaryText } from '../state/state-summary';
import { assembleMessage, disassembleMessage } from '../text/assemble';
import { narrativeHash } from '../text/narrative';
import { runTool } from '../tools/run-tool';
import type { CallCost } from './call-model';
import type { TurnWork } from './turn-work';
import type { Core } from './core';
import { editsByHand, extractVariables, isExtractTool } from './extract-variables';
import { toolDeps } from './tool-context';
import type { ToolRun, TurnRecord } from '../turn-record';

/** Runs one post_pipeline tool of a finished turn again and puts its output in the old one's place; nothing else changes. */
export async function rerunTool(core: Core, work: TurnWork, name: string, signal: AbortSignal): Promise<void> {
    const tool = work.context.tools.find((each) => each.name === name && each.trigger === 'post_pipeline');
    const place = core.commit.locate(work.record.id, work.chatKey);
    if (!tool || !place) {
        core.deps.notify(notice('warning', 'pipeline.tool-not-active', { tool: name }));
        return;
    }
    const costs: CallCost[] = [];
    const { record } = work;
    /** The turn as it stands when the result is there: the user may have edited or corrected it meanwhile. */
    const now = (change: (text: string) => string | undefined): { text?: string; record: TurnRecord } => {
        const standing = core.commit.standing(record.id, work.chatKey) ?? record;
        const at = core.commit.locate(record.id, work.chatKey);
        const before = (at?.visible ? core.chat.read().messages[at.index]?.text : undefined) ?? work.text;
        const text = change(before);
        // The hash of an edited narrative stays what it was: the turn is still to be analysed anew.
        return { text, record: text === undefined || narrativeHash(before) !== standing.narrative ? standing : { ...standing, narrative: narrativeHash(text) } };
    };
    if (isExtractTool(tool)) {
        const extraction = await extractVariables({ ...work, costs, journal: { get: () => null, keep: () => undefined } }, signal);
        if (!extraction.patches || signal.aborted) return extraction.notices.forEach(core.deps.notify);
        const at = core.commit.locate(record.id, work.chatKey);
        if (!at) return;
        const updated = await core.variables.update(at.index, at.swipe, [...extraction.patches, ...editsByHand(record)]);
        if (updated.dropped) return core.deps.notify(updated.dropped);
        const { text, record: standing } = now((before) => appendUpdateBlock(withoutUpdateBlocks(before), updated.block, { show: work.context.config.mvu.showUpdateBlock, placeholder: core.variables.keeper() === 'mvu' }));
        await core.commit.finish(record.id, work.chatKey, { text, record: { ...standing, variables: [...extraction.rejected, ...updated.results], tools: replaced(record.tools, extraction.run), calls: [...record.calls, ...costs] } });
        return;
    }
    const chat = core.reader.with(place.index, { text: work.text, record });
    const variables = core.variables.read(place.index + 1);
    const outcome = await runTool(tool, undefined, toolDeps({
        context: work.context,
        moment: {
            chat,
            state: chat.fold.state,
            stateSummary: variables && Object.keys(variables.tree).length > 0 ? flattenVariables(variables.tree, {}, work.context.language) : stateSummaryText(chat.fold.state, work.context.language),
            variables: variables?.tree,
            narrative: work.narrative,
            guide: null,
            planningRuns: work.planningRuns,
        },
        calls: work.calls,
        model: core.model,
        sandbox: core.sandbox,
        page: core.page,
        costs,
        signal,
    }));
    if (signal.aborted) return;
    if (!outcome.run.ok) core.deps.notify(notice('error', 'pipeline.tool-failed', { tool: name, detail: outcome.run.error ?? '' }));
    const { text, record: standing } = now((before) => (outcome.run.ok ? withOutput(before, record, name, outcome.text) : undefined));
    const run = outcome.run.ok ? outcome.run : { ...outcome.run, length: record.tools.find((each) => each.name === name)?.length ?? 0 };
    await core.commit.finish(record.id, work.chatKey, { text, record: { ...standing, tools: replaced(record.tools, run), calls: [...record.calls, ...costs] } });
}

function replaced(runs: ToolRun[], run: ToolRun): ToolRun[] {
    const at = runs.findIndex((each) => each.name === run.name && each.trigger === run.trigger);
    return at < 0 ? [...runs, run] : runs.map((each, place) => (place === at ? run : each));
}

/** The message with one tool's output replaced; found by the lengths the record keeps, put last where they no longer fit. */
export function withOutput(text: string, record: TurnRecord, name: string, output: string): string {
    const runs = record.tools.filter((run) => run.trigger === 'post_pipeline' && (run.length ?? 0) > 0);
    const parts = disassembleMessage(text, runs.map((run) => run.length ?? 0));
    const outputs: { name: string; text: string }[] = [];
    let position = 0;
    for (const run of runs) {
        const length = run.length ?? 0;
        outputs.push({ name: run.name, text: parts.rest.slice(position, position + length) });
        position += length + 2;
    }
    const fits = position - 2 <= parts.rest.length;
    const known = fits ? outputs : [];
    const tail = fits ? parts.rest.slice(Math.max(0, position)).trim() : parts.rest;
    const changed = known.some((each) => each.name === name) ? known.map((each) => (each.name === name ? { name, text: output } : each)) : [...known, { name, text: output }];
    return assembleMessage({ narrative: parts.narrative, summary: parts.summary, outputs: fits ? changed.map((each) => each.text) : [parts.rest, output], updateBlock: fits ? tail : '' });
}
