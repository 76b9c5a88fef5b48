import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import cases from '../fixtures/cases.json';
import { recoverAnalysis } from '../../src/agents/merged-analysis/output';
import { recoverPlanning } from '../../src/agents/planning/output';
import { recoverJson } from '../../src/text/recover-json';
import type { ModelReply } from '../../src/ports';
import { matchesExpected } from './match-expected';

interface ModelCase {
    id: string;
    kind: string;
    input: { schema: 'planning' | 'analysis'; text: string; finish_reason: ModelReply['finishReason'] };
    expected: unknown;
}

describe('the shared model-json cases', () => {
    const outputs = (cases as unknown as ModelCase[]).filter((each) => each.kind === 'model-json');
    it.each(outputs.map((each) => [each.id, each] as const))('%s', (_id, { input, expected }) => {
        const result = (input.schema === 'planning' ? recoverPlanning : recoverAnalysis)(input.text, input.finish_reason);
        const actual = result.ok ? result.value : 'error';
        expect([actual, matchesExpected(actual, expected)]).toEqual([actual, true]);
    });
});

const move = { type: 'move', params: { location: '渡口' } };
const entry = '[第3轮] 用户意图：过桥 | 叙事要点：未放行';
const answer = JSON.stringify({ events: [move], summary_entries: [entry] });
const whole = { events: [move], summary_entries: [entry] };
const guide = { narrative_direction: '守桥人查看通行牌。', scene_setting: '雨夜', key_points: ['缺角', '问来历'], tone: '紧张', pacing: '中', continuity_notes: [], tool_calls: [], text_recall: [2] };
const analysis = (text: string, finish: ModelReply['finishReason'] = 'stop') => {
    const result = recoverAnalysis(text, finish);
    return result.ok ? result.value : result.reason.code;
};
const planning = (text: string, finish: ModelReply['finishReason'] = 'stop') => {
    const result = recoverPlanning(text, finish);
    return result.ok ? result.value : result.reason.code;
};

describe('reasoning', () => {
    const draft = '{"events": [{"type": "move", "params": {"location": "钟楼"}}], "summary_entries": ["草稿"]}';
    it.each([
        ['a draft inside it', `<think>先写 ${draft} 再改</think>\n${answer}`],
        ['only its closing tag', `先写 ${draft} 再改\n</think>\n\n${answer}`],
        ['an unbalanced brace inside it', `<thinking>格式是 {"events": [ 这样</thinking>${answer}`],
        ['an unbalanced brace before a lone closing tag', `格式是 {"events": [ 这样</think>${answer}`],
        ['the tag named inside it', `<think>不要写 <think> 标签</think>${answer}`],
        ['attributes and another closing name', `<thought depth="2">想</thinking>${answer}`],
        ['square brackets', `[THINK]${draft}[/THINK]${answer}`],
        ['triangles', `◁think▷${draft}◁/think▷${answer}`],
        ['begin and end marks', `<|begin_of_thought|>${draft}<|end_of_thought|><|begin_of_solution|>${answer}<|end_of_solution|>`],
        ['channels', `<|channel|>analysis<|message|>We need ${draft}<|end|><|start|>assistant<|channel|>final<|message|>${answer}<|return|>`],
        ['channels whose marks were eaten', `analysisWe need JSON ${draft} ok.assistantfinal${answer}`],
        ['a local runner', `Thinking...\n${draft}\n...done thinking.\n\n${answer}`],
        ['a forgotten closing tag', `<think>\n先想清楚。\n${answer}`],
        ['a seed tag, then a fence', `<seed:think>想</seed:think>\n\`\`\`json\n${answer}\n\`\`\``],
        ['Chinese tags', `<思考>${draft}</思考>${answer}`],
        ['escaped tags', `&lt;think&gt;${draft}&lt;/think&gt;${answer}`],
    ])('is left out: %s', (_name, text) => {
        expect(analysis(text)).toEqual(whole);
    });

    it('is no answer by itself', () => {
        expect(analysis(`<reflection>${draft}</reflection>`)).toBe('text.output-only-reasoning');
        expect(analysis(`<think>应该是 ${draft} 吧，再想想`)).toBe('text.output-only-reasoning');
        expect(analysis(`好的。<think>应该是 ${draft} 吧，再想想`)).toBe('text.output-no-json');
        expect(analysis(`<think>\n${draft}`, 'length')).toBe('text.output-only-reasoning');
        expect(analysis(`<|channel|>analysis<|message|>${draft}<|end|>`)).toBe('text.output-only-reasoning');
    });

    it('is text inside a string, also when the JSON around it is broken', () => {
        expect(analysis(`{"events": [], "summary_entries": ["符上写着</think>与<think>",],}`)).toEqual({ events: [], summary_entries: ['符上写着</think>与<think>'] });
    });
});

describe('finding the object', () => {
    const echo = '{"events": [{"type": "...", "params": {}}], "summary_entries": ["[第N轮] 用户意图：… | 叙事要点：…"]}';
    const schema = '{"type": "object", "properties": {"events": {"type": "array", "items": {}}, "summary_entries": {"type": "array"}}, "required": ["events"]}';
    it.each([
        ['behind the repeated format', `格式：\n${echo}\n结果：\n${answer}`],
        ['behind the repeated schema', `${schema}\n${answer}`],
        ['between braces of the prose', `角色 {{user}} 与 {旅人} 在 [渡口]。\n${answer}\n（完）{结束}`],
        ['after a first version', `${draftOf('钟楼')}\n等等，地点不对，修正如下：\n\`\`\`json\n${answer}\n\`\`\``],
        ['in a list', `[${answer}]`],
        ['in a list of halves', `[{"events": [${JSON.stringify(move)}]}, {"summary_entries": ["${entry}"]}]`],
        ['in a tool call envelope', `{"name": "turn_analysis", "arguments": ${JSON.stringify(answer)}}`],
        ['in an envelope that has a summary of its own', `{"summary": "已完成", "data": ${answer}}`],
        ['with doubled braces', `{${answer}}`],
        ['in tags', `<output><json>${answer}</json></output>`],
        ['with escaped quotes all over', answer.replaceAll('"', '\\"')],
        ['in an unclosed fence', `\`\`\`json\n${answer}`],
        ['beside an unclosed brace', `{"说明\n${answer}`],
        ['before an empty example', `${answer}\n（若无变化应输出 {"events": [], "summary_entries": []}）`],
        ['with camel case keys', answer.replace('summary_entries', 'summaryEntries').replace('events', 'Events')],
        ['with Chinese keys', answer.replace('summary_entries', '摘要').replace('events', '事件')],
    ])('%s', (_name, text) => {
        expect(analysis(text)).toEqual(whole);
    });

    it('takes no echo, prose or refusal for an answer', () => {
        expect(analysis(echo)).toBe('text.output-no-json');
        expect(analysis(schema)).toBe('text.output-no-json');
        expect(analysis('抱歉，我无法完成。')).toBe('text.output-no-json');
        expect(analysis(' \n')).toBe('text.output-empty');
        expect(planning('{"narrative_direction": "不少于100字的叙事方向和场景构建", "scene_setting": "场景的时间地点环境简介", "key_points": ["要点1", "要点2"], "tone": "紧张", "pacing": "中", "continuity_notes": ["伏笔1"]}')).toBe('text.output-no-json');
        expect(planning('{"foo": 1}')).toBe('text.output-no-json');
        expect(planning('{"narrative_direction": "", "tone": "紧张"}')).toBe('text.output-invalid');
    });

    function draftOf(location: string): string {
        return JSON.stringify({ events: [{ type: 'move', params: { location } }], summary_entries: ['草稿'] });
    }
});

describe('malformed JSON', () => {
    it.each([
        ['typographic quotes throughout', answer.replace(/"([^"]*)"/g, '“$1”')],
        ['typographic quotes closed by ASCII ones', answer.replace(/"([^"]*)"/g, '“$1"')],
        ['comments, trailing commas, a BOM', `\ufeff{ // 事件\n"events": [${JSON.stringify(move)},], /* 摘要 */ "summary_entries": ["${entry}",], }`],
        ['bare keys', `{events: [{type: "move", params: {location: "渡口"}}], summary_entries: ["${entry}"]}`],
        ['missing commas', `{"events": [${JSON.stringify(move)}]\n"summary_entries": ["${entry}"]}`],
        ['a brace too many', answer.replace('}}]', '}}}]')],
        ['a closing brace too early', `{"events": [${JSON.stringify(move)}]}, "summary_entries": ["${entry}"]}`],
        ['a missing bracket', `{"events": [${JSON.stringify(move)}, "summary_entries": ["${entry}"]}`],
        ['a missing brace of an item', answer.replace('}}]', '}]')],
        ['full-width brackets and punctuation', `｛"events"：［｛"type"："move"，"params"：｛"location"："渡口"｝｝］，"summary_entries"：［"${entry}"］｝`],
        ['items as text', JSON.stringify({ events: [JSON.stringify(move)], summary_entries: JSON.stringify([entry]) })],
        ['one item without its list', JSON.stringify({ events: move, summary_entries: entry })],
        ['types as keys', JSON.stringify({ events: [{ move: { location: '渡口' } }], summary_entries: [entry] })],
        ['parameters beside the type', JSON.stringify({ events: [{ type: 'move', location: '渡口' }], summary_entries: [entry] })],
        ['items numbered instead of listed', JSON.stringify({ events: { 1: move }, summary_entries: [entry] })],
        ['lists in lists', JSON.stringify({ events: [[move]], summary_entries: [[entry]] })],
        ['brackets and underscores escaped for Markdown', `\\{"events": \\[${JSON.stringify(move)}\\], "summary\\_entries": \\["${entry}"\\]\\}`],
        ['quotes as entities', answer.replaceAll('"', '&quot;')],
        ['a tag for each key', `<events>[${JSON.stringify(move)}]</events>\n<summary_entries>["${entry}"]</summary_entries>`],
        ['a draft in a field of its own', `{"thinking": ${JSON.stringify(answer.replace('渡口', '钟楼'))}, ${answer.slice(1)}`],
        ['hash comments', `{\n# 事件\n"events": [${JSON.stringify(move)}], # 一条\n"summary_entries": ["${entry}"]\n}`],
        ['zero-width and ideographic blanks', `\u200b{\u3000"events"\u00a0: [${JSON.stringify(move)}],\u3000"summary_entries": ["${entry}"]}`],
        ['a null among items', JSON.stringify({ events: [null, move], summary_entries: [entry, null] })],
    ])('is read: %s', (_name, text) => {
        expect(analysis(text)).toEqual(whole);
    });

    it('keeps quotes that nobody escaped', () => {
        expect(analysis('{"events": [], "summary_entries": ["他说"好", 然后走了", "她写下"渡口"二字"]}')).toEqual({ events: [], summary_entries: ['他说"好", 然后走了', '她写下"渡口"二字'] });
        expect(planning('{"narrative_direction": "他答："明日再来"，便关了门。", "scene_setting": "夜，"旧城"", "key_points": ["守"门"人"], "tone": "冷"}')).toMatchObject({ narrative_direction: '他答："明日再来"，便关了门。', scene_setting: '夜，"旧城"', key_points: ['守"门"人'], tone: '冷' });
    });

    it('keeps line breaks and tabs inside strings', () => {
        expect(planning('{"narrative_direction": "第一段。\n\n\t第二段。", "key_points": []}')).toMatchObject({ narrative_direction: '第一段。\n\n\t第二段。' });
    });

    it('ends a string whose closing quote is missing at the next key', () => {
        expect(planning('{\n"narrative_direction": "守桥人抬头,\n"tone": "紧张",\n"pacing": "中"\n}')).toMatchObject({ narrative_direction: '守桥人抬头', tone: '紧张', pacing: '中' });
    });

    it('reads YAML where a model answers in it', () => {
        expect(analysis('events:\n  - type: move\n    params:\n      location: 渡口\nsummary_entries:\n  - "[第3轮] 用户意图：过桥 | 叙事要点：未放行"')).toEqual(whole);
    });

    it('takes no wrong number: grouped digits are one number, NaN is no default', () => {
        const quantities = (text: string) => {
            const result = analysis(`{"events":[{"type":"add_item","params":{"item":"铜币","quantity":${text}}}],"summary_entries":["x"]}`);
            return typeof result === 'string' ? result : result.events.map((event) => event.params.quantity);
        };
        expect(quantities('1,000')).toEqual([1000]);
        expect(quantities('12,345,678 ')).toEqual([12345678]);
        expect(quantities('NaN')).toEqual(['NaN']);
        expect(quantities('15 /* 枚 */')).toEqual([15]);
    });

    it('skips dots that stand for more', () => {
        expect(analysis(`{"events":[${JSON.stringify(move)}, ...],"summary_entries":["${entry}", ...]}`)).toEqual(whole);
    });

    it('cannot reach the prototype', () => {
        const read = recoverAnalysis('{"events": [{"type": "set_flag", "params": {"flag": "a", "value": 1, "__proto__": {"polluted": true}}}], "__proto__": {"summary_entries": ["x"]}, "summary_entries": []}', 'stop');
        expect(read).toMatchObject({ ok: true, value: { events: [{ type: 'set_flag', params: { flag: 'a', value: 1 } }], summary_entries: [] } });
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });
});

describe('tolerance', () => {
    it('brings a guide into shape', () => {
        const loose = { ...guide, key_points: '1. 缺角\n2. 问来历', tone: ['紧张'], continuity_notes: '无', tool_calls: null, text_recall: '第2轮' };
        expect(planning(JSON.stringify(loose))).toEqual(guide);
        expect(planning(JSON.stringify({ narrative_direction: '走。' }))).toEqual({ narrative_direction: '走。', scene_setting: '', key_points: [], tone: '', pacing: '', continuity_notes: [], tool_calls: [], text_recall: [] });
    });

    it.each([
        [[{ tool: 'roll_dice', params: { expr: '1d20' } }]],
        [{ tool: 'roll_dice', params: { expr: '1d20' } }],
        [[{ name: 'roll_dice', arguments: '{"expr": "1d20"}' }]],
        [[{ type: 'function', function: { name: 'roll_dice', arguments: { expr: '1d20' } } }]],
        [[{ tool: 'roll_dice', expr: '1d20' }]],
        [[{ roll_dice: { expr: '1d20' } }]],
        [[{ tool: 'roll_dice', params: { expr: '1d20', dc: null } }, '无']],
        ['[{"tool": "roll_dice", "params": {"expr": "1d20"}}]'],
    ])('knows a tool call as %j', (tool_calls) => {
        expect(planning(JSON.stringify({ ...guide, tool_calls }))).toMatchObject({ tool_calls: [{ tool: 'roll_dice', params: { expr: '1d20' } }] });
    });

    it.each([[[1, 3]], ['1,3'], [['第1轮', '第３轮']], [[{ turn: 1 }, { turn: 3 }]], ['[1, 3, 3]']])('knows turn numbers as %j', (text_recall) => {
        expect(planning(JSON.stringify({ ...guide, text_recall }))).toMatchObject({ text_recall: [1, 3] });
    });

    it('finds calls beside a wrapped guide', () => {
        const { tool_calls: _calls, text_recall: _recall, ...rest } = guide;
        expect(planning(JSON.stringify({ writing_guide: rest, tool_calls: [{ tool: 'x', params: {} }], text_recall: [2] }))).toEqual({ ...guide, tool_calls: [{ tool: 'x', params: {} }] });
    });

    it('reads parameters written as text, events wrapped once more, and a direction in parts', () => {
        expect(analysis('{"events":[{"type":"move","params":"{\\"location\\":\\"渡口\\"}"},{"event":{"type":"move","params":{"location":"渡口"}}}],"summary_entries":[]}')).toMatchObject({ events: [move, move] });
        expect(planning('{"narrative_direction":{"main":"守桥人拒绝","then":"雨停"},"key_points":["缺角"]}')).toMatchObject({ narrative_direction: 'main：守桥人拒绝；then：雨停' });
        expect(planning('{"narrative_direction":"走。","tool_calls":[{"tool":"price","item":"火把","type":"buy","reason":"路黑"}]}')).toMatchObject({ tool_calls: [{ tool: 'price', params: { item: '火把', type: 'buy', reason: '路黑' } }] });
    });

    it('puts summary parts together', () => {
        expect(analysis(JSON.stringify({ events: [], summary_entries: [{ turn: 3, 用户意图: '过桥', 叙事要点: '未放行' }] }))).toEqual({ events: [], summary_entries: ['用户意图：过桥 | 叙事要点：未放行'] });
    });

    it('serves other schemas, a bare list of their items too', () => {
        const patches = z.object({ patches: z.array(z.object({ op: z.string(), path: z.string(), value: z.unknown().optional() })) });
        const read = recoverJson('好的：\n[{"op": "replace", "path": "/世界/地点", "value": "矿洞"}]', patches, { finishReason: 'stop' });
        expect(read).toMatchObject({ ok: true, repaired: true, value: { patches: [{ op: 'replace', path: '/世界/地点', value: '矿洞' }] } });
        expect(recoverJson('{"patches": []}', patches, { finishReason: 'stop' })).toEqual({ ok: true, value: { patches: [] }, repaired: false, truncated: false });
    });
});

describe('truncation', () => {
    const events = (text: string, finish: ModelReply['finishReason'] = 'length') => recoverAnalysis(text, finish);
    it('uses what was complete and never what was cut', () => {
        expect(events('{"events":[{"type":"move","params":{"location":"渡口"}},{"type":"set_flag","params":{"flag":"a","value":[1,2],"x":')).toMatchObject({ ok: true, truncated: true, value: { events: [move], summary_entries: [] } });
        expect(events('{"events":[{"type":"move","params":{"location":"渡口"}}],"summary_entries":["[第3轮] 用户意图：过')).toMatchObject({ ok: true, truncated: true, value: { events: [move], summary_entries: [] } });
        expect(events('[{"type":"move","params":{"location":"渡口"}},{"type":"move","params":{"loc')).toMatchObject({ ok: true, truncated: true, value: { events: [move] } });
        expect(events(`{"result": {"events":[${JSON.stringify(move)},{"type"`)).toMatchObject({ ok: true, truncated: true, value: { events: [move] } });
    });

    it('is told also where only the closing brackets are missing', () => {
        expect(events(answer.slice(0, -1), 'stop')).toMatchObject({ ok: true, truncated: true, repaired: true, value: whole });
        expect(events(answer, 'stop')).toMatchObject({ ok: true, truncated: false });
    });

    it('fails where nothing is complete', () => {
        expect(events('{"events":[{"type":"mo')).toMatchObject({ ok: false, truncated: true, reason: { code: 'text.output-truncated' } });
        expect(events('{"ev')).toMatchObject({ ok: false, truncated: true });
        expect(planning('{"narrative_direction":"守桥人接过', 'length')).toBe('text.output-truncated');
        expect(planning('{"narrative_direction":"守桥人接过。","key_points":["缺角","问', 'length')).toMatchObject({ narrative_direction: '守桥人接过。', key_points: ['缺角'] });
        expect(planning('{"narrative_direction":"走。","tool_calls":[{"tool":"roll_dice","params":{"expr":"1d2', 'length')).toMatchObject({ tool_calls: [] });
    });
});

describe('any text', () => {
    it('is read without throwing, in bounded time', () => {
        const hostile = ['{'.repeat(3000), '["'.repeat(2000), '<think>'.repeat(2000), `{"events":${'['.repeat(2000)}`, '"'.repeat(5000), `${'{"a":'.repeat(1500)}1`, '\\"'.repeat(3000), '{"events": [' + '{"type": "move", "params": {"location": "x"}}, '.repeat(800)];
        for (const text of hostile) {
            const before = performance.now();
            expect(typeof recoverAnalysis(text, 'unknown').ok).toBe('boolean');
            expect(performance.now() - before).toBeLessThan(1500);
        }
    });
});
