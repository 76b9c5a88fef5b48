import { z } from 'zod';
import type { JsonSchema } from '../ports';

/** The five operations of the seed's JSON Patch dialect. */
export const patchOperations = ['replace', 'delta', 'insert', 'remove', 'move'] as const;
export type PatchOperation = (typeof patchOperations)[number];

/** One change to the variable tree. `path` is as the model wrote it; parsePath says what it means in a tree. */
export const patchSchema = z.object({
    op: z.enum(patchOperations),
    path: z.string(),
    value: z.unknown().optional(),
    /** Where a move takes its value from. */
    from: z.string().optional(),
});
export type Patch = z.infer<typeof patchSchema> & {
    /** The user's own edit, never a model's: what is read-only or closed to a model is open to it. */
    byUser?: boolean;
};

/** Names models use for the five operations. */
const synonyms: Record<string, PatchOperation> = {
    set: 'replace', update: 'replace', change: 'replace', assign: 'replace', modify: 'replace', 替换: 'replace', 设置: 'replace', 修改: 'replace',
    increment: 'delta', inc: 'delta', incr: 'delta', decrement: 'delta', increase: 'delta', decrease: 'delta', 增减: 'delta', 增加: 'delta', 减少: 'delta',
    add: 'insert', append: 'insert', push: 'insert', create: 'insert', 插入: 'insert', 追加: 'insert', 新增: 'insert',
    delete: 'remove', unset: 'remove', del: 'remove', 删除: 'remove', 移除: 'remove',
    rename: 'move', 移动: 'move',
};

/** The operation a name means; null for an unknown one. */
export function operationOf(name: string): PatchOperation | null {
    const plain = name.trim().toLowerCase();
    const known = patchOperations.find((each) => each === plain);
    return known ?? (Object.hasOwn(synonyms, plain) ? synonyms[plain] ?? null : null);
}

/** True for the names that take away: their number counts downwards. */
export function countsDown(name: string): boolean {
    return ['decrement', 'decrease', '减少'].includes(name.trim().toLowerCase());
}

/**
 * The answer's JSON schema for structured output. `value` may be anything and `from` is optional, so it suits connections
 * that take a schema as guidance, not OpenAI's strict subset.
 */
export const patchesJsonSchema: JsonSchema = {
    type: 'object',
    properties: {
        patches: {
            type: 'array',
            items: {
                type: 'object',
                properties: {
                    op: { type: 'string', enum: [...patchOperations] },
                    path: { type: 'string' },
                    value: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }, { type: 'array', items: {} }, { type: 'object' }] },
                    from: { type: 'string' },
                },
                required: ['op', 'path'],
            },
        },
    },
    required: ['patches'],
};
