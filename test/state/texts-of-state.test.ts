import { describe, expect, it } from 'vitest';
import { knownContextText } from '../../src/state/known-context';
import { stateSummaryText } from '../../src/state/state-summary';
import type { GameState } from '../../src/state/state';
import { initialState } from '../../src/state/state';
import { knownNames } from '../../src/worldbook/known-names';
import { readBook } from '../../src/worldbook/read-book';
import { summaryFromMessage } from '../../src/text/summary-line';

const state: GameState = {
    ...initialState(), time: { day: 3, hour: 7, minute: 5 }, location: '北塔', inventory: { 铜板: 10, 火把: 2 }, relationships: { 艾琳: -5 },
    quests: { 送信: { status: 'completed', outcome: '送到' }, 寻剑: { status: 'active', stage: '打听' } }, flags: { 门已开: false, 密语: '风\n起', 名单: ['甲'] },
    eventLog: [{ turn: 1, type: 'move', params: { location: '渡口' }, accepted: true, by: 'analysis' }, { turn: 1, type: 'move', params: { location: '幻境' }, accepted: false, by: 'analysis' }],
};

describe('stateSummaryText', () => {
    it('is the seed’s block', () => expect(stateSummaryText(initialState(), 'zh')).toBe('时间：第1天 00:00\n地点：起点\n物品：无\n关系：无\n任务：无\n标记：无'));
    it('tells every field', () => expect(stateSummaryText(state, 'zh')).toBe('时间：第3天 07:05\n地点：北塔\n物品：铜板×10、火把×2\n关系：艾琳 -5\n任务：寻剑（进行中、阶段：打听）、送信（已完成、结果：送到）\n标记：门已开=false、密语=风 起、名单=["甲"]'));
    it('speaks English', () => expect(stateSummaryText(state, 'en').split('\n')[0]).toBe('Time: Day 3 07:05'));
});

describe('knownContextText', () => {
    it('joins what the worldbook and the story name', () => {
        const comments = ['[LOCATION] 渡口', '[location：北塔]', '[NPC]艾琳', '[QUEST] 护送商队', '普通条目', '[NPC]'];
        const { entries } = readBook({ name: '书', origin: 'card', shape: 'world', data: { entries: comments.map((comment, uid) => ({ uid, comment, content: '正文' })) } });
        const known = knownNames(entries);
        expect(known).toEqual({ places: ['渡口', '北塔'], people: ['艾琳'], quests: ['护送商队'] });
        expect(knownContextText(known, state, 'zh')).toBe('已知地点：渡口、北塔\n已知人物：艾琳\n已知任务：护送商队、送信、寻剑');
    });
    it('lists the story alone without the worldbook', () => expect(knownContextText(null, initialState(), 'en')).toBe('Known places: 起点\nKnown people: none\nKnown quests: none'));
});

describe('summaryFromMessage', () => {
    it.each([
        ['<context>\n正文\n</context>\n\n<summary>\n[第3轮] 用户意图：a | 叙事要点：b\n</summary>\n\n<panel>x</panel>', '用户意图：a | 叙事要点：b'],
        ['<context>他说<summary>不是</summary></context><summary>是</summary>', '是'],
        ['<context>正文</context>\n<summary>断了', '断了'],
        ['只有正文', null],
        ['<context>a</context><summary> </summary>', null],
    ])('%#', (text, summary) => expect(summaryFromMessage(text)).toBe(summary));
});
