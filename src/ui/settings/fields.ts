/** How one setting is shown. `path` is its place in the config schema; its label and help are the texts `setting.<path>.label` and `.help`. */
export type Field =
    | { kind: 'switch'; path: string }
    | { kind: 'choice'; path: string; options: readonly string[] }
    /** `unit` is a text code; `scale` is what one unit shown stands for in the config (1000: seconds for ms); `nullable`: an empty box means null. */
    | { kind: 'number'; path: string; min: number; max: number; step?: number; unit?: string; scale?: number; nullable?: boolean }
    | { kind: 'long-text'; path: string }
    | { kind: 'profile'; path: string }
    /** A list that can only be shortened here. */
    | { kind: 'names'; path: string };

export interface FieldGroup {
    /** Title is the text `setting.group.<name>`. */
    name: string;
    fields: readonly Field[];
}

const agent = (name: string): Field[] => [
    { kind: 'profile', path: `agents.${name}.connectionProfile` },
    { kind: 'number', path: `agents.${name}.maxTokens`, min: 0, max: 200_000, unit: 'ui.unit.tokens' },
    { kind: 'number', path: `agents.${name}.temperature`, min: 0, max: 5, step: 0.05, nullable: true },
    { kind: 'number', path: `agents.${name}.timeout`, min: 1, max: 3600, unit: 'ui.unit.seconds', scale: 1000 },
    { kind: 'number', path: `agents.${name}.retries`, min: 0, max: 10 },
    { kind: 'long-text', path: `agents.${name}.extraInstructions` },
];

export const agentNames = ['planning', 'writing', 'mergedWriting', 'mergedAnalysis'] as const;

/** Every setting, in the order of the pane. A test keeps it in step with the config schema. */
export const fieldGroups: readonly FieldGroup[] = [
    {
        name: 'basic',
        fields: [
            { kind: 'choice', path: 'presetMode', options: ['none', 'split'] },
            { kind: 'choice', path: 'worldbookSource', options: ['auto', 'card', 'world', 'all'] },
            { kind: 'choice', path: 'promptLanguage', options: ['zh', 'en', 'story'] },
            { kind: 'choice', path: 'characterCard', options: ['off', 'planning', 'both'] },
            { kind: 'choice', path: 'layout', options: ['seed', 'shared'] },
            { kind: 'choice', path: 'structuredOutput', options: ['auto', 'on', 'off'] },
        ],
    },
    {
        name: 'pipeline',
        fields: [
            { kind: 'choice', path: 'pipeline.delivery', options: ['stream', 'relay'] },
            { kind: 'switch', path: 'pipeline.enableTextRecall' },
            { kind: 'switch', path: 'pipeline.parallelExecutionEnabled' },
            { kind: 'number', path: 'pipeline.recentTurnsForPlanning', min: 1, max: 200, unit: 'ui.unit.turns' },
            { kind: 'number', path: 'pipeline.planningGrowthMargin', min: 0, max: 200, unit: 'ui.unit.turns' },
            { kind: 'number', path: 'pipeline.recentTurnsForWriting', min: 1, max: 200, unit: 'ui.unit.turns' },
            { kind: 'number', path: 'pipeline.writingGrowthMargin', min: 0, max: 200, unit: 'ui.unit.turns' },
            { kind: 'number', path: 'pipeline.toolConcurrency', min: 1, max: 16 },
            { kind: 'switch', path: 'pipeline.reanalyseEdits' },
            { kind: 'number', path: 'pipeline.summaryTokenLimit', min: 0, max: 1_000_000, unit: 'ui.unit.tokens' },
        ],
    },
    ...agentNames.map((name): FieldGroup => ({
        name: `agents.${name}`,
        fields: name === 'mergedAnalysis' ? [{ kind: 'switch', path: 'agents.mergedAnalysis.antiHallucination' }, ...agent(name)] : agent(name),
    })),
    {
        name: 'worldbook',
        fields: [
            { kind: 'choice', path: 'worldbook.keywordLogic', options: ['auto', 'seed', 'sillytavern'] },
            { kind: 'choice', path: 'worldbook.scan', options: ['seed', 'sillytavern'] },
            { kind: 'choice', path: 'worldbook.recall', options: ['off', 'lexical', 'hybrid'] },
            { kind: 'number', path: 'worldbook.budget', min: 0, max: 2_000_000, unit: 'ui.unit.tokens' },
            { kind: 'number', path: 'worldbook.constantRatio', min: 0, max: 1, step: 0.05 },
        ],
    },
    {
        name: 'tools',
        fields: [
            { kind: 'switch', path: 'tools.rollDiceAlways' },
            { kind: 'choice', path: 'tools.codeExecution', options: ['sandbox', 'page'] },
            { kind: 'names', path: 'tools.pageBooks' },
        ],
    },
    {
        name: 'state',
        fields: [
            { kind: 'switch', path: 'state.autoSyncWorldInfo' },
            { kind: 'switch', path: 'state.persistToLocalStorage' },
        ],
    },
    {
        name: 'mvu',
        fields: [
            { kind: 'switch', path: 'mvu.enabled' },
            { kind: 'choice', path: 'mvu.whenExtraModel', options: ['extension', 'mvu'] },
            { kind: 'switch', path: 'mvu.showUpdateBlock' },
            { kind: 'switch', path: 'mvu.overrideClosed' },
        ],
    },
    {
        name: 'ui',
        fields: [
            { kind: 'switch', path: 'ui.showSummary' },
            { kind: 'switch', path: 'ui.panelOpen' },
            { kind: 'choice', path: 'ui.logLevel', options: ['silent', 'error', 'warn', 'info', 'debug'] },
        ],
    },
];
