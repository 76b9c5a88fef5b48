import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { condensePrompt } from '../../src/agents/condense/prompt';
import { MERGED_ANALYSIS_SYSTEM } from '../../src/agents/merged-analysis/prompt';
import { analysisSchema, analysisStructuredOutput, recoverAnalysis } from '../../src/agents/merged-analysis/output';
import { MERGED_WRITING_INSTRUCTION, MERGED_WRITING_SYSTEM_SUFFIX } from '../../src/agents/merged-writing/prompt';
import { guideText } from '../../src/agents/planning/guide-text';
import { planningStructuredOutput, recoverPlanning } from '../../src/agents/planning/output';
import { PLANNING_INSTRUCTION, PLANNING_SYSTEM_SUFFIX } from '../../src/agents/planning/prompt';
import { reaskMessages } from '../../src/agents/reask';
import { relayPrompt, RELAY_PLACEHOLDER } from '../../src/agents/relay/prompt';
import { SHARED_ANALYSIS_PREFIX } from '../../src/agents/shared';
import { SHARED_PLANNING_TASK } from '../../src/agents/shared-engine';
import { strictSchema } from '../../src/agents/structured-output';
import { TOOL_BINDING, WRITING_SYSTEM_SUFFIX } from '../../src/agents/writing/prompt';
import { eventTypes } from '../../src/state/event';

const languages = ['zh', 'en'] as const;

describe('prompt texts', () => {
    it('keep the seed\'s literal phrases', () => {
        expect(PLANNING_INSTRUCTION.zh).toBe('请生成写作指导。');
        expect(MERGED_WRITING_INSTRUCTION.zh).toMatch(/^【思维模式要求】/);
        expect(TOOL_BINDING.zh).toContain('工具执行结果已由系统确定，必须严格按结果走向写作');
        expect(MERGED_ANALYSIS_SYSTEM.zh.startsWith(SHARED_ANALYSIS_PREFIX.zh)).toBe(true);
    });

    it.each(languages)('explain all ten events with their parameters (%s)', (language) => {
        const text = MERGED_ANALYSIS_SYSTEM[language];
        for (const type of eventTypes) expect(text).toContain(`- ${type} {`);
        for (const parameter of ['location', 'item', 'quantity', 'npc', 'value', 'delta', 'quest_id', 'stage', 'outcome', 'flag', 'amount', 'unit']) expect(text).toContain(`"${parameter}"`);
        expect(text).toContain('[第N轮] 用户意图：… | 叙事要点：…');
    });

    it.each(languages)('name every field of the guide (%s)', (language) => {
        for (const text of [PLANNING_SYSTEM_SUFFIX[language], SHARED_PLANNING_TASK[language]]) {
            for (const field of ['narrative_direction', 'scene_setting', 'key_points', 'tone', 'pacing', 'continuity_notes', 'tool_calls', 'text_recall']) expect(text).toContain(`"${field}"`);
        }
    });

    it.each(languages)('are no answer when a model repeats them (%s)', (language) => {
        for (const text of [PLANNING_SYSTEM_SUFFIX[language], SHARED_PLANNING_TASK[language]]) expect(recoverPlanning(text, 'stop').ok).toBe(false);
        expect(recoverAnalysis(MERGED_ANALYSIS_SYSTEM[language], 'stop').ok).toBe(false);
    });

    it('are in the language asked for', () => {
        for (const text of [PLANNING_SYSTEM_SUFFIX.en, WRITING_SYSTEM_SUFFIX.en, MERGED_WRITING_SYSTEM_SUFFIX.en, SHARED_ANALYSIS_PREFIX.en]) expect(text.replaceAll('[第N轮]', '')).not.toMatch(/\p{Script=Han}/u);
    });
});

describe('the relay placeholder', () => {
    it('is longer than nothing and shorter than what other extensions take for a reply', () => {
        expect(RELAY_PLACEHOLDER.length).toBeGreaterThan(0);
        expect(RELAY_PLACEHOLDER.length).toBeLessThan(5);
        for (const language of languages) expect(relayPrompt(language)[0]?.content).toContain(RELAY_PLACEHOLDER);
    });
});

describe('the guide as text', () => {
    it('has the seed\'s lines, without empty ones', () => {
        const guide = { narrative_direction: '甲', scene_setting: '', key_points: ['一', ' ', '二'], tone: '紧张', pacing: '慢', continuity_notes: [], tool_calls: [], text_recall: [] };
        expect(guideText(guide, 'zh')).toBe('叙事方向：甲\n要点：一；二\n基调：紧张，节奏：慢');
        expect(guideText({ ...guide, tone: '' }, 'en')).toBe('Direction: 甲\nKey points: 一; 二\nPacing: 慢');
    });
});

describe('asking again', () => {
    it('shows the model its output and what was wrong', () => {
        const again = reaskMessages([{ role: 'user', content: 'a' }], '{"ev', 'no JSON object', 'zh');
        expect(again.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
        expect(again[2]?.content).toContain('no JSON object');
        expect(reaskMessages([], '', 'x', 'en', true)).toHaveLength(1);
    });
});

describe('condensing', () => {
    it('gives the summaries and a length', () => {
        const text = condensePrompt(['[第1轮] a', '[第2轮] b'], 300, 'zh').map((message) => message.content).join('\n');
        expect(text).toContain('<story_summary>\n[第1轮] a\n[第2轮] b\n</story_summary>');
        expect(text).toContain('300');
    });
});

/** Faults of a schema that strict structured output refuses. */
function faults(schema: unknown, path = '$'): string[] {
    if (typeof schema !== 'object' || schema === null) return [];
    const node = schema as Record<string, unknown>;
    const found: string[] = [];
    if (node.type === 'object') {
        if (node.additionalProperties !== false) found.push(`${path} is open`);
        const names = Object.keys((node.properties ?? {}) as object);
        if (JSON.stringify(names) !== JSON.stringify(node.required)) found.push(`${path} has optional keys`);
    }
    for (const key of ['oneOf', 'allOf', '$schema', 'default', 'propertyNames']) if (key in node) found.push(`${path} has ${key}`);
    return [...found, ...Object.entries(node).flatMap(([key, value]) => (Array.isArray(value) ? value.flatMap((each, index) => faults(each, `${path}.${key}[${index}]`)) : faults(value, `${path}.${key}`)))];
}

describe('structured output', () => {
    const dice = { name: 'roll_dice', parameters: { type: 'object', properties: { expr: { type: 'string' }, dc: { type: 'number' } }, required: ['expr'] } };

    it('is in the strict form', () => {
        for (const output of [analysisStructuredOutput(), planningStructuredOutput(), planningStructuredOutput([dice]), planningStructuredOutput([dice, { name: 'x', parameters: {} }])]) expect(faults(output.schema)).toEqual([]);
    });

    it('lets an optional parameter be null, which reading leaves out again', () => {
        const schema = strictSchema(dice.parameters);
        expect(schema).toMatchObject({ required: ['expr', 'dc'], properties: { dc: { anyOf: [{ type: 'number' }, { type: 'null' }] } } });
        const answer = { narrative_direction: '走', scene_setting: '', key_points: [], tone: '', pacing: '', continuity_notes: [], tool_calls: [{ tool: 'roll_dice', params: { expr: '1d20', dc: null } }], text_recall: [] };
        expect(recoverPlanning(JSON.stringify(answer), 'stop')).toMatchObject({ ok: true, value: { tool_calls: [{ tool: 'roll_dice', params: { expr: '1d20' } }] } });
    });

    it('describes what the analysis accepts', () => {
        const sample = { events: [{ type: 'move', params: { location: '渡口' } }], summary_entries: [] };
        expect(analysisSchema.safeParse(sample).success).toBe(true);
        expect(z.fromJSONSchema(analysisStructuredOutput().schema).safeParse(sample).success).toBe(true);
    });
});
