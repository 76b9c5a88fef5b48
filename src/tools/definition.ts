import type { JsonSchema } from '../ports';

/** Context an llm tool may ask for, in the order it is given (seed: CANONICAL_CONTEXT_ORDER). */
export const canonicalContextOrder = [
    'world_full', 'story_summary', 'recent_turns', 'narrative_text', 'writing_guide',
    'state_summary', 'user_persona', 'user_input', 'dice_results', 'known_context',
] as const;
export type ContextKey = (typeof canonicalContextOrder)[number];

/** A registered tool (seed: tool template). */
export interface ToolDefinition {
    name: string;
    type: 'code' | 'llm';
    trigger: 'planning' | 'post_pipeline';
    description: string;
    /** JSON schema of the parameters. */
    parameters: JsonSchema;
    context: ContextKey[];
    systemPrompt: string;
    /** Body of a custom code tool; absent for roll_dice. */
    code?: string;
    outputTag?: string;
    /** Turns. */
    tagLookback?: number;
    connectionProfile?: string;
    maxTokens?: number;
    /** Ms. */
    deadline?: number;
    /** Entry id, or `builtin`. */
    source: string;
    /** Title of the entry it came from. */
    title: string;
}

/** A `[TOOL:…]` entry that is active this turn. */
export interface ToolEntry {
    id: string;
    comment: string;
    content: string;
}
