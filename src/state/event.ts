import { z } from 'zod';

/** The ten events of the seed (状态管理器). */
export const eventTypes = [
    'move', 'add_item', 'remove_item', 'set_relationship', 'modify_relationship',
    'start_quest', 'advance_quest', 'complete_quest', 'set_flag', 'pass_time',
] as const;
export type EventType = (typeof eventTypes)[number];

/** A state change somebody proposed, as the model or the user wrote it; the fold validates it. */
export const proposedEventSchema = z.object({ type: z.string(), params: z.record(z.string(), z.unknown()).default({}) });
export type ProposedEvent = z.infer<typeof proposedEventSchema>;
