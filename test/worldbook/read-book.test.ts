import { describe, expect, it } from 'vitest';
import { classify } from '../../src/worldbook/classify';
import type { Book } from '../../src/worldbook/entry';
import { bookFingerprint } from '../../src/worldbook/fingerprint';
import { knownNames } from '../../src/worldbook/known-names';
import { readBook } from '../../src/worldbook/read-book';
import { makeEntries } from './make';

const world = (data: unknown): Book => ({ name: '书', origin: 'character', shape: 'world', data });
const card = (data: unknown): Book => ({ name: '书', origin: 'card', shape: 'card', data });

describe('readBook', () => {
    it('reads a card entry as the host imports it', () => {
        const { entries } = readBook(card({ entries: [
            { id: 3, keys: ['a'], secondary_keys: ['b'], content: 'x', enabled: true, insertion_order: 7, position: 'after_char', extensions: {
                position: 4, depth: 2, role: 1, selectiveLogic: 3, probability: 40, useProbability: false, exclude_recursion: true, prevent_recursion: true,
                delay_until_recursion: true, scan_depth: 5, case_sensitive: true, match_whole_words: false, group: 'g', group_weight: 5, sticky: 2, cooldown: 3, delay: 4,
                match_scenario: true, triggers: ['swipe'], ignore_budget: true, outlet_name: 'o', vectorized: true, custom: 9 } },
            { keys: ['a'], content: 'y' },
        ] }));
        expect(entries[0]).toMatchObject({
            id: '书#3', uid: 3, key: ['a'], keysecondary: ['b'], order: 7, position: 4, depth: 2, role: 1, selectiveLogic: 3, probability: 40, useProbability: false, disable: false,
            excludeRecursion: true, preventRecursion: true, delayUntilRecursion: 1, scanDepth: 5, caseSensitive: true, matchWholeWords: false, group: 'g', groupWeight: 5,
            sticky: 2, cooldown: 3, delay: 4, matchScenario: true, triggers: ['swipe'], ignoreBudget: true, outletName: 'o', vectorized: true,
        });
        expect(entries[0]?.extensions.custom).toBe(9);
        // The host leaves an entry without `enabled` switched off, puts it after the character and gives it probability 100.
        expect(entries[1]).toMatchObject({ disable: true, position: 1, probability: 100, useProbability: true, uid: 1 });
    });

    it('lets a world entry\'s own null stand against older card extensions', () => {
        const { entries } = readBook(world({ entries: { 0: { uid: 0, key: ['a'], scanDepth: null, position: 0, extensions: { scan_depth: 5, position: 4 } } } }));
        expect(entries[0]).toMatchObject({ scanDepth: null, position: 0 });
    });

    it('knows a world entry without a logic from one with the first, because the host scores them differently', () => {
        const { entries } = readBook(world({ entries: { 0: { uid: 0, key: ['a'] }, 1: { uid: 1, key: ['a'], selectiveLogic: 0 } } }));
        expect(entries.map((each) => each.selectiveLogic)).toEqual([null, 0]);
    });

    it('keeps an entry with broken fields, by defaults, and names them', () => {
        const { entries, notices } = readBook(world({ entries: { 0: { uid: 'x', key: '北塔，守卫', content: { a: 1 }, order: 'first', probability: 'often', position: 'nowhere', selectiveLogic: 9, role: {} } } }));
        expect(entries[0]).toMatchObject({ uid: 0, key: ['北塔', '守卫'], order: 100, probability: 100, position: 0, selectiveLogic: 0, role: 0 });
        expect(entries[0]?.content).toContain('"a": 1');
        const broken = notices.find((each) => each.code === 'worldbook.broken-field');
        for (const field of ['uid', 'key', 'order', 'probability', 'position', 'selectiveLogic', 'role']) expect(String(broken?.params.fields)).toContain(field);
    });

    it('keeps both entries of a duplicate uid apart and says so', () => {
        const { entries, notices } = readBook(world({ entries: [{ uid: 4, content: 'a' }, { uid: 4, content: 'b' }, null, 'text'] }));
        expect(entries.map((entry) => [entry.uid, entry.content])).toEqual([[4, 'a'], [5, 'b']]);
        expect(notices.map((each) => each.code)).toEqual(['worldbook.unreadable-entry', 'worldbook.unreadable-entry', 'worldbook.duplicate-uid']);
    });

    it('says when a book is none', () => {
        for (const data of [null, 3, 'x', {}, { entries: 'x' }]) expect(readBook(world(data)).notices[0]?.code).toBe('worldbook.unreadable-book');
    });

    it('does not choke on names of the prototype', () => {
        const { entries } = readBook(world(JSON.parse('{"entries":{"0":{"uid":0,"content":"a","__proto__":{"constant":true},"constructor":1}}}')));
        expect(entries[0]?.constant).toBe(false);
        expect(({} as Record<string, unknown>).constant).toBeUndefined();
    });
});

describe('classify', () => {
    it.each([
        ['[TOOL:roll_dice]', 'x', 'tool'], ['[tool: tally] 计数', 'x', 'tool'], ['【TOOL：面板】', 'x', 'tool'], ['[初始][InitVar]勿开', 'x', 'initvar'], ['[MVU_update]规则', 'x', 'mvu_update'],
        ['[变量][mvu_update]规则', 'x', 'mvu_update'], ['[mvu_plot]剧情', 'x', 'lore'], ['[ui] 状态栏', 'x', 'ui'], ['[变量更新规则]', 'x', 'lore'], ['UI 设计师', 'x', 'lore'], ['[UI设计师]', 'x', 'lore'],
        ['', '{"type":"llm","function":{"name":"a"}}', 'tool'], ['', ' ```json\n{ "function": { "name": "a" }, "type": "code" }\n```', 'tool'],
        ['', "{type: 'llm', function: {name: 'a'}}", 'tool'], ['', '{"type":"weather","function":{}}', 'lore'], ['', '他说 {"type":"llm","function":{}}', 'lore'],
        ['', '@@when 地点=北塔\n{"type":"llm","function":{"name":"a"}}', 'tool'],
        ['', '@沈眠 守夜人', 'lore'], ['', ' @@activate\n{"type":"llm","function":{"name":"a"}}', 'lore'], ['', '@', 'lore'], ['', '@@', 'lore'],
    ])('%s %s → %s', (comment, content, kind) => expect(classify({ comment, content })).toBe(kind));
});

it('knows the places, people and quests a book names', () => {
    const entries = makeEntries([
        { comment: '[LOCATION] 北塔' }, { comment: '[npc]许店主' }, { comment: '[QUEST]', content: '名称：找回王冠\n奖励：金币' }, { comment: '[LOCATION]', content: '…', key: ['南港'] },
        { comment: '[LOCATION] 废弃', disable: true }, { comment: '[RULE] 夜禁' },
    ]);
    expect(knownNames(entries)).toEqual({ places: ['北塔', '南港'], people: ['许店主'], quests: ['找回王冠'] });
});

it('the fingerprint changes with every field that matters and with none that does not', () => {
    const base = { entries: { 0: { uid: 0, key: ['a'], content: 'text', order: 1, displayIndex: 0 } } };
    const print = (entry: object, name = '书') => bookFingerprint({ ...world({ entries: { 0: { ...base.entries[0], ...entry } } }), name });
    const same = bookFingerprint(world(base));
    expect(print({})).toBe(same);
    expect(print({ displayIndex: 7 })).toBe(same);
    for (const change of [{ content: 'texs' }, { content: 'etxt' }, { key: ['a', 'b'] }, { key: ['b'] }, { order: 2 }, { disable: true }, { extensions: { position: 4 } }]) expect(print(change)).not.toBe(same);
    expect(print({}, '另一本')).not.toBe(same);
});
