import { z } from 'zod';
import { noticeSchema } from './notice';
import { proposedEventSchema } from './state/event';
import { compactSnapshotSchema } from './worldbook/snapshot';

/** What one die roll or other random decision of a tool was, enough to replay and explain it. */
export const toolRunSchema = z.object({
    name: z.string(),
    trigger: z.enum(['planning', 'post_pipeline']),
    params: z.unknown().optional(),
    ok: z.boolean(),
    /** What the writer saw (planning), or absent where the message itself holds it (post_pipeline). */
    output: z.string().optional(),
    /** Length of a post_pipeline output inside the message, in UTF-16 units. */
    length: z.number().optional(),
    error: z.string().optional(),
    /** Seed of the tool's random stream. */
    seed: z.string().optional(),
    /** Facts of the tool's own (dice rolled, modifier, total, dc …). */
    detail: z.record(z.string(), z.unknown()).optional(),
    ms: z.number().optional(),
});
export type ToolRun = z.infer<typeof toolRunSchema>;

/** One variable operation, of mvu_extract or of the user's own hand, and what became of it. */
export const patchResultSchema = z.object({
    op: z.string(),
    path: z.string(),
    value: z.unknown().optional(),
    from: z.string().optional(),
    ok: z.boolean(),
    reason: noticeSchema.optional(),
    /** Set by hand in the panel after the turn; a new extraction keeps it. */
    byUser: z.boolean().optional(),
});
export type PatchResult = z.infer<typeof patchResultSchema>;

/**
 * What one reply produced, kept per swipe in `message.extra.narrative_agent`. The game state and the summaries are a fold
 * over these (design, decision 2), so it holds proposals, never results: whether an event was accepted is computed.
 */
export const turnRecordSchema = z.object({
    v: z.literal(1),
    /** Unique per attempt at a reply: a swipe and a regenerate each have their own. */
    id: z.string(),
    /** The swipe it belongs to. The host copies `extra` into new swipes, so a record may stand where it does not belong. */
    swipe: z.number().int().min(0),
    /** `pending` = the narrative is there, the analysis is not yet; `incomplete` = it failed or was stopped. */
    status: z.enum(['pending', 'complete', 'incomplete']),
    /** Why it is incomplete. */
    reason: noticeSchema.optional(),
    mode: z.enum(['merged', 'planning']),
    delivery: z.enum(['stream', 'relay', 'import']),
    /** Seed of the turn's random streams. */
    seed: z.string(),
    /** Hash of the narrative that was analysed: another text means the reply was edited since. */
    narrative: z.string(),
    /** The merged analysis has run: its events and summary are in, whatever else failed. */
    analysed: z.boolean().default(false),
    events: z.array(proposedEventSchema).default([]),
    /** The summary without its turn number: `用户意图：… | 叙事要点：…`; code sets the number. */
    summary: z.string().optional(),
    /**
     * A chapter that condenses the summaries of the turns up to and including this one. `of` holds the marks of the summaries
     * it was made from (summaryMark), so it moves with them when turns are deleted before it, and lapses when one is gone.
     */
    chapter: z.object({ from: z.number(), to: z.number(), text: z.string(), of: z.array(z.string()).optional() }).optional(),
    /** Corrections made by hand after this turn, in order. */
    corrections: z.array(proposedEventSchema).default([]),
    tools: z.array(toolRunSchema).default([]),
    snapshot: compactSnapshotSchema.optional(),
    variables: z.array(patchResultSchema).optional(),
    /** Model calls of the turn, the main connection's writing call included. */
    calls: z.array(z.object({ purpose: z.string(), ms: z.number(), promptTokens: z.number().optional(), completionTokens: z.number().optional(), attempts: z.number().optional() })).default([]),
    notices: z.array(noticeSchema).default([]),
});
export type TurnRecord = z.infer<typeof turnRecordSchema>;
