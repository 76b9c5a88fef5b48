import { z } from 'zod';
import { gameStateSchema } from './game-state-schema';

/** One summary that was there before this extension. Turn 0 where its number is unknown. */
const baselineSummarySchema = z.object({ turn: z.int().min(0), text: z.string().min(1) });

/**
 * What a chat starts from when another program told its first turns: the fold begins here instead of at the initial state.
 * Stored once, in `chatMetadata.narrative_agent`.
 */
export const baselineSchema = z.object({
    state: gameStateSchema,
    /** Without their numbers. */
    summaries: z.array(baselineSummarySchema),
    /** The last turn the state includes: importing a reply's events up to it again would count them twice. */
    coversTurns: z.int().min(0),
});
export type Baseline = z.infer<typeof baselineSchema>;

/** `chatMetadata.narrative_agent`. */
export const chatMetadataSchema = z.object({
    v: z.literal(1),
    baseline: baselineSchema.optional(),
    /** Ms since the epoch; set when the original's data was looked at, also when nothing was found. */
    importedAt: z.number().optional(),
});
