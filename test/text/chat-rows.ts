import { z } from 'zod';
import type { ChatMessage } from '../../src/ports';

const rowSchema = z.object({
    name: z.string().default(''),
    is_user: z.boolean().nullish(),
    is_system: z.boolean().nullish(),
    mes: z.string(),
    swipe_id: z.number().int().min(0).nullish(),
    original_avatar: z.string().nullish(),
    extra: z.looseObject({ type: z.unknown().optional(), narrative_agent: z.unknown().optional() }).nullish(),
    variables: z.unknown().optional(),
});

/** The messages of a chat as the host stores it (array or parsed chat file). The header row and rows that are no message are skipped. */
export function chatMessagesFromRows(rows: readonly unknown[]): ChatMessage[] {
    const messages: ChatMessage[] = [];
    const header = rows.length > 0 && !rowSchema.safeParse(rows[0]).success ? 1 : 0;
    for (const [position, row] of rows.entries()) {
        const parsed = rowSchema.safeParse(row);
        if (!parsed.success) continue;
        const { data } = parsed;
        messages.push({
            index: position - header,
            name: data.name,
            isUser: data.is_user === true,
            isHidden: data.is_system === true,
            isNarrator: data.extra?.type === 'narrator',
            text: data.mes,
            swipe: data.swipe_id ?? 0,
            record: data.extra?.narrative_agent,
            ...(data.original_avatar ? { avatar: data.original_avatar } : {}),
            ...(data.variables === undefined ? {} : { variables: data.variables }),
        });
    }
    return messages;
}
