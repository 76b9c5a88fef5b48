import { z } from 'zod';

/**
 * The JSON of a `[TOOL:…]` entry (seed: tool template), as authors write it: long texts may be a list of lines, numbers
 * may be text, a null is an absent field.
 */
const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join('\n'))]);

/** `Post-Pipeline`, `postPipeline` and the like are the same word. */
const word = <const Options extends readonly [string, ...string[]]>(options: Options) => z.preprocess(
    (value) => typeof value === 'string' ? value.trim().replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().replace(/[-\s]+/g, '_') : value,
    z.enum(options),
);

const number = (minimum: number, maximum: number) => z.preprocess(
    (value) => typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value,
    z.number().int().min(minimum).max(maximum),
);

/** Fields without which there is no tool. */
const coreFields = {
    type: word(['code', 'llm']).nullish(),
    trigger: word(['planning', 'post_pipeline']).nullish(),
    function: z.object({
        // No blanks or marks: the planning agent must be able to write it back.
        name: z.string().trim().min(1).max(64).regex(/^[^\s"'`<>{}()[\]/\\,，：:]+$/u),
        description: text.nullish(),
        parameters: z.record(z.string(), z.unknown()).nullish(),
    }),
    code: text.nullish(),
    system_prompt: text.nullish(),
};

/** Fields whose fault costs only themselves. */
const optionalFields = {
    context: z.preprocess((value) => typeof value === 'string' ? value.split(/[,，\s]+/).filter((key) => key !== '') : value, z.array(z.string())).nullish(),
    output_tag: z.string().trim().transform((tag) => tag.replace(/^<\/?\s*|\s*\/?>$/g, '')).pipe(z.string().regex(/^[\p{L}_][\p{L}\p{N}_.-]*$/u)).nullish(),
    /** Turns. */
    tag_lookback: number(0, 100).nullish(),
    connection_profile: z.string().trim().nullish(),
    /** Tokens. */
    max_tokens: number(1, 200_000).nullish(),
    /** Ms. */
    deadline: number(1, 600_000).nullish(),
};

export const toolContentSchema = z.object({ ...coreFields, ...optionalFields });
export type ToolContent = z.infer<typeof toolContentSchema>;

export function isOptionalField(field: PropertyKey | undefined): field is keyof typeof optionalFields {
    return typeof field === 'string' && Object.hasOwn(optionalFields, field);
}
