import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worldbookTexts } from '../../src/ui/i18n/worldbook';
import { buildIndex } from '../../src/worldbook/book-index';
import { compactSnapshot, expandSnapshot } from '../../src/worldbook/compact';
import type { DecideContext } from '../../src/worldbook/context';
import { decide } from '../../src/worldbook/decide';
import type { Entry } from '../../src/worldbook/entry';
import { markedEntries } from '../../src/worldbook/marked-entries';
import { routeEntries } from '../../src/worldbook/route';
import { hostScanTexts, seedScanTexts } from '../../src/worldbook/scan-text';
import { compactSnapshotSchema, reasons, type Decision, type Snapshot } from '../../src/worldbook/snapshot';
import { makeContext, makeEntries } from './make';

type Raw = Parameters<typeof makeEntries>[0];
const config = makeContext().config;
const run = (entries: Raw, changes: Partial<DecideContext> = {}) => decide(buildIndex(makeEntries(entries)), makeContext(changes));
const of = (snapshot: Snapshot, uid: number): Decision => {
    const decision = snapshot.decisions.find((each) => each.entry === `book#${uid}`);
    if (!decision) throw new Error(`no decision about ${uid}`);
    return decision;
};
const inside = (snapshot: Snapshot) => snapshot.decisions.filter((each) => each.status === 'in').map((each) => Number(each.entry.split('#')[1]));
const codes = (snapshot: Snapshot) => snapshot.notices.map((each) => each.code);

describe('the seed\'s example of the north tower', () => {
    const entries: Raw = [
        { comment: '世界基本规则', content: '死亡不能被魔法逆转。', constant: true, position: 0 },
        { comment: '北塔门禁', content: '北塔午夜后禁止开门。', key: ['北塔'] },
        { comment: '铜钥匙', content: '铜钥匙不能代替手令。', key: ['铜钥匙'] },
        { comment: '南港航线', content: '南港每周三有商船。', key: ['南港'] },
    ];
    const snapshot = run(entries, { texts: ['我把铜钥匙递给北塔守卫，请他开门。', '你走到塔下。'] });

    it('decides about every entry and says why', () => {
        expect(snapshot.decisions).toHaveLength(4);
        expect(of(snapshot, 0)).toMatchObject({ status: 'in', by: 'constant', section: 'worldinfo2' });
        expect(of(snapshot, 1)).toMatchObject({ status: 'in', by: 'keyword', because: { key: '北塔', message: 1 }, section: 'worldinfo3' });
        expect(of(snapshot, 2)).toMatchObject({ status: 'in', by: 'keyword' });
        expect(of(snapshot, 3)).toMatchObject({ status: 'out', by: 'no-keyword', tokens: 0, section: null });
        expect(snapshot.counts).toEqual([4, 3]);
    });
    it('is the same for the same arguments', () => expect(run(entries, { texts: ['我把铜钥匙递给北塔守卫，请他开门。', '你走到塔下。'] })).toEqual(snapshot));
});

describe('scan text', () => {
    it('finds a key in the user\'s line, in the window, in the state summary, in another entry', () => {
        const snapshot = run([{ key: ['甲'], content: '乙' }, { key: ['乙'] }, { key: ['丙'] }, { key: ['丁'] }, { key: ['戊'], matchScenario: true }], {
            texts: ['甲', '……', '丙'], alwaysScanned: ['地点：丁'], character: { ...makeContext().character, scenario: '戊' },
        });
        expect(of(snapshot, 1)).toMatchObject({ by: 'recursion', because: { key: '乙', from: 'entry 0' } });
        expect(of(snapshot, 2)).toMatchObject({ by: 'keyword', because: { message: 3 } });
        expect(of(snapshot, 3)).toMatchObject({ by: 'keyword', because: { variant: 'state' } });
        expect(of(snapshot, 4)).toMatchObject({ by: 'keyword', because: { variant: 'field', field: 'scenario' } });
    });
    it('is the window, the new line first', () => {
        const reply = { index: 1, speaker: 'A', narrative: '回复', record: null, stale: false, tagged: true };
        expect(seedScanTexts([{ number: 1, user: '问', userIndexes: [0], replies: [reply] }], '新', '状态')).toEqual({ texts: ['新', '回复', '问'], alwaysScanned: ['状态'] });
        const message = { index: 0, name: 'A', isUser: false, isHidden: false, isNarrator: false, text: 'x', swipe: 0, record: null };
        expect(hostScanTexts([message, { ...message, name: 'B', isHidden: true }, { ...message, name: 'C' }], true)).toEqual(['C: x', 'A: x']);
    });
    it('a regular expression may ask for the mark before each message, and an empty oldest message counts for nothing', () => {
        const host: Partial<DecideContext> = { config: { ...config, scan: 'sillytavern' } };
        expect(inside(run([{ key: ['/\u0001北/'] }], { ...host, texts: ['北塔'] }))).toEqual([0]);
        expect(inside(run([{ key: ['/^.$/m'] }], { ...host, texts: ['北塔', ''] }))).toEqual([]);
    });

    it('an entry\'s own depth and the host\'s settings rule when asked to', () => {
        const entries: Raw = [{ key: ['丙'] }, { key: ['丙'], scanDepth: 5 }];
        const texts = ['甲', '乙', '丙'];
        expect(inside(run(entries, { texts, global: { ...makeContext().global, depth: 2 } }))).toEqual([1, 0]);
        expect(inside(run(entries, { texts, global: { ...makeContext().global, depth: 2 }, config: { ...config, scan: 'sillytavern' } }))).toEqual([1]);
    });
});

describe('keyword logic', () => {
    const entries: Raw = [
        { key: ['甲'], keysecondary: ['乙'], selective: true, selectiveLogic: 0 },
        { key: ['甲'], keysecondary: ['乙'], selective: false },
        { key: [], keysecondary: ['乙'], selective: false },
    ];
    it.each([['auto', [2, 1]], ['seed', [2, 1, 0]], ['sillytavern', []]] as const)('%s', (keywordLogic, expected) => {
        expect(inside(run(entries, { texts: ['乙'], config: { ...config, keywordLogic } }))).toEqual(expected);
    });
    it('names the secondary keys that decided', () => {
        expect(of(run(entries, { texts: ['甲'] }), 0)).toMatchObject({ status: 'out', by: 'secondary', because: { variant: 'and-any', key: '甲', secondary: '乙' } });
    });
});

describe('kinds', () => {
    const snapshot = run([
        { comment: '[TOOL:a]', content: '{}' }, { comment: '[TOOL:b]', content: '{}', disable: true }, { comment: '[initvar]', disable: true, content: '{}' }, { comment: '[mvu_update]', content: 'r', constant: true },
        { comment: '[UI]', constant: true, content: 'u' }, { comment: '[TOOL:c]', content: '@@when 地点=南港\n{}' }, { comment: '[mvu_plot]', constant: true, content: 'p' },
    ]);
    it('go to no prompt, and are on or off as the author set them', () => {
        expect(snapshot.decisions.map((each) => [each.entry, each.kind, each.status, each.by, each.section]).sort()).toEqual([
            ['book#0', 'tool', 'in', 'kind', null], ['book#1', 'tool', 'out', 'disabled', null], ['book#2', 'initvar', 'in', 'kind', null], ['book#3', 'mvu_update', 'in', 'kind', null],
            ['book#4', 'ui', 'out', 'kind', null], ['book#5', 'tool', 'out', 'condition', null], ['book#6', 'lore', 'in', 'constant', 'worldinfo2'],
        ]);
    });
    it('never reach the planner or the writer', () => {
        const index = buildIndex(makeEntries([{ comment: '[TOOL:a]', content: '{"x":1}', constant: true }, { comment: '[UI]', content: 'u', constant: true }]));
        expect(routeEntries(decide(index, makeContext()), index, 'writer', (text) => text)).toEqual({ worldinfo1: [], worldinfo2: [], worldinfo3: [] });
    });
});

describe('routing', () => {
    it('follows the seed\'s tables; order ascending, of equals the later first', () => {
        const index = buildIndex(makeEntries([
            { constant: true, position: 4, content: 'd' }, { constant: true, position: 0, content: 'b1', order: 5 }, { constant: true, position: 0, content: 'b2', order: 5 }, { constant: true, position: 0, content: 'b3', order: 1 },
            { constant: true, position: 1, content: 'a', order: 50 }, { key: ['甲'], position: 4, content: 'k', order: 10 }, { constant: true, position: 4, role: 1, content: 'u' }, { constant: true, position: 5, content: 'e', order: 9 },
        ]));
        expect(routeEntries(decide(index, makeContext({ texts: ['甲'] })), index, 'planner', (text) => text)).toEqual({ worldinfo1: ['d'], worldinfo2: ['b3', 'b2', 'b1', 'e'], worldinfo3: ['k', 'a', 'u'] });
    });
    it('hides from an agent what is not for it', () => {
        const index = buildIndex(makeEntries([{ constant: true, content: '@@audience planner\np' }, { constant: true, content: '@@audience writer\nw' }, { constant: true, content: '@@audience 全部\nall' }]));
        const snapshot = decide(index, makeContext());
        expect(routeEntries(snapshot, index, 'planner', (text) => text).worldinfo2).toEqual(['all', 'p']);
        expect(routeEntries(snapshot, index, 'writer', (text) => text).worldinfo2).toEqual(['all', 'w']);
    });
    it('substitutes macros once, so that planner and writer read the same', () => {
        let calls = 0;
        const index = buildIndex(makeEntries([{ constant: true, content: '{{random}}' }]));
        const snapshot = decide(index, makeContext({ substitute: () => `roll ${++calls}` }));
        expect([routeEntries(snapshot, index, 'planner', String), routeEntries(snapshot, index, 'writer', String)].map((each) => each.worldinfo2)).toEqual([['roll 1'], ['roll 1']]);
    });
    it('puts outlets where another entry takes them in, else with the keyword entries', () => {
        const index = buildIndex(makeEntries([
            { constant: true, content: 'before {{outlet::facts}} after' }, { constant: true, position: 7, outletName: 'facts', content: 'f' }, { constant: true, position: 7, outletName: 'other', content: 'o' },
        ]));
        expect(routeEntries(decide(index, makeContext()), index, 'writer', String)).toMatchObject({ worldinfo2: ['before f after'], worldinfo3: ['o'] });
    });
});

describe('directives', () => {
    it('are stripped, and unknown ones are told, not fatal', () => {
        const snapshot = run([{ constant: true, content: '@@nonsense 3\n@@when ???=\n@@priority high\n@@is_user_icon\ntext' }, { constant: true, content: '@@nonsense\ntext' }]);
        expect(codes(snapshot)).toEqual(['worldbook.unknown-directive', 'worldbook.unreadable-condition', 'worldbook.unreadable-directive', 'worldbook.directive-ignored', 'worldbook.unknown-directive']);
        expect(of(snapshot, 0)).toMatchObject({ status: 'out', by: 'condition', because: { variant: 'unreadable' } });
        expect(snapshot.rendered?.get('book#1')).toBe('text');
    });
    it('@@when, @@required, @@scan_depth, @@depth and the V3 decorators', () => {
        const snapshot = run([
            { key: ['甲'], content: '@@when 地点=起点\nx' }, { key: ['甲'], content: '@@when 地点=北塔\nx' }, { content: '@@required\nx' }, { key: ['甲'], content: '@@scan_depth 1\nx' }, { constant: true, content: '@@depth 2\nx' },
            { content: '@@activate\nx' }, { constant: true, content: '@@dont_activate\nx' }, { key: ['甲'], content: '@@activate_only_after 3\nx' }, { key: ['甲'], content: '@@activate_only_every 2\nx' },
            { key: ['甲'], content: '@@additional_keys 乙, 丙\nx' }, { key: ['甲'], content: '@@exclude_keys 新\nx' }, { key: ['甲'], content: '@@additional_keys 没有\nx' },
        ], { texts: ['新', '甲乙'], replyCount: 2 });
        expect(new Set(inside(snapshot))).toEqual(new Set([0, 2, 4, 5, 8, 9]));
        expect(of(snapshot, 1)).toMatchObject({ by: 'condition', because: { condition: '地点=北塔', actual: '起点' } });
        expect(of(snapshot, 2).by).toBe('required');
        expect(of(snapshot, 4).section).toBe('worldinfo1');
        expect(of(snapshot, 6).by).toBe('dont-activate');
        expect(of(snapshot, 7)).toMatchObject({ by: 'delay', because: { variant: 'replies', delay: 3 } });
        expect(of(snapshot, 10)).toMatchObject({ by: 'secondary', because: { variant: 'excluded', secondary: '新' } });
    });
    it('the host\'s own decorators are whole lines, as in the host', () => {
        const snapshot = run([{ content: '@@activate true\nx' }, { constant: true, content: '@@dont_activate now\nx' }, { content: '@@activate\nx' }]);
        expect(new Set(inside(snapshot))).toEqual(new Set([1, 2]));
        expect(codes(snapshot)).toEqual(['worldbook.unreadable-directive', 'worldbook.unreadable-directive']);
    });

    it('@@keep_activate_after_match and @@dont_activate_after_match hold for the rest of the chat', () => {
        const index = buildIndex(makeEntries([{ key: ['甲'], content: '@@keep_activate_after_match\nx' }, { key: ['甲'], content: '@@dont_activate_after_match\nx' }]));
        const first = decide(index, makeContext({ texts: ['甲'], messageCount: 1 }));
        expect(inside(first)).toEqual([1, 0]);
        const later = decide(index, makeContext({ texts: ['甲'], messageCount: 900, timed: first.timed }));
        expect(inside(later)).toEqual([0]);
        expect(of(decide(index, makeContext({ texts: ['乙'], messageCount: 900, timed: first.timed })), 0).by).toBe('sticky');
    });
});

describe('requirements and conflicts', () => {
    it('pulls in what an entry requires, through several steps', () => {
        const snapshot = run([{ key: ['甲'], content: '@@requires 第二\nx' }, { comment: '[LOCATION] 第二', key: ['无'], content: '@@requires 2\nx' }, { key: ['无'] }], { texts: ['甲'] });
        expect(new Set(inside(snapshot))).toEqual(new Set([0, 1, 2]));
        expect(of(snapshot, 2)).toMatchObject({ by: 'dependency', because: { of: 'entry 0' }, section: 'worldinfo3' });
    });
    it('stands or falls whole', () => {
        const snapshot = run([{ key: ['甲'], content: '@@requires 1\nx' }, { disable: true }, { key: ['甲'], content: '@@requires 不存在\nx' }], { texts: ['甲'] });
        expect(of(snapshot, 0)).toMatchObject({ status: 'out', by: 'requirement', because: { required: 'entry 1', reason: 'disabled' } });
        expect(of(snapshot, 2)).toMatchObject({ status: 'out', by: 'requirement' });
        expect(codes(snapshot)).toContain('worldbook.missing-requirement');
    });
    it('treats a circle as one bundle and says so once', () => {
        const snapshot = run([{ key: ['甲'], content: '@@requires 1\nx' }, { content: '@@requires 2\nx' }, { content: '@@requires 0\nx' }], { texts: ['甲'] });
        expect(new Set(inside(snapshot))).toEqual(new Set([0, 1, 2]));
        expect(codes(snapshot).filter((code) => code === 'worldbook.circular-requirement')).toHaveLength(1);
    });
    it('lets one entry of a conflict group in, by priority', () => {
        const snapshot = run([{ constant: true, content: '@@conflict 天气\nx' }, { constant: true, content: '@@conflict 天气\n@@priority 5\nx' }]);
        expect(inside(snapshot)).toEqual([1]);
        expect(of(snapshot, 0)).toMatchObject({ by: 'conflict', because: { group: '天气', winner: 'entry 1' } });
    });
});

describe('budget', () => {
    const estimate = (text: string) => text.length;
    const ten = 'x'.repeat(10);
    const budgeted = (budget: number) => ({ estimate, texts: ['甲'], config: { ...config, budget } });
    it('is off by default', () => expect(inside(run([{ constant: true, content: 'x'.repeat(9999) }]))).toEqual([0]));
    it('takes required first, plain constants up to their share, then the rest, and never half a text', () => {
        const snapshot = run([
            { constant: true, content: ten, order: 3 }, { constant: true, content: ten, order: 2 }, { constant: true, content: ten, order: 1 }, { key: ['甲'], content: 'y'.repeat(30), order: 1 }, { content: `@@required\n${'r'.repeat(20)}` },
        ], budgeted(60));
        // 35 % of 60 = 21: two constants fit the share, the third does not; 20 + 20 + 30 > 60.
        expect(new Set(inside(snapshot))).toEqual(new Set([4, 0, 1]));
        expect(of(snapshot, 2)).toMatchObject({ by: 'budget', because: { variant: 'constants', budget: 21, used: 20 } });
        expect(of(snapshot, 3)).toMatchObject({ by: 'budget', because: { tokens: 30, used: 40, budget: 60 } });
        expect(snapshot.budget).toEqual({ total: 60, used: 40, constants: 20 });
    });
    it('honours ignoreBudget, priority, and whole bundles', () => {
        const snapshot = run([
            { key: ['甲'], content: ten }, { key: ['甲'], content: `@@priority 1\n${ten}` }, { key: ['甲'], content: ten, ignoreBudget: true, order: 1 }, { key: ['甲'], content: `@@priority 9\n@@requires 4\n${ten}` }, { content: ten },
        ], budgeted(15));
        expect(new Set(inside(snapshot))).toEqual(new Set([1, 2]));
        expect(of(snapshot, 3)).toMatchObject({ by: 'budget', because: { tokens: 20 } });
        expect(of(snapshot, 4).by).toBe('no-keys');
    });
    it('shows an error when a required bundle cannot fit', () => {
        const snapshot = run([{ content: `@@required\n@@requires 1\n${ten}` }, { content: ten }], budgeted(15));
        expect(snapshot.notices.find((each) => each.level === 'error')).toMatchObject({ code: 'worldbook.required-over-budget', params: { title: 'entry 0', tokens: 20, budget: 15 } });
        expect(inside(snapshot)).toEqual([]);
    });
});

describe('recall', () => {
    const entries: Raw = [
        { vectorized: true, comment: '北塔守卫的规矩', content: '守卫只认摄政官的书面命令。' }, { vectorized: true, comment: '南港', content: '每周三有商船。' }, { comment: '守卫轮班', content: '守卫每天换班三次，书面命令由队长保管。', key: ['轮班'] },
    ];
    const asked = { texts: ['请守卫看这份书面命令'] };
    it('is off by default', () => expect(inside(run(entries, asked))).toEqual([]));
    it('lexical stands in for vectorized entries only, and says that it does', () => {
        const snapshot = run(entries, { ...asked, config: { ...config, recall: 'lexical' } });
        expect(inside(snapshot)).toEqual([0]);
        expect(of(snapshot, 0)).toMatchObject({ by: 'recall', because: { place: 1 }, section: 'worldinfo3' });
        expect(snapshot.recall).toEqual({ path: 'lexical', degraded: 'no-vectors' });
    });
    it('hybrid ranks every dynamic entry beside what the host forces', () => {
        const snapshot = run(entries, { ...asked, forced: [{ world: 'book', uid: 1 }], config: { ...config, recall: 'hybrid' } });
        expect(new Set(inside(snapshot))).toEqual(new Set([0, 1, 2]));
        expect(of(snapshot, 1).by).toBe('forced');
        expect(snapshot.recall).toEqual({ path: 'hybrid' });
    });
    it('gives at most thirty', () => {
        const many: Raw = Array.from({ length: 60 }, () => ({ vectorized: true, content: '书面命令' }));
        expect(inside(run(many, { ...asked, config: { ...config, recall: 'lexical' } }))).toHaveLength(30);
    });
});

describe('timed effects come from the previous turn\'s record', () => {
    const index = buildIndex(makeEntries([{ key: ['甲'], sticky: 3, cooldown: 2 }]));
    const at = (messageCount: number, text: string, timed: Snapshot['timed']) => decide(index, makeContext({ texts: [text], messageCount, timed }));
    it('a swipe repeats the turn, a deletion goes back to it', () => {
        const first = at(1, '甲', []);
        const second = at(3, '乙', first.timed);
        expect(of(second, 0).by).toBe('sticky');
        // The reply is swiped: the same previous record, the same answer.
        expect(at(3, '乙', first.timed).decisions).toEqual(second.decisions);
        // The first turn is swiped with another text: nothing of the dropped one is left.
        expect(of(at(1, '乙', []), 0).by).toBe('no-keyword');
        const cooling = at(5, '甲', second.timed);
        expect(of(cooling, 0)).toMatchObject({ by: 'cooldown' });
        expect(of(at(7, '甲', cooling.timed), 0).by).toBe('keyword');
    });
    it('begin for an entry whose macros leave no text', () => {
        const silent = buildIndex(makeEntries([{ constant: true, content: '{{setvar::x::1}}', cooldown: 2 }]));
        const substitute = () => '';
        const first = decide(silent, makeContext({ substitute, messageCount: 1 }));
        expect(of(first, 0).by).toBe('empty');
        expect(of(decide(silent, makeContext({ substitute, messageCount: 2, timed: first.timed })), 0).by).toBe('cooldown');
    });

    it('ends when the entry is edited', () => {
        const first = at(1, '甲', []);
        const edited = buildIndex(makeEntries([{ key: ['甲'], sticky: 3, cooldown: 2, content: 'other' }]));
        expect(of(decide(edited, makeContext({ texts: ['乙'], messageCount: 2, timed: first.timed })), 0).by).toBe('no-keyword');
    });
});

it('a probability depends on seed and entry alone', () => {
    const entry = { constant: true, probability: 50, useProbability: true };
    const passes = (seed: string, entries: Raw) => of(run(entries, { seed }), 1).status;
    const seeds = Array.from({ length: 400 }, (_, seed) => `s${seed}`);
    const alone = seeds.map((seed) => passes(seed, [{}, entry]));
    expect(seeds.map((seed) => passes(seed, [entry, entry, entry, entry]))).toEqual(alone);
    const share = alone.filter((status) => status === 'in').length / seeds.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
});

it('filters by character, tags and trigger', () => {
    const character = { ...makeContext().character, fileName: 'guard', tags: ['fantasy'] };
    const filter = (names: string[], tags: string[], isExclude = false) => ({ constant: true, characterFilter: { names, tags, isExclude } });
    const snapshot = run([filter(['guard'], []), filter(['other'], []), filter(['guard'], [], true), filter([], ['fantasy']), filter([], ['modern']), { constant: true, triggers: ['swipe'] }], { character });
    expect(new Set(inside(snapshot))).toEqual(new Set([0, 3]));
    expect(of(snapshot, 5)).toMatchObject({ by: 'trigger', because: { wanted: 'swipe', trigger: 'normal' } });
});

it('scans chat, persona, character and global books in the host\'s order', () => {
    const make = (origin: Entry['origin']) => makeEntries([{ constant: true }], { name: origin, origin });
    const entries = (['global', 'character', 'persona', 'chat'] as const).flatMap(make);
    expect(buildIndex(entries).books).toEqual(['chat', 'persona', 'character', 'global']);
    expect(buildIndex(entries, { characterStrategy: 2 }).books).toEqual(['chat', 'persona', 'global', 'character']);
});

describe('stored form', () => {
    const entries: Raw = [
        ...Array.from({ length: 40 }, (_, n) => ({ constant: true, order: n, position: n % 2 ? 4 : 0 })), ...Array.from({ length: 8 }, () => ({ key: ['甲'] })), ...Array.from({ length: 300 }, () => ({ key: ['乙'] })),
        { key: ['甲'], content: '@@audience planner\nx' }, { key: ['甲'], keysecondary: ['丙'] }, { comment: '[UI]' }, { comment: '[TOOL:x]' }, { key: ['甲'], sticky: 3 }, { key: ['(', '/(/'] },
    ];
    const index = buildIndex(makeEntries(entries));
    const snapshot = decide(index, makeContext({ texts: ['甲'] }));
    const compact = compactSnapshot(snapshot);
    it('says the same when read again, through JSON and schema, in less than 1.5 KB', () => {
        const text = JSON.stringify(compact);
        expect(text.length).toBeLessThan(1500);
        const { changed, missing, ...expanded } = expandSnapshot(compactSnapshotSchema.parse(JSON.parse(text)), index);
        const { rendered: _rendered, ...original } = snapshot;
        expect(expanded.decisions).toEqual(original.decisions);
        expect(expanded).toEqual({ ...original, recall: undefined, budget: undefined });
        expect([changed, missing]).toEqual([[], []]);
        expect(routeEntries({ ...expanded }, index, 'planner', String)).toEqual(routeEntries(snapshot, index, 'planner', String));
    });
    it('tells what has changed or gone since', () => {
        const later = buildIndex(makeEntries(entries.map((entry, uid) => (uid === 3 ? { ...entry, content: 'new' } : entry))).filter((entry) => entry.uid !== 5));
        const expanded = expandSnapshot(compact, later);
        expect(expanded.changed).toEqual(['book#3']);
        expect(expanded.missing).toContain('book#5');
    });
    it('keeps the reasons of a thousand excluded entries small', () => {
        const big = buildIndex(makeEntries(Array.from({ length: 1000 }, () => ({ constant: true, probability: 0, useProbability: true }))));
        const stored = compactSnapshot(decide(big, makeContext()));
        expect(JSON.stringify(stored).length).toBeLessThan(9000);
        expect(expandSnapshot(stored, big).decisions.every((each) => each.by === 'probability')).toBe(true);
    });
});

it('finds through the key index what it finds by looking at every entry', () => {
    const letter = fc.constantFrom('北', '塔', '门', 'a', 'B', 'b', '1', ' ', 'Σ', 'ς', 'σ');
    const text = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(''));
    const key = fc.oneof(fc.array(letter, { minLength: 1, maxLength: 3 }).map((letters) => letters.join('')), fc.constantFrom('/北(塔|门)/', '/ab+/i', '/^b/m', '/塔$/', '/(/'));
    const entry = fc.record({
        key: fc.array(key, { maxLength: 3 }), keysecondary: fc.array(key, { maxLength: 2 }), selective: fc.boolean(), selectiveLogic: fc.integer({ min: 0, max: 3 }), content: text.map((each) => `.${each}`),
        caseSensitive: fc.constantFrom(null, true, false), matchWholeWords: fc.constantFrom(null, true, false), scanDepth: fc.constantFrom(null, 0, 1, 2), excludeRecursion: fc.boolean(),
    });
    fc.assert(fc.property(fc.array(entry, { maxLength: 12 }), fc.array(text, { maxLength: 4 }), fc.constantFrom('seed', 'sillytavern'), (entries, texts, scan) => {
        const context = makeContext({ texts, config: { ...config, scan } });
        const index = buildIndex(makeEntries(entries));
        const everything = { ...index, specials: index.items.map((item) => item.rank), keys: { has: () => false, search: () => undefined, ranksOf: () => [] } };
        expect(inside(decide(index, context))).toEqual(inside(decide(everything, context)));
    }), { numRuns: 300 });
});

it('has a sentence for every reason and notice that was given here, in both languages', () => {
    const snapshot = run([{ key: ['甲'], keysecondary: ['乙'] }, { constant: true, probability: 0, useProbability: true }, { key: ['  ', '/(/'] }, { constant: true, content: '@@x\n@@requires 9\ny' }, { comment: '[UI]' }, { delay: 9, constant: true }, { group: 'g', constant: true }, { group: 'g', constant: true }], { texts: ['甲'] });
    for (const { by, because } of snapshot.decisions) {
        const text = worldbookTexts[because.variant === undefined ? `reason.${by}` : `reason.${by}.${String(because.variant)}`];
        expect(text, `${by} ${String(because.variant)}`).toBeDefined();
        for (const sentence of [text?.zh ?? '', text?.en ?? '']) {
            for (const [, name] of sentence.matchAll(/\{(\w+)\}/g)) expect(Object.keys(because)).toContain(name);
        }
    }
    for (const each of snapshot.notices) expect(worldbookTexts[each.code]).toBeDefined();
    for (const reason of reasons) if (reason !== 'kind') expect(worldbookTexts[`reason.${reason}`], reason).toBeDefined();
});

it('gives tools, initial variables and update rules to who uses them, directive lines stripped', () => {
    const index = buildIndex(makeEntries([{ comment: '[TOOL:b]', content: '@@when 地点=起点\n{"b":1}', order: 1 }, { comment: '[TOOL:a]', content: '{"a":1}', order: 9 }, { comment: '[initvar]', content: 'x: 1', disable: true }]));
    const snapshot = decide(index, makeContext());
    expect(markedEntries(snapshot, index, 'tool')).toEqual([{ id: 'book#0', comment: '[TOOL:b]', content: '{"b":1}' }, { id: 'book#1', comment: '[TOOL:a]', content: '{"a":1}' }]);
    expect(markedEntries(snapshot, index, 'initvar').map((each) => each.content)).toEqual(['x: 1']);
});

it('counts a book that is loaded twice once', () => {
    const snapshot = decide(buildIndex([...makeEntries([{ constant: true }]), ...makeEntries([{ constant: true }], { origin: 'global' })]), makeContext());
    expect(snapshot.counts).toEqual([1, 1]);
    expect(codes(snapshot)).toEqual(['worldbook.book-twice']);
});

it('applies the host\'s regex scripts for world info to what goes in, not to what is searched', () => {
    const seen: (number | null)[] = [];
    const rewrite = (text: string, depth: number | null): string => {
        seen.push(depth);
        return text.replace('乙', '丙').replace('隐', '');
    };
    const index = buildIndex(makeEntries([
        { key: ['甲'], content: '乙在此', position: 4, depth: 3 },
        { key: ['乙'], content: '由乙带来' },
        { key: ['丙'], content: '无人带来' },
        { constant: true, content: '隐' },
    ]));
    const snapshot = decide(index, makeContext({ texts: ['甲'], rewrite }));
    expect(snapshot.rendered?.get('book#0')).toBe('丙在此');
    expect(of(snapshot, 1).by).toBe('recursion');
    expect(of(snapshot, 2).status).toBe('out');
    expect(of(snapshot, 3).by).toBe('empty');
    expect(new Set(seen)).toEqual(new Set([3, null]));
});
