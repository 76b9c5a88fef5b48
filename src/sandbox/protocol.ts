import { z } from 'zod';

/**
 * What the page and the sandbox's worker say to each other. Params, state and result travel as JSON text: nothing but
 * text ever leaves the sandbox.
 */
export interface SandboxTask {
    code: string;
    /** JSON text. */
    params: string;
    /** JSON text. */
    state: string;
    seed: string;
    /** Ms since the epoch. */
    now: number;
    /** Ms. */
    deadline: number;
    /** Bytes. */
    memory: number;
}

export type WorkerRequest =
    | { id: number; type: 'run'; task: SandboxTask }
    | { id: number; type: 'check'; code: string };

const outcomeSchema = z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), text: z.string(), log: z.array(z.string()), ms: z.number(), memory: z.number().optional() }),
    z.object({
        ok: z.literal(false),
        kind: z.enum(['error', 'timeout', 'memory', 'syntax', 'aborted']),
        message: z.string(),
        line: z.number().optional(),
        log: z.array(z.string()),
        ms: z.number(),
    }),
]);
/** How one task ended; `text` is the JSON text of the value. */
export type SandboxOutcome = z.infer<typeof outcomeSchema>;

/** `broken`: the engine must not be used again (its own stack overflowed or it aborted); the page replaces the worker. */
export const workerResponseSchema = z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    z.object({ type: z.literal('failed'), message: z.string() }),
    z.object({ type: z.literal('done'), id: z.number(), outcome: outcomeSchema, broken: z.boolean() }),
]);
export type WorkerResponse = z.infer<typeof workerResponseSchema>;
