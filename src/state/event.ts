import { z } from 'zod';

/** The ten events of the seed (状态管理器). */
export const eventTypes = [
    'move', 'add_item', 'remove_item', 'set_relationship', 'modify_relationship',
    'start_quest', 'advance_quest', 'complete_quest', 'set_flag', 'pass_time',
] as const;
export type EventType = (typeof eventTypes)[number];

/**
 * Events only the user can make, from the panel: they say what a field *is*, so a correction keeps its meaning when an
 * earlier turn is analysed again. Proposed by an analysis they are unknown events.
 * `set_time` {day, hour, minute} · `set_item` {item, quantity ≥ 0} · `set_quest` {quest_id, status, stage?, outcome?} ·
 * `remove_entry` {field: relationships | quests | flags, name}
 */
export const userEventTypes = ['set_time', 'set_item', 'set_quest', 'remove_entry'] as const;
export type UserEventType = (typeof userEventTypes)[number];

/** A state change somebody proposed, as the model or the user wrote it; the fold validates it. */
export const proposedEventSchema = z.object({ type: z.string(), params: z.record(z.string(), z.unknown()).default({}) });
export type ProposedEvent = z.infer<typeof proposedEventSchema>;
