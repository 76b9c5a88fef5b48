import { z } from 'zod';

/**
 * Something a user or worldbook author should be told. The core names what happened by a code and its parameters;
 * the UI owns the sentences (src/ui/i18n, one table per room, zh-CN and en).
 */
export const noticeSchema = z.object({
    level: z.enum(['info', 'warning', 'error']),
    /** `room.what-happened`, e.g. `worldbook.invalid-regex`. */
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

export type Notice = z.infer<typeof noticeSchema>;

/** Builds a notice. */
export function notice(level: Notice['level'], code: string, params: Notice['params'] = {}): Notice {
    return { level, code, params };
}
