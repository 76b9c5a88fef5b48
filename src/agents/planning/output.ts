import { z } from 'zod';
import type { JsonSchema, ModelReply } from '../../ports';
import type { WritingGuide } from '../../prompt/prompt-input';
import { recoverJson, type Recovered } from '../../text/recover-json';
import { readToolCalls, readTurnNumbers } from './read-lists';
import { strictSchema, structuredOutputOf } from '../structured-output';

/** What the planning agent answers (seed: 规划 Agent 输出格式). A guide that says nothing is none. */
export const planningSchema = z.object({
    narrative_direction: z.string(),
    scene_setting: z.string(),
    key_points: z.array(z.string()),
    tone: z.string(),
    pacing: z.string(),
    continuity_notes: z.array(z.string()),
    tool_calls: z.array(z.object({ tool: z.string().min(1), params: z.record(z.string(), z.unknown()) })),
    text_recall: z.array(z.number().int().min(0)),
}).refine((guide) => guide.narrative_direction !== '' || guide.key_points.length > 0, { message: 'narrative_direction is empty' });

/** The labels of the guide as the writer reads it, which some models use as keys, and near misses of the keys. */
const aliases: Record<string, string> = {
    叙事方向: 'narrative_direction', 剧情方向: 'narrative_direction', direction: 'narrative_direction',
    场景设置: 'scene_setting', 场景设定: 'scene_setting', 场景: 'scene_setting', scene: 'scene_setting', setting: 'scene_setting',
    要点: 'key_points', 关键要点: 'key_points', 关键点: 'key_points', 关键情节: 'key_points', keypoints: 'key_points', points: 'key_points',
    基调: 'tone', 情感基调: 'tone', 语气: 'tone', 节奏: 'pacing', pace: 'pacing',
    延续细节: 'continuity_notes', 连续性: 'continuity_notes', 连续性注意: 'continuity_notes', 延续: 'continuity_notes', continuity: 'continuity_notes',
    工具调用: 'tool_calls', tools: 'tool_calls', toolcall: 'tool_calls', 原文召回: 'text_recall', 召回: 'text_recall', recall: 'text_recall',
};

/** Reads the planning agent's output, however it came. */
export function recoverPlanning(text: string, finishReason: ModelReply['finishReason']): Recovered<WritingGuide> {
    return recoverJson(text, planningSchema, {
        finishReason,
        aliases,
        prepare: (guide) => ({ ...guide, tool_calls: readToolCalls(guide.tool_calls), text_recall: readTurnNumbers(guide.text_recall) }),
    });
}

/** Structured output of the planning call: each tool's own parameters, where there are tools. */
export function planningStructuredOutput(tools: readonly { name: string; parameters: JsonSchema }[] = []): { name: string; schema: JsonSchema } {
    const output = structuredOutputOf('writing_guide', planningSchema);
    const properties = output.schema.properties as Record<string, JsonSchema>;
    if (tools.length > 0) {
        const calls = tools.map((tool) => ({
            type: 'object',
            properties: { tool: { type: 'string', enum: [tool.name] }, params: strictSchema(tool.parameters) },
            required: ['tool', 'params'],
            additionalProperties: false,
        }));
        properties.tool_calls = { type: 'array', items: calls.length === 1 ? calls[0] : { anyOf: calls } };
    }
    return output;
}
