// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readInitvar } from '../../src/mvu/initvar';
import { flattenVariables } from '../../src/mvu/flatten';
import { applyEvent } from '../../src/state/apply-event';
import { eventTypes, userEventTypes } from '../../src/state/event';
import { limits } from '../../src/state/limits';
import { initialState } from '../../src/state/state';

/** What the tutorial says about variables and the game state, held against the code. */
const tutorial = readFileSync('TUTORIAL.md', 'utf8');
const between = (start: string, end: string): string => tutorial.slice(tutorial.indexOf(`\n${start}\n`), tutorial.indexOf(`\n${end}\n`));
const variables = between('## [initvar] 与 [mvu_update]', '## 游戏状态与事件');
const state = between('## 游戏状态与事件', '## 转义');
const fence = (text: string, name: string): string => new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)\\n\`\`\``, 'm').exec(text)?.[1] ?? '';
const apply = (type: string, params: Record<string, unknown>, by: 'analysis' | 'user' = 'analysis') => applyEvent({ ...initialState(), inventory: { 铜钥匙: 1 } }, { type, params }, { turn: 1, by });

describe('variables', () => {
    it.each(['json', 'yaml'])('the %s tree is read', (name) => {
        const { tree, notices } = readInitvar([{ id: '书#0', comment: '[initvar]', content: fence(variables, name) }]);
        expect(notices.filter((each) => each.level !== 'info')).toEqual([]);
        expect(tree).toMatchObject({ 主角: { 生命值: 100, 改装仓库: ['基础扫描器', '维修工具包'] }, 世界: { 当前地点: '起点', 天气: '晴朗' } });
        expect(flattenVariables(tree ?? {})).toContain('主角/生命值：100');
    });
    it('full-width colons, a wrapper and macros are understood', () => {
        const content = '<initvar>\n{{user}}：\n  体力：80\n</initvar>';
        expect(readInitvar([{ id: '书#0', comment: '[initvar]', content }], (text) => text.replaceAll('{{user}}', '旅人')).tree).toEqual({ 旅人: { 体力: 80 } });
    });
});

describe('events', () => {
    it('the tables name the fields and the events, all and only', () => {
        const rows = (text: string): string[] => [...text.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? '');
        expect(rows(state)).toEqual([...Object.keys(initialState()), ...eventTypes]);
        for (const type of userEventTypes) expect(state).toContain(`\`${type}\``);
    });
    it('the limits are the code\'s', () => {
        expect(state).toContain(`最多 ${limits.location} 字`);
        expect(state).toContain(`名称最多 ${limits.name} 字`);
        expect(state).toContain(`最多 ${limits.entries} 项`);
    });
    it('the example is an event', () => {
        const event = JSON.parse(fence(state, 'json')) as { type: string; params: Record<string, unknown> };
        expect(apply(event.type, event.params)).toMatchObject({ record: { accepted: true }, state: { inventory: {} } });
    });
    const bullet = (start: string): string => state.split('\n').find((line) => line.startsWith(start)) ?? '';
    const quoted = (text: string): string[] => [...text.matchAll(/`"([^"]+)"`/g)].map((match) => match[1] ?? '');
    const [readable = '', refused = ''] = bullet('- 数字可以是文字').split('说不准的一律拒绝');
    it.each(quoted(readable))('the number "%s" is read', (quantity) => expect(apply('add_item', { item: '铜板', quantity }).record.accepted).toBe(true));
    it.each(quoted(refused))('the number "%s" is refused', (quantity) => expect(apply('add_item', { item: '铜板', quantity }).record.accepted).toBe(false));
    it.each(quoted(bullet('- 时间')))('the time "%s" is read', (amount) => expect(apply('pass_time', { amount }).record.accepted).toBe(true));
    it.each(['回合', '月', '年'])('the unit %s is refused', (unit) => expect(apply('pass_time', { amount: 1, unit }).record.accepted).toBe(false));
    it('has examples', () => expect([quoted(readable), quoted(refused), quoted(bullet('- 时间'))].map((list) => list.length > 1)).toEqual([true, true, true]));
});
