import type { Analysis } from '../agents/merged-analysis/output';
import { recoverAnalysis } from '../agents/merged-analysis/output';
import { appendUpdateBlock, defuseUpdateCommands, statusPlaceholder } from '../mvu/update-block';
import { flattenVariables } from '../mvu/flatten';
import type { VariablesPort } from '../mvu/port';
import { notice, type Notice } from '../notice';
import type { ChatPort, SandboxPort } from '../ports';
import { buildMergedAnalysisPrompt } from '../prompt/merged-analysis-prompt';
import { stateSummaryText } from '../state/state-summary';
import { summaryBody, summaryLine } from '../text/summary-line';
import { assembleMessage, disassembleMessage, unwrapNarrative } from '../text/assemble';
import { narrativeHash } from '../text/narrative';
import type { ToolDefinition } from '../tools/definition';
import { runPostPipelineTools } from '../tools/run-tools';
import type { ToolRun, TurnRecord } from '../turn-record';
import type { CallCost } from './call-model';
import type { ChatReader, ChatState } from './chat-state';
import type { Commit } from './commit';
import type { PipelineDeps } from './deps';
import { editsByHand, extractVariables, isExtractTool, type Extraction } from './extract-variables';
import { orderPostTools } from './modes';
import { toolDeps, type ToolMoment } from './tool-context';
import { promptInput, type TurnContext } from './turn-context';
import type { TurnJournal, TurnWork } from './turn-work';

export interface CompleteDeps extends Pick<PipelineDeps, 'journal' | 'progress' | 'log' | 'model'> {
    chat: ChatPort;
    reader: ChatReader;
    commit: Commit;
    variables: VariablesPort;
    sandbox: SandboxPort;
    page?: SandboxPort;
}

export type Completion = 'complete' | 'incomplete' | 'dropped';

/**
 * Everything after the narrative: merged analysis ‖ independent tools → fold → dependent tools → assembly → commit
 * (seed: 整合输出). Never rejects and never costs the narrative: what fails leaves the turn incomplete, with the reason.
 */
export async function completeTurn(deps: CompleteDeps, work: TurnWork, signal: AbortSignal): Promise<Completion> {
    const result = await completeParts(deps, work, signal);
    // In a chat that was left the turn waits for its return; elsewhere its reply is gone for good.
    if (result !== 'dropped' || signal.reason !== 'chat-changed') deps.journal.clear(work.record.id);
    return result;
}

async function completeParts(deps: CompleteDeps, work: TurnWork, signal: AbortSignal): Promise<Completion> {
    const { record, context, chatKey } = work;
    const target = deps.commit.locate(record.id, chatKey);
    if (!target) return 'dropped';
    const costs: CallCost[] = [];
    const journal = createJournalOf(deps, work);
    const before = deps.reader.before(target.index);
    const stateSummary = context.variables ? context.stateSummary : stateSummaryText(before.fold.state, context.language);
    const now: TurnContext = { ...context, before: { ...before, userInput: before.userInput || context.before.userInput }, stateSummary };

    let next: TurnRecord = { ...record, reason: undefined };
    // What may not be written anywhere is not made either.
    const postTools = context.tools.filter((tool) => !work.keepText && tool.trigger === 'post_pipeline' && (!work.onlyTools || work.onlyTools.includes(tool.name)));
    const extract = postTools.find(isExtractTool) ?? null;
    const outputTools = postTools.filter((tool) => !isExtractTool(tool));
    const { sideBySide, beside, after: later } = orderPostTools(context.config, outputTools);

    const moment = (chat: ChatState, summary: string, variables: unknown): ToolMoment => ({
        chat,
        state: chat.fold.state,
        stateSummary: summary,
        variables,
        narrative: work.narrative,
        guide: work.guide,
        planningRuns: work.planningRuns,
    });
    const outcomes = new Map<string, { run: ToolRun; text: string }>();
    const run = async (tools: ToolDefinition[], at: ToolMoment): Promise<void> => {
        const waiting = tools.filter((tool) => !outcomes.has(tool.name));
        if (waiting.length === 0 || signal.aborted) return;
        const results = await runPostPipelineTools(waiting, toolDeps({ context: now, moment: at, calls: work.calls, model: deps.model, sandbox: deps.sandbox, page: deps.page, costs, signal }));
        for (const { run: toolRun, text } of results) {
            if (!signal.aborted || toolRun.ok) outcomes.set(toolRun.name, { run: toolRun, text });
        }
    };
    const extraction = async (): Promise<Extraction | null> => (extract ? extractVariables({ ...work, context: now, costs, journal }, signal) : null);

    // Analysis, and beside it what does not depend on it.
    const beforeMoment = moment(before, stateSummary, context.variables?.tree);
    deps.progress({ stage: work.analyse ? 'analysis' : 'post_tools' });
    const earlyWork = sideBySide ? Promise.all([run(beside, beforeMoment), extraction()]) : null;
    const analysis = work.analyse ? await analyse(work, now, costs, journal, signal) : null;
    if (analysis?.ok) {
        next = { ...next, analysed: true, events: analysis.value.events, summary: summaryOf(analysis.value), notices: [...next.notices, ...analysis.notices] };
    }
    if (postTools.length > 0 && !signal.aborted) deps.progress({ stage: 'post_tools', subject: postTools.map((tool) => tool.name).join(', ') });
    const extracted = earlyWork ? (await earlyWork)[1] : signal.aborted ? null : await extraction();

    // Variables are written before the tools that show them run.
    let block: { text: string; changed: boolean } | null = null;
    let variableTree: unknown = context.variables?.tree;
    // With nothing to run again the message keeps what stands behind its summary.
    const keepRest = work.onlyTools?.length === 0;
    const carriesVariables = !work.keepText && (extract !== null || (!keepRest && deps.variables.keeper() !== 'none'));
    if (carriesVariables && !signal.aborted) {
        const at = deps.commit.locate(record.id, chatKey);
        if (!at) return 'dropped';
        // Also without an operation of ours: it undoes commands the narrative ran in MVU, and gives back what MVU itself added.
        const updated = await deps.variables.update(at.index, at.swipe, [...(extracted?.patches ?? []), ...editsByHand(record)]);
        if (!updated.dropped) {
            block = { text: updated.block, changed: extracted !== null && updated.results.some((each) => each.ok) };
            variableTree = updated.tree ?? variableTree;
        }
        next = {
            ...next,
            variables: extracted || updated.results.length > 0 ? [...(extracted?.rejected ?? []), ...updated.results] : next.variables,
            tools: extracted ? withRun(next.tools, extracted.run) : next.tools,
            notices: [...next.notices, ...(extracted?.notices ?? []), ...(extracted?.patches && updated.dropped ? [updated.dropped] : [])],
        };
    }

    const index = deps.commit.locate(record.id, chatKey)?.index;
    if (index === undefined) return 'dropped';
    const after = deps.reader.with(index, { text: work.text, record: { ...next, narrative: narrativeHash(work.text) } });
    const tree = isTree(variableTree) && Object.keys(variableTree).length > 0 ? variableTree : null;
    await run(later, moment(after, tree ? flattenVariables(tree, {}, context.language) : stateSummaryText(after.fold.state, context.language), variableTree));

    // Assembly, in declaration order whatever finished first.
    const place = deps.commit.locate(record.id, chatKey);
    if (!place) return 'dropped';
    const shown = outputTools.flatMap((tool) => outcomes.get(tool.name) ?? []);
    for (const { run: toolRun } of shown) next = { ...next, tools: withRun(next.tools, toolRun) };
    const missing = signal.aborted ? notice('info', 'pipeline.stopped') : analysis && !analysis.ok ? analysis.notice : null;
    next = {
        ...next,
        status: missing ? 'incomplete' : 'complete',
        reason: missing ?? undefined,
        calls: [...next.calls, ...costs],
    };
    // Stopped by the user, the turn is left marked; whatever else ended the run makes it anew, or never.
    if (signal.aborted && signal.reason !== 'stopped') return 'dropped';

    const current = place.visible ? (deps.chat.read().messages[place.index]?.text ?? work.text) : work.text;
    // Others add to a reply meanwhile (MVU its placeholder and block); only other prose is an edit.
    const edited = current !== work.text && narrativeHash(current) !== narrativeHash(work.text);
    const keeper = deps.variables.keeper();
    const withBlock = (whole: string): string => (block ? appendUpdateBlock(whole, block.text, { show: work.context.config.mvu.showUpdateBlock, placeholder: keeper === 'mvu' }) : whole);
    const written = current === work.text ? work.narrative : unwrapNarrative(current.replaceAll(statusPlaceholder, '').trimEnd());
    const narrative = keeper === 'none' ? written : defuseUpdateCommands(written).text;
    const rest = keepRest ? disassembleMessage(current, postLengths(record)).rest : '';
    const text = work.keepText
        ? undefined
        : assembleMessage({
            narrative,
            summary: next.summary ? summaryLine(before.turnNumber, before.turnNumber, summaryBody(next.summary)) : null,
            outputs: [...shown.map((outcome) => outcome.text), rest].filter((output) => output !== ''),
        });
    const whole = text === undefined ? undefined : withBlock(text);
    // MVU announces what it changes; what we had it change, we announce.
    const announced = whole !== undefined && keeper === 'mvu' && block?.changed ? await deps.variables.announce(place.index, whole) : whole;
    // An edit made meanwhile was not analysed: its hash differs, and the turn shows as edited since.
    next = { ...next, narrative: edited ? narrativeHash(work.text) : narrativeHash(announced ?? work.text) };
    // What the user corrected meanwhile, and a chapter written meanwhile, are not this run's to undo.
    const standing = deps.commit.standing(record.id, chatKey);
    if (standing) next = { ...next, corrections: standing.corrections, chapter: standing.chapter };
    deps.progress({ stage: 'commit' });
    const done = await deps.commit.finish(record.id, chatKey, { text: announced, record: next });
    if (!done) return 'dropped';
    return next.status === 'complete' ? 'complete' : 'incomplete';
}

function withRun(runs: ToolRun[], run: ToolRun): ToolRun[] {
    return [...runs.filter((each) => each.name !== run.name || each.trigger !== run.trigger), run];
}

function postLengths(record: TurnRecord): number[] {
    return record.tools.flatMap((run) => (run.trigger === 'post_pipeline' && run.length ? [run.length] : []));
}

function isTree(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** UTF-16 units of one turn's summary; it stands in every later prompt. */
const summaryLimit = 1_200;

/** One line of the turn, without tags: it must not close the section that later prompts put it in. */
function summaryOf(analysis: Analysis): string {
    const whole = analysis.summary_entries.map((entry) => summaryBody(entry.replace(/<\/?[a-z_]\w*>/gi, ''))).filter((body) => body !== '').join('；');
    return whole.length > summaryLimit ? `${whole.slice(0, summaryLimit)}…` : whole;
}

function createJournalOf(deps: Pick<CompleteDeps, 'journal'>, { record: { id: turnId }, chatKey, text }: TurnWork): TurnJournal {
    const kept = deps.journal.read(turnId)?.outputs;
    const narrative = narrativeHash(text);
    // Outputs about another narrative (the reply was edited or continued since) are of no use.
    const outputs: Record<string, string> = kept?.narrative === narrative ? { ...kept } : { narrative };
    return {
        get: (purpose) => outputs[purpose] ?? null,
        keep(purpose, text) {
            outputs[purpose] = text;
            deps.journal.write(turnId, { chatKey, outputs });
        },
    };
}

async function analyse(work: TurnWork, context: TurnContext, costs: CallCost[], journal: TurnJournal, signal: AbortSignal): Promise<{ ok: true; value: Analysis; notices: Notice[] } | { ok: false; notice: Notice }> {
    const kept = journal.get('mergedAnalysis');
    const known = kept === null ? null : recoverAnalysis(kept, 'stop');
    if (known?.ok) return { ok: true, value: known.value, notices: [] };
    const prompt = buildMergedAnalysisPrompt(promptInput(context, { planningContext: '', writingSystemContext: '', writingUserContext: '' }, { narrative: work.narrative }));
    const result = await work.agents.analyse(prompt, signal);
    costs.push(result.cost);
    if (!result.ok) return result;
    journal.keep('mergedAnalysis', result.text);
    return { ok: true, value: result.value, notices: result.notices };
}
