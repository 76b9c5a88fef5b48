import type { Config } from '../config';
import { extractTool, extractToolName } from '../mvu/extract-tool';
import { flattenVariables } from '../mvu/flatten';
import { resolveVariableMacros } from '../mvu/macros';
import type { ReadVariables, VariablesPort } from '../mvu/port';
import { SHARED_ANALYSIS_PREFIX } from '../agents/shared';
import { notice, type Notice } from '../notice';
import { followLanguage } from '../prompt/follow-language';
import type { PresetContext, PromptInput, PromptLanguage, RoutedEntries } from '../prompt/prompt-input';
import { recentTurns } from '../prompt/recent-turns';
import { stateSummaryText } from '../state/state-summary';
import { inSlices } from '../steps';
import type { ToolDefinition } from '../tools/definition';
import { registerCheckedTools, type SyntaxMemory } from '../tools/registry';
import { decideSteps } from '../worldbook/decide';
import { markedEntries } from '../worldbook/marked-entries';
import { routeEntries } from '../worldbook/route';
import type { Snapshot } from '../worldbook/snapshot';
import type { StateBefore } from './chat-state';
import type { PipelineDeps } from './deps';
import type { Library, LibraryReader } from './library';
import { scanTexts } from './scan-texts';

/** Everything one turn's agents and tools can be given, settled once (design, decision 3). */
export interface TurnContext {
    config: Config;
    before: StateBefore;
    language: PromptLanguage;
    seed: string;
    library: Library;
    snapshot: Snapshot;
    planner: RoutedEntries;
    writer: RoutedEntries;
    tools: ToolDefinition[];
    toolFaults: Notice[];
    persona: string;
    characterCard: string;
    variables: ReadVariables | null;
    /** Contents of the active [mvu_update] entries. */
    variableRules: string[];
    stateSummary: string;
    notices: Notice[];
    substitute(text: string): string;
}

export interface GatherInput {
    before: StateBefore;
    trigger: 'normal' | 'regenerate' | 'swipe';
    seed: string;
    /** Only to look: no initial variables are set up. */
    preview?: boolean;
}

export interface TurnGatherer {
    gather(input: GatherInput): Promise<TurnContext>;
}

/** Loads, selects and reads what a turn needs. One call a turn; the slow parts are remembered between turns. */
export function createGatherer(deps: PipelineDeps, library: LibraryReader, variables: VariablesPort): TurnGatherer {
    const syntax: SyntaxMemory = new Map();
    let toldOfExtraModel = '';
    const estimate = (text: string): number => deps.tokens.estimate(text);

    return {
        async gather({ before, trigger, seed, preview }) {
            const config = deps.config();
            const loaded = await library.load(config.worldbookSource);
            const notices: Notice[] = [];
            const language = config.promptLanguage === 'story' ? followLanguage(before.turns, before.userInput) : config.promptLanguage;
            const lookup = variables.lookup(before.until);
            const substitute = (text: string): string => (text.includes('{{') ? resolveVariableMacros(deps.readers.substitute(text), lookup) : text);

            if (config.mvu.enabled && preview !== true) {
                const initial = loaded.index.items.filter((item) => item.kind === 'initvar');
                // Also without entries: this card may have none where the one before had some.
                const outcome = await variables.initialise(initial.map(({ entry, content }) => ({ id: entry.id, comment: entry.comment, content, book: entry.book, origin: entry.origin })));
                notices.push(...outcome.notices);
            }
            const kept = config.mvu.enabled && variables.keeper() !== 'none' ? variables.read(before.until) : null;
            const variableTree = kept && Object.keys(kept.tree).length > 0 ? kept : null;
            const stateSummary = variableTree ? flattenVariables(variableTree.tree, {}, language) : stateSummaryText(before.fold.state, language);

            const character = deps.readers.character();
            const persona = deps.readers.persona();
            const global = deps.worldbooks.globalSettings();
            const { recentTurnsForPlanning, planningGrowthMargin, recentTurnsForWriting, writingGrowthMargin } = config.pipeline;
            const planning = recentTurns(before.turns, { n: recentTurnsForPlanning, m: planningGrowthMargin });
            const writing = recentTurns(before.turns, { n: recentTurnsForWriting, m: writingGrowthMargin });
            const window = planning.length >= writing.length ? planning : writing;
            const snapshot = await inSlices(decideSteps(loaded.index, {
                ...scanTexts({ config, before, window, stateSummary, includeNames: global.includeNames }),
                global,
                character: {
                    fileName: character.avatar.replace(/\.[^.]+$/, ''),
                    tags: character.tags,
                    personaDescription: persona,
                    description: character.description,
                    personality: character.personality,
                    depthPrompt: character.depthPrompt,
                    scenario: character.scenario,
                    creatorNotes: character.creatorNotes,
                },
                trigger,
                messageCount: before.view.messages.filter((message) => !message.isHidden).length,
                replyCount: before.turns.reduce((sum, turn) => sum + turn.replies.length, 0),
                timed: lastTimed(before),
                forced: deps.worldbooks.forced(),
                seed,
                config: config.worldbook,
                state: before.fold.state,
                variables: variableTree?.tree,
                substitute,
                rewrite: deps.readers.rewriteEntry?.bind(deps.readers),
                estimate,
            }), deps.clock);
            const variableRules = markedEntries(snapshot, loaded.index, 'mvu_update').map((entry) => substitute(entry.content));
            const automatic = automaticTools({ config, loaded, variables, variableRules, language });
            // Told once, not every turn; the Variables tab keeps saying it.
            const extraModel = automatic.extraModel?.code ?? '';
            if (automatic.extraModel && extraModel !== toldOfExtraModel) notices.push(automatic.extraModel);
            if (preview !== true) toldOfExtraModel = extraModel;
            const toolEntries = markedEntries(snapshot, loaded.index, 'tool');
            const registered = await registerCheckedTools(toolEntries, { rollDiceAlways: config.tools.rollDiceAlways, language, automatic: automatic.tools, sandbox: deps.sandbox, checked: syntax });

            return {
                config,
                before,
                language,
                seed,
                library: loaded,
                snapshot,
                planner: routeEntries(snapshot, loaded.index, 'planner', substitute),
                writer: routeEntries(snapshot, loaded.index, 'writer', substitute),
                // Code stays as written; what a model is told has its macros resolved.
                tools: registered.tools.map((tool) => (tool.type === 'llm' && tool.name !== extractToolName ? { ...tool, systemPrompt: substitute(tool.systemPrompt) } : tool)),
                toolFaults: registered.faults,
                persona,
                characterCard: cardText(character),
                variables: variableTree,
                variableRules,
                stateSummary,
                notices,
                substitute,
            };
        },
    };
}

/** What the user should know while MVU's own second model is on; null while it is not. */
export function extraModelNotice(config: Config, variables: Pick<VariablesPort, 'extraModelMode'>): Notice | null {
    if (!config.mvu.enabled || !variables.extraModelMode()) return null;
    return config.mvu.whenExtraModel === 'mvu' ? notice('info', 'mvu.extra-model-left-to-mvu') : notice('warning', 'mvu.extra-model-both');
}

function automaticTools(input: { config: Config; loaded: Library; variables: VariablesPort; variableRules: string[]; language: PromptLanguage }): { tools: ToolDefinition[]; extraModel: Notice | null } {
    const { config, loaded, variables, language } = input;
    if (!config.mvu.enabled || !loaded.index.items.some((item) => item.kind === 'initvar' || item.kind === 'mvu_update')) return { tools: [], extraModel: null };
    const extraModel = extraModelNotice(config, variables);
    const leftToMvu = extraModel !== null && config.mvu.whenExtraModel === 'mvu';
    return { tools: leftToMvu ? [] : [extractTool(SHARED_ANALYSIS_PREFIX[language], input.variableRules, language)], extraModel };
}

function lastTimed(before: StateBefore): Snapshot['timed'] {
    for (const turn of [...before.turns].reverse()) {
        for (const reply of [...turn.replies].reverse()) if (reply.record?.snapshot) return reply.record.snapshot.timed;
    }
    return [];
}

function cardText(card: { name: string; description: string; personality: string; scenario: string }): string {
    return [card.description, card.personality, card.scenario].map((text) => text.trim()).filter((text) => text !== '').join('\n\n');
}

/** What the agents' prompts are made from; `extra` carries what only one stage knows (guide, tool results, narrative …). */
export function promptInput(context: TurnContext, preset: PresetContext, extra: Partial<PromptInput> = {}): PromptInput {
    const { config, before } = context;
    const { pipeline, agents } = config;
    return {
        language: context.language,
        layout: config.layout,
        preset: config.presetMode === 'split' ? preset : { planningContext: '', writingSystemContext: '', writingUserContext: '' },
        planner: context.planner,
        writer: context.writer,
        summaries: before.fold.summaries.map((entry) => entry.text),
        persona: context.persona,
        characterCard: {
            planning: config.characterCard === 'off' ? '' : context.characterCard,
            writing: config.characterCard === 'both' ? context.characterCard : '',
        },
        turns: before.turns,
        windows: {
            planning: { n: pipeline.recentTurnsForPlanning, m: pipeline.planningGrowthMargin },
            writing: { n: pipeline.recentTurnsForWriting, m: pipeline.writingGrowthMargin },
        },
        stateSummary: context.stateSummary,
        userInput: before.userInput,
        speaker: before.view.isGroup ? before.view.characterName : undefined,
        guide: null,
        toolResults: [],
        toolListText: '',
        textRecallEnabled: pipeline.enableTextRecall,
        recalled: [],
        narrative: '',
        turnNumber: before.turnNumber,
        antiHallucination: agents.mergedAnalysis.antiHallucination,
        extraInstructions: {
            planning: agents.planning.extraInstructions,
            writing: agents.writing.extraInstructions,
            mergedWriting: agents.mergedWriting.extraInstructions,
            mergedAnalysis: agents.mergedAnalysis.extraInstructions,
        },
        ...extra,
    };
}
