import { z } from 'zod';
import { notice } from '../notice';
import type { Notice } from '../notice';
import { turnRecordSchema } from '../turn-record';
import type { TurnRecord } from '../turn-record';
import { baselineSchema } from './baseline';
import type { Baseline } from './baseline';

const chatExportSchema = z.object({
    format: z.literal('narrative-agent-chat'),
    v: z.literal(1),
    chat: z.string(),
    /** Ms since the epoch. */
    exportedAt: z.number(),
    baseline: baselineSchema.optional(),
    /** The replies' records: where each stood and the hash of the narrative it stood on (narrativeHash). */
    replies: z.array(z.object({ index: z.int().min(0), narrative: z.string(), record: turnRecordSchema })),
});
export type ChatExport = z.infer<typeof chatExportSchema>;

/** One reply of a chat: its position and the hash of its narrative as it is now. */
export interface ReplyPlace {
    index: number;
    narrative: string;
}

/** Everything this extension knows about a chat, as the text of a JSON file. */
export function exportChatData(data: { chat: string; exportedAt: number; baseline?: Baseline; replies: (ReplyPlace & { record: TurnRecord })[] }): string {
    const file: ChatExport = { format: 'narrative-agent-chat', v: 1, ...data };
    return JSON.stringify(file, null, 1);
}

/** Reads such a file. A file that is not wholly right gives a notice and nothing else. */
export function readChatExport(json: string): { ok: true; file: ChatExport } | { ok: false; notice: Notice } {
    let parsed: unknown;
    try {
        parsed = JSON.parse(json);
    } catch (error) {
        if (error instanceof SyntaxError) return { ok: false, notice: notice('error', 'state.export-not-json', { message: error.message }) };
        throw error;
    }
    const head = z.object({ format: z.literal('narrative-agent-chat'), v: z.number() }).safeParse(parsed);
    if (!head.success) return { ok: false, notice: notice('error', 'state.export-foreign') };
    if (head.data.v !== 1) return { ok: false, notice: notice('error', 'state.export-version', { version: head.data.v }) };
    const read = chatExportSchema.safeParse(parsed);
    if (read.success) return { ok: true, file: read.data };
    const issue = read.error.issues[0];
    return { ok: false, notice: notice('error', 'state.export-broken', { path: issue?.path.map(String).join('.') ?? '', message: issue?.message ?? '' }) };
}

/**
 * Which reply of a chat each record of a file goes to: the one at its position if the narrative is the same, else the only
 * other one with that narrative. A record without a place is counted and left out.
 */
export function placeRecords(file: ChatExport, replies: ReplyPlace[]): { placed: { index: number; record: TurnRecord }[]; left: number } {
    const taken = new Set<number>();
    const placed: { index: number; record: TurnRecord }[] = [];
    const at = new Map(replies.map((reply) => [reply.index, reply.narrative]));
    const place = (index: number, record: TurnRecord): void => {
        taken.add(index);
        placed.push({ index, record });
    };
    const moved = file.replies.filter(({ index, narrative, record }) => {
        if (at.get(index) !== narrative || taken.has(index)) return true;
        place(index, record);
        return false;
    });
    let left = 0;
    for (const { narrative, record } of moved) {
        const free = replies.filter((reply) => reply.narrative === narrative && !taken.has(reply.index));
        const only = free.length === 1 ? free[0] : undefined;
        if (only) place(only.index, record);
        else left += 1;
    }
    return { placed: placed.sort((a, b) => a.index - b.index), left };
}
