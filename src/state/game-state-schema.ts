import { z } from 'zod';
import { limits } from './limits';
import { isSafeName, readFlagValue } from './safe-value';
import { initialState } from './state';
import type { EventRecord, GameState, QuestState } from './state';

const name = z.string().min(1).refine(isSafeName);

const questStateSchema = z.object({
    status: z.enum(['active', 'completed', 'failed']),
    stage: z.string().optional(),
    outcome: z.string().optional(),
});

const eventRecordSchema = z.object({
    turn: z.number(),
    type: z.string(),
    params: z.record(z.string(), z.unknown()),
    accepted: z.boolean(),
    reason: z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])) }).optional(),
    by: z.enum(['analysis', 'user']),
});

const timeSchema = z.object({ day: z.int().min(1).max(limits.day), hour: z.int().min(0).max(23), minute: z.int().min(0).max(59) });

/** A game state as this extension writes it, for baselines and export files. */
export const gameStateSchema: z.ZodType<GameState> = z.object({
    time: timeSchema,
    location: z.string().max(limits.location),
    inventory: z.record(name, z.int().min(1).max(limits.owned)),
    relationships: z.record(name, z.int().min(-limits.relationship).max(limits.relationship)),
    quests: z.record(name, questStateSchema),
    flags: z.record(name, z.unknown().refine((value) => 'value' in readFlagValue(value))),
    eventLog: z.array(eventRecordSchema).max(limits.eventLog),
});

function entriesOf(value: unknown): [string, unknown][] {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value).filter(([key]) => key.trim() !== '' && isSafeName(key)) : [];
}

function readQuest(value: unknown): QuestState | null {
    const found = questStateSchema.safeParse(typeof value === 'string' ? { status: value } : value);
    return found.success ? { status: found.data.status, ...(found.data.stage ? { stage: found.data.stage } : {}), ...(found.data.outcome ? { outcome: found.data.outcome } : {}) } : null;
}

function readLogEntry(value: unknown): EventRecord | null {
    const loose = z.object({ turn: z.number().catch(0), type: z.string(), params: z.record(z.string(), z.unknown()).catch({}), accepted: z.boolean().catch(true) }).safeParse(value);
    return loose.success ? { ...loose.data, by: 'analysis' } : null;
}

/**
 * Reads a game state of foreign make: missing fields get their initial value, a quest may be its status alone, entries that
 * break a rule are left out and counted. Null where the value has none of the seven fields.
 */
export function readGameState(value: unknown): { state: GameState; dropped: number } | null {
    if (typeof value !== 'object' || value === null) return null;
    const source = value as Record<string, unknown>;
    const state = initialState();
    if (!Object.keys(state).some((field) => Object.hasOwn(source, field))) return null;
    let dropped = 0;
    const keep = <T>(field: unknown, into: Record<string, T>, read: (item: unknown) => T | null): void => {
        for (const [key, item] of entriesOf(field)) {
            const found = Object.keys(into).length >= limits.entries || key.length > limits.note ? null : read(item);
            if (found === null) dropped += 1;
            else into[key] = found;
        }
    };
    const time = timeSchema.safeParse(source.time);
    if (time.success) state.time = time.data;
    else if (source.time !== undefined) dropped += 1;
    if (typeof source.location === 'string' && source.location.trim() !== '' && source.location.length <= limits.location) state.location = source.location.trim();
    else if (source.location !== undefined) dropped += 1;
    const whole = (least: number, most: number) => (item: unknown) => (typeof item === 'number' && Number.isInteger(item) && item >= least && item <= most ? item : null);
    keep(source.inventory, state.inventory, whole(1, limits.owned));
    keep(source.relationships, state.relationships, whole(-limits.relationship, limits.relationship));
    keep(source.quests, state.quests, readQuest);
    for (const [key, item] of entriesOf(source.flags)) {
        const read = readFlagValue(item);
        if ('fault' in read) dropped += 1;
        else state.flags[key] = read.value;
    }
    if (Array.isArray(source.eventLog)) state.eventLog = source.eventLog.map(readLogEntry).filter((entry) => entry !== null).slice(-limits.eventLog);
    return { state, dropped };
}
