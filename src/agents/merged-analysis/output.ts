import { z } from 'zod';
import type { JsonSchema, ModelReply } from '../../ports';
import { recoverJson, type Recovered } from '../../text/recover-json';
import { structuredOutputOf } from '../structured-output';
import { readEvents, readSummaries } from './read-events';

/** What the merged analysis answers. Events are checked by the fold, not here: an invalid one is shown as rejected. */
export const analysisSchema = z.object({
    events: z.array(z.object({ type: z.string().min(1), params: z.record(z.string(), z.unknown()) })),
    summary_entries: z.array(z.string()),
});
export type Analysis = z.infer<typeof analysisSchema>;

const event = <Type extends string, Params extends z.ZodRawShape>(type: Type, params: Params) => z.object({ type: z.literal(type), params: z.object(params) });

/** The ten events with their parameters, as structured output constrains them. */
const requestedSchema = z.object({
    events: z.array(z.union([
        event('move', { location: z.string() }),
        event('add_item', { item: z.string(), quantity: z.int() }),
        event('remove_item', { item: z.string(), quantity: z.int() }),
        event('set_relationship', { npc: z.string(), value: z.int() }),
        event('modify_relationship', { npc: z.string(), delta: z.int() }),
        event('start_quest', { quest_id: z.string(), stage: z.string() }),
        event('advance_quest', { quest_id: z.string(), stage: z.string() }),
        event('complete_quest', { quest_id: z.string(), outcome: z.string() }),
        event('set_flag', { flag: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) }),
        event('pass_time', { amount: z.number(), unit: z.enum(['minutes', 'hours', 'days']) }),
    ])),
    summary_entries: z.array(z.string()),
});

const aliases: Record<string, string> = {
    事件: 'events', 事件列表: 'events', event: 'events', event_list: 'events', state_changes: 'events',
    摘要: 'summary_entries', 摘要条目: 'summary_entries', 摘要列表: 'summary_entries', summary: 'summary_entries', summaries: 'summary_entries',
    summary_entry: 'summary_entries', entries: 'summary_entries',
};

/** Reads the merged analysis, however it came. */
export function recoverAnalysis(text: string, finishReason: ModelReply['finishReason']): Recovered<Analysis> {
    return recoverJson(text, analysisSchema, {
        finishReason,
        aliases,
        prepare: (analysis) => ({ ...analysis, events: readEvents(analysis.events), summary_entries: readSummaries(analysis.summary_entries) }),
    });
}

/** Structured output of the analysis call. */
export function analysisStructuredOutput(): { name: string; schema: JsonSchema } {
    return structuredOutputOf('turn_analysis', requestedSchema);
}
