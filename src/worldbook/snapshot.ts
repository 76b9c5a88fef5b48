import { z } from 'zod';
import { noticeSchema } from '../notice';

/** What an entry is, by its comment and content (seed: 世界书条目分类). */
export const entryKinds = ['lore', 'tool', 'ui', 'initvar', 'mvu_update'] as const;
export type EntryKind = (typeof entryKinds)[number];

export const sections = ['worldinfo1', 'worldinfo2', 'worldinfo3'] as const;
export type Section = (typeof sections)[number];

export type Audience = 'all' | 'planner' | 'writer';

/** Why an entry is in or out this turn. */
export const reasons = [
    // in
    'constant', 'required', 'keyword', 'recursion', 'sticky', 'forced', 'decorator', 'dependency', 'recall',
    // out
    'no-keyword', 'no-keys', 'secondary', 'disabled', 'kind', 'trigger', 'filter', 'delay', 'cooldown', 'recursion-only',
    'excluded-recursion', 'dont-activate', 'probability', 'group', 'condition', 'audience', 'requirement', 'conflict', 'budget', 'empty',
] as const;
export type Reason = (typeof reasons)[number];

/** One entry's fate in one turn. `because` carries the facts of the reason (the key and the message it matched in, the group that won …). */
export interface Decision {
    /** `<book>#<uid>`. */
    entry: string;
    title: string;
    kind: EntryKind;
    status: 'in' | 'out';
    by: Reason;
    because: Record<string, string | number | boolean>;
    /** Estimated tokens of the rendered content; 0 when out. */
    tokens: number;
    /** Null for entries that go to no prompt (tools, [initvar] …) and for those that are out. */
    section: Section | null;
    audience: Audience;
    /** Of the raw content, to tell later whether the text has changed. */
    hash: string;
}

/** The stored form of a snapshot: decisions that say more than "no key matched", as tuples. */
export const compactSnapshotSchema = z.object({
    seed: z.string(),
    /** Books by name, in scan order; decisions name them by index. */
    books: z.array(z.string()),
    /** [book index, uid, status 1|0, reason, tokens, section 0 none 1–3, audience 0 all 1 planner 2 writer, hash, because?] */
    decisions: z.array(z.tuple([z.number(), z.number(), z.number(), z.string(), z.number(), z.number(), z.number(), z.string()]).rest(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))),
    /** How many entries were looked at and how many are in. */
    counts: z.tuple([z.number(), z.number()]),
    /** Sticky and cooldown effects in force after this turn: entry id → [kind, hash, start, end, protected]. */
    timed: z.array(z.tuple([z.string(), z.enum(['sticky', 'cooldown']), z.string(), z.number(), z.number(), z.boolean()])).default([]),
    recall: z.object({ path: z.enum(['off', 'lexical', 'forced', 'hybrid']), degraded: z.string().optional() }).optional(),
    budget: z.object({ total: z.number(), used: z.number(), constants: z.number().optional() }).optional(),
    notices: z.array(noticeSchema).default([]),
});
export type CompactSnapshot = z.infer<typeof compactSnapshotSchema>;

/** All decisions of one turn, one per entry of every loaded book: those in, in prompt order, then those out. */
export interface Snapshot extends Omit<CompactSnapshot, 'decisions'> {
    decisions: Decision[];
    /** Contents as they went in, macros substituted once, by entry id. Only on the snapshot of the running turn; never stored. */
    rendered?: ReadonlyMap<string, string>;
}
