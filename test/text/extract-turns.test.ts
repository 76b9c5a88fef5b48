import { describe, expect, it } from 'vitest';
import cases from '../fixtures/cases.json';
import { chatMessagesFromRows } from './chat-rows';
import { extractTurns, pendingUserInput } from '../../src/text/extract-turns';
import { narrativeHash } from '../../src/text/narrative';
import { turnNarrative } from '../../src/text/turn';
import { matchesExpected } from './match-expected';

interface ChatCase {
    id: string;
    kind: string;
    input: { chat: unknown[] };
    expected: { turns?: unknown[]; turn_count?: number; greeting?: unknown };
}

const user = (mes: string, more: object = {}) => ({ name: '旅人', is_user: true, mes, ...more });
const reply = (mes: string, more: object = {}) => ({ name: '说书人', is_user: false, mes, ...more });
const turnsOf = (...rows: object[]) => extractTurns(chatMessagesFromRows(rows));
const shown = (...rows: object[]) => turnsOf(...rows).map((turn) => [turn.number, turn.user, turnNarrative(turn)]);

describe('the shared chat cases', () => {
    const chats = (cases as unknown as ChatCase[]).filter((each) => each.kind === 'chat' && each.expected.turns);
    it.each(chats.map((each) => [each.id, each] as const))('%s', (_id, { input, expected }) => {
        const turns = extractTurns(chatMessagesFromRows(input.chat));
        const numbered = turns.filter((turn) => turn.number > 0);
        const flat = numbered.map((turn) => ({ user: turn.user, assistant: turnNarrative(turn) }));
        for (const [position, each] of (expected.turns ?? []).entries()) expect([flat[position], matchesExpected(flat[position], each)]).toEqual([flat[position], true]);
        expect(flat).toHaveLength(expected.turns?.length ?? expected.turn_count ?? -1);
        expect(numbered.map((turn) => turn.number)).toEqual(numbered.map((_, position) => position + 1));
        if (expected.greeting !== undefined) expect(matchesExpected(turns.filter((turn) => turn.number === 0).map(turnNarrative)[0], expected.greeting)).toBe(true);
    });
});

describe('turns', () => {
    it('takes a greeting with or without <context> as turn 0', () => {
        expect(shown(reply('你醒了。'), user('看'), reply('<context>空屋。</context>'))).toEqual([[0, '', '你醒了。'], [1, '看', '空屋。']]);
        expect(turnsOf(reply('你醒了。'))[0]?.replies[0]?.tagged).toBe(false);
        expect(turnsOf(reply('<context>你醒了。</context>'))[0]?.replies[0]?.tagged).toBe(true);
    });

    it('does not count a line without a reply, and hands it out as the pending input', () => {
        const rows = chatMessagesFromRows([reply('开场'), user('一'), reply('答一'), user('二'), user('三'), { name: '旁白', mes: '雨声。', extra: { type: 'narrator' } }]);
        expect(extractTurns(rows).map((turn) => turn.number)).toEqual([0, 1]);
        expect(pendingUserInput(rows)).toBe('二\n三\n雨声。');
        expect(pendingUserInput(rows.slice(0, 3))).toBe('');
    });

    it('leaves narration before the new line with the turn it followed', () => {
        const rows = chatMessagesFromRows([user('一'), reply('答一'), { name: '旁白', mes: '雨停。', extra: { type: 'narrator' } }, user('二')]);
        expect(turnNarrative(extractTurns(rows)[0] ?? { number: 0, user: '', userIndexes: [], replies: [] })).toBe('答一\n\n雨停。');
        expect(pendingUserInput(rows)).toBe('二');
    });

    it('leaves hidden messages out and renumbers, unless their reply has a record', () => {
        expect(shown(user('一', { is_system: true }), reply('答一', { is_system: true }), user('二'), reply('答二'))).toEqual([[1, '二', '答二']]);
        const text = '<context>答一</context>';
        const extra = { narrative_agent: { v: 1, id: 'a', swipe: 0, status: 'complete', mode: 'merged', delivery: 'stream', seed: 's', narrative: narrativeHash(text) } };
        const turns = turnsOf(user('一', { is_system: true }), reply(text, { is_system: true, extra }), user('二'), reply('答二'));
        expect(turns.map((turn) => [turn.number, turn.user, turnNarrative(turn), turn.replies[0]?.record?.id])).toEqual([[1, '', '', 'a'], [2, '二', '答二', undefined]]);
    });
});

describe('records', () => {
    const text = '<context>门开了。</context>\n\n<summary>[第1轮] …</summary>';
    const record = (swipe: number, narrative: string) => ({ v: 1, id: 'a', swipe, status: 'complete', mode: 'merged', delivery: 'stream', seed: 's', narrative });
    const read = (mes: string, swipe: number, narrative_agent: unknown) => turnsOf(user('开门'), reply(mes, { swipe_id: swipe, extra: { narrative_agent } }))[0]?.replies[0];

    it('belongs to the prose it was made from, wherever the swipe moved', () => {
        expect(read(text, 0, record(2, narrativeHash(text)))).toMatchObject({ stale: false, record: { id: 'a' } });
    });
    it('is stale when the prose of its swipe was edited', () => {
        expect(read(text.replace('门', '窗'), 1, record(1, narrativeHash(text)))).toMatchObject({ stale: true, record: { id: 'a' } });
    });
    it('is ignored where a new swipe inherited it, or when it is no record', () => {
        expect(read('<context>别的。</context>', 1, record(0, narrativeHash(text)))).toMatchObject({ stale: false, record: null });
        expect(read(text, 0, { v: 7 })).toMatchObject({ stale: false, record: null });
    });
    it('does not notice blanks, summaries and tool outputs', () => {
        for (const same of ['门开了。', '<context>\n门开了。\n</context>', `${text}\n\n<panel>HP 3</panel>`]) expect(narrativeHash(same)).toBe(narrativeHash(text));
        expect(narrativeHash('门开了')).not.toBe(narrativeHash(text));
    });
});
