import { z } from 'zod';

/**
 * The settings at `extensionSettings['narrative-agent'].config`: the seed's keys and defaults, and ours beside them.
 * Every key has a default, so a missing or broken value never costs more than itself (see readConfig).
 */
const agentConfig = z.object({
    /** Connection profile id; empty = main connection. */
    connectionProfile: z.string().default(''),
    /** Tokens; 0 = the connection's own. */
    maxTokens: z.number().int().min(0).max(200_000).default(0),
    /** Null = the connection's own. */
    temperature: z.number().min(0).max(5).nullable().default(null),
    /** Ms. */
    timeout: z.number().int().min(1_000).max(3_600_000).default(180_000),
    /** Further attempts after a failed one. */
    retries: z.number().int().min(0).max(10).default(1),
    /** Appended to the agent's prompt. */
    extraInstructions: z.string().default(''),
});

const turns = (fallback: number) => z.number().int().min(0).max(200).default(fallback);

export const configSchema = z.object({
    enabled: z.boolean().default(true),
    presetMode: z.enum(['none', 'split']).default('none'),
    worldbookSource: z.enum(['auto', 'card', 'world', 'all']).default('auto'),
    /** Prompts: zh | en | follow the story. UI language is the host's. */
    promptLanguage: z.enum(['zh', 'en', 'story']).default('zh'),
    layout: z.enum(['seed', 'shared']).default('seed'),
    characterCard: z.enum(['off', 'planning', 'both']).default('off'),
    /** auto = where the host is known to pass it on, without it after a refusal; on = always, a refusal is a failure. */
    structuredOutput: z.enum(['auto', 'on', 'off']).default('auto'),
    pipeline: z.object({
        recentTurnsForPlanning: turns(4).pipe(z.number().min(1)),
        planningGrowthMargin: turns(4),
        recentTurnsForWriting: turns(3).pipe(z.number().min(1)),
        writingGrowthMargin: turns(4),
        parallelExecutionEnabled: z.boolean().default(false),
        enableTextRecall: z.boolean().default(false),
        delivery: z.enum(['stream', 'relay']).default('stream'),
        /** Concurrent planning tools per connection. */
        toolConcurrency: z.number().int().min(1).max(16).default(2),
        /** Re-analyse an edited reply by itself. */
        reanalyseEdits: z.boolean().default(false),
        /** Tokens of summaries past which old ones are condensed into a chapter; 0 = never. */
        summaryTokenLimit: z.number().int().min(0).max(1_000_000).default(0),
    }).prefault({}),
    agents: z.object({
        planning: agentConfig.prefault({}),
        writing: agentConfig.prefault({}),
        mergedWriting: agentConfig.prefault({}),
        mergedAnalysis: agentConfig.extend({ antiHallucination: z.boolean().default(true) }).prefault({}),
    }).prefault({}),
    state: z.object({
        autoSyncWorldInfo: z.boolean().default(true),
        /** Keeps a journal of a turn in flight, nothing at rest. */
        persistToLocalStorage: z.boolean().default(true),
    }).prefault({}),
    worldbook: z.object({
        keywordLogic: z.enum(['auto', 'seed', 'sillytavern']).default('auto'),
        /** Scan text: the seed's window, or the host's depth and flags. */
        scan: z.enum(['seed', 'sillytavern']).default('seed'),
        recall: z.enum(['off', 'lexical', 'hybrid']).default('off'),
        /** Tokens; 0 = no budget (the seed injects all). */
        budget: z.number().int().min(0).max(2_000_000).default(0),
        constantRatio: z.number().min(0).max(1).default(0.35),
    }).prefault({}),
    tools: z.object({
        codeExecution: z.enum(['sandbox', 'page']).default('sandbox'),
        /** Books whose code tools may run in the page (the user confirmed each). */
        pageBooks: z.array(z.string()).default([]),
        rollDiceAlways: z.boolean().default(false),
    }).prefault({}),
    mvu: z.object({
        enabled: z.boolean().default(true),
        /** Who updates variables when MVU's own extra-model mode is on too. */
        whenExtraModel: z.enum(['extension', 'mvu']).default('mvu'),
        /** Show the update block in the message text. */
        showUpdateBlock: z.boolean().default(false),
        /** Express as a replace of the whole array what a closed MVU array refuses. */
        overrideClosed: z.boolean().default(false),
    }).prefault({}),
    ui: z.object({
        /** Show the `<summary>` block under a reply. */
        showSummary: z.boolean().default(true),
        panelOpen: z.boolean().default(false),
        logLevel: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('warn'),
    }).prefault({}),
});

export type Config = z.infer<typeof configSchema>;
