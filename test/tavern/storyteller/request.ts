import { z } from 'zod';

const contentSchema = z.union([z.string(), z.null(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).optional();

/** The part of a chat-completion request that the storyteller reads; unknown fields are kept. */
export const chatRequestSchema = z.looseObject({
    model: z.string().optional(),
    messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })).default([]),
    stream: z.boolean().optional(),
    max_tokens: z.number().optional(),
    temperature: z.number().optional(),
    response_format: z.looseObject({ type: z.string() }).optional(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;

/** A text-completion request, as one message that holds the whole prompt; unknown fields are kept. */
export const textRequestSchema = z.looseObject({ prompt: z.string(), model: z.string().optional(), stream: z.boolean().optional(), max_tokens: z.number().optional(), temperature: z.number().optional() })
    .transform(({ prompt, ...rest }): ChatRequest => ({ ...rest, prompt, messages: [{ role: 'system', content: prompt }] }));

/** The text of one message, whatever shape its content has. */
export function textOf(message: ChatRequest['messages'][number]): string {
    const { content } = message;
    if (typeof content === 'string') return content;
    if (!content) return '';
    return content.map((part) => part.text ?? '').join('\n');
}

/** All texts of one role, joined; the whole prompt when no role is given. */
export function promptText(request: ChatRequest, role?: string): string {
    return request.messages.filter((message) => role === undefined || message.role === role).map(textOf).join('\n\n');
}

/** The body of the last `<tag>…</tag>` in a text, trimmed; '' when there is none. */
export function block(text: string, tag: string): string {
    const end = text.lastIndexOf(`</${tag}>`);
    if (end < 0) return '';
    const start = text.lastIndexOf(`<${tag}>`, end);
    return start < 0 ? '' : text.slice(start + tag.length + 2, end).trim();
}

/** A rough token count: four ASCII characters or one other character a token. */
export function roughTokens(text: string): number {
    let tokens = 0;
    for (const char of text) tokens += char.charCodeAt(0) < 128 ? 0.25 : 1;
    return Math.ceil(tokens);
}
