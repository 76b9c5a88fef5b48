import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createVariables, type VariablesAdapter } from '../../src/host/mvu/adapter';
import type { Patch } from '../../src/mvu/patch';
import type { LocatedInitvarEntry } from '../../src/mvu/port';
import { appendUpdateBlock } from '../../src/mvu/update-block';
import { fakeTavern, type FakeTavern } from './fake-tavern';

const seedTree = { 主角: { 生命值: 100, 信用点数: 500, 改装仓库: ['基础扫描器', '维修工具包'] }, 世界: { 当前地点: '起点', 天气: '晴朗' } };
const entry = (tree: unknown, origin: LocatedInitvarEntry['origin'] = 'card', book = '镇'): LocatedInitvarEntry => ({ id: `${book}#0`, comment: '[initvar]', content: JSON.stringify(tree), book, origin });
const seedPatches: Patch[] = [
    { op: 'replace', path: '/世界/当前地点', value: '矿洞' },
    { op: 'delta', path: '/主角/信用点数', value: -200 },
    { op: 'insert', path: '/主角/改装仓库/-', value: '涡轮增压器V2' },
];

let tavern: FakeTavern;
let variables: VariablesAdapter;
beforeEach(() => {
    vi.useFakeTimers();
    tavern = fakeTavern();
    variables = createVariables(tavern.host);
});
afterEach(() => {
    variables.stop();
    vi.useRealTimers();
});

/** Lets timers run while waiting, as the clock would. */
async function within<T>(work: Promise<T>): Promise<T> {
    let done = false;
    void work.finally(() => {
        done = true;
    });
    for (let step = 0; step < 4_000 && !done; step += 1) await vi.advanceTimersByTimeAsync(50);
    return work;
}

/** The last part of a turn as the pipeline commits it. */
async function commit(index: number, narrative: string, patches: Patch[]) {
    const message = tavern.chat[index];
    if (!message) throw new Error('no message');
    const outcome = await within(variables.update(index, message.swipe_id ?? 0, patches));
    const text = appendUpdateBlock(narrative, outcome.block, { show: false, placeholder: variables.keeper() === 'mvu' });
    message.mes = await variables.announce(index, text);
    if (message.swipes) message.swipes[message.swipe_id ?? 0] = message.mes;
    return outcome;
}

const treeOf = () => variables.read()?.tree;

describe('without MVU', () => {
    it('keeps nothing where no entry asks for it', async () => {
        expect(variables.keeper()).toBe('none');
        expect(variables.read()).toBeNull();
        expect((await variables.initialise([])).did).toBe('nothing');
    });

    it('runs the example of the seed from [initvar] to the values', async () => {
        expect(await variables.initialise([entry(seedTree)])).toMatchObject({ did: 'written', sources: [{ entry: '镇#0', tree: seedTree }] });
        expect(variables.keeper()).toBe('embedded');
        expect(treeOf()).toEqual(seedTree);
        await tavern.say('去矿洞');
        const index = await tavern.reply('他们到了矿洞。');
        const { results, block } = await commit(index, '他们到了矿洞。', seedPatches);
        expect(results.map((result) => result.ok)).toEqual([true, true, true]);
        expect(block).toContain('<JSONPatch>');
        expect(treeOf()).toEqual({ 主角: { 生命值: 100, 信用点数: 300, 改装仓库: ['基础扫描器', '维修工具包', '涡轮增压器V2'] }, 世界: { 当前地点: '矿洞', 天气: '晴朗' } });
    });

    it('stores where MVU looks, on user messages and every greeting too, so that MVU can take over', async () => {
        tavern.chat[0] = { name: 'A', mes: '一', swipe_id: 1, swipes: ['零', '一'] };
        await variables.initialise([entry(seedTree)]);
        const user = await tavern.say('好');
        const index = await tavern.reply('他受了伤。');
        await commit(index, '他受了伤。', [{ op: 'delta', path: '/主角/生命值', value: -5 }]);
        for (const [message, swipe] of [[0, 0], [0, 1], [user, 0], [index, 0]] as const) {
            expect((tavern.chat[message]?.variables as unknown[])[swipe]).toMatchObject({ initialized_lorebooks: { 镇: [] }, stat_data: { 主角: {} }, schema: { type: 'object', properties: { 主角: { type: 'object', required: true } } } });
        }
        const stand = tavern.installMvu({ worlds: { 镇: seedTree } });
        await vi.advanceTimersByTimeAsync(0);
        await tavern.say('再走');
        const next = await tavern.reply('他又受了伤。');
        expect(variables.keeper()).toBe('mvu');
        await commit(next, '他又受了伤。', [{ op: 'delta', path: '/主角/生命值', value: -5 }]);
        expect(treeOf()).toMatchObject({ 主角: { 生命值: 90 } });
        stand.stop();
        expect(variables.keeper()).toBe('embedded');
        expect(treeOf()).toMatchObject({ 主角: { 生命值: 90 } });
    });

    it('follows swipes, deletions and branches', async () => {
        await variables.initialise([entry(seedTree)]);
        await tavern.say('打');
        const index = await tavern.reply('第一次。');
        await commit(index, '第一次。', [{ op: 'delta', path: '/主角/生命值', value: -10 }]);
        await tavern.swipe('第二次。');
        expect(variables.read(index)?.tree).toMatchObject({ 主角: { 生命值: 100 } });
        await commit(index, '第二次。', [{ op: 'delta', path: '/主角/生命值', value: -30 }]);
        expect(treeOf()).toMatchObject({ 主角: { 生命值: 70 } });
        const message = tavern.chat[index];
        if (message) message.swipe_id = 0;
        expect(treeOf()).toMatchObject({ 主角: { 生命值: 90 } });
        const branch = structuredClone(tavern.chat);
        tavern.chat.splice(index, 1);
        expect(treeOf()).toMatchObject({ 主角: { 生命值: 100 } });
        tavern.chat = branch;
        expect(treeOf()).toMatchObject({ 主角: { 生命值: 90 } });
    });

    it('moves the tables along when a swipe is deleted, and only once', async () => {
        await variables.initialise([entry({ n: 0 })]);
        await tavern.say('x');
        const index = await tavern.reply('甲。');
        await commit(index, '甲。', [{ op: 'replace', path: '/n', value: 1 }]);
        await tavern.swipe('乙。');
        await commit(index, '乙。', [{ op: 'replace', path: '/n', value: 2 }]);
        const message = tavern.chat[index];
        message?.swipes?.splice(0, 1);
        if (message) message.swipe_id = 0;
        for (let times = 0; times < 2; times += 1) await within(tavern.emit('message_swipe_deleted', { messageId: index, swipeId: 0, newSwipeId: 0 }).then(() => undefined));
        expect(treeOf()).toEqual({ n: 2 });
    });

    it('drops a result when the message is gone meanwhile', async () => {
        await variables.initialise([entry(seedTree)]);
        expect(await variables.update(5, 0, seedPatches)).toMatchObject({ block: '', dropped: { code: 'mvu.message-gone' } });
        const index = await tavern.reply('一。');
        expect(await variables.update(index, 3, seedPatches)).toMatchObject({ dropped: { code: 'mvu.message-gone' } });
        expect(treeOf()).toEqual(seedTree);
    });

    it('takes a greeting\'s own <initvar> and commands', async () => {
        tavern.chat[0] = { name: 'A', mes: '无', swipe_id: 0, swipes: ['无', '<initvar>\nhp: 7\n</initvar>醒来。_.add(\'hp\', -1);//冷'] };
        await variables.initialise([entry({ hp: 100 })]);
        expect(treeOf()).toEqual({ hp: 100 });
        tavern.chat[0].swipe_id = 1;
        expect(treeOf()).toEqual({ hp: 6 });
    });

    it('lets the user edit a value', async () => {
        await variables.initialise([entry(seedTree)]);
        expect(await variables.edit('/主角/生命值', 12)).toMatchObject({ index: 0, results: [{ ok: true }] });
        expect(treeOf()).toMatchObject({ 主角: { 生命值: 12 } });
    });

    it('gives the user\'s first line the values too', async () => {
        const index = await tavern.say('走');
        await variables.initialise([entry(seedTree)]);
        expect(tavern.chat[index]?.variables).toMatchObject([{ stat_data: seedTree, initialized_lorebooks: { 镇: [] } }]);
    });

    it('lets what the user set by hand pass where a model may not write', async () => {
        await variables.initialise([entry({ hp: 1, _锁: 1 })]);
        const index = await tavern.reply('一段回复。');
        const { results } = await commit(index, '一段回复。', [{ op: 'replace', path: '/_锁', value: 2 }, { op: 'replace', path: '/_锁', value: 3, byUser: true }]);
        expect(results).toMatchObject([{ ok: false, reason: { code: 'mvu.read-only' } }, { ok: true, byUser: true }]);
        expect(treeOf()).toEqual({ hp: 1, _锁: 3 });
    });

    it('does nothing while variables are switched off', async () => {
        tavern.config = { ...tavern.config, enabled: false };
        expect((await variables.initialise([entry(seedTree)])).did).toBe('nothing');
        expect(variables.keeper()).toBe('none');
        expect(tavern.chat[0]?.variables).toBeUndefined();
    });
});

describe('with MVU', () => {
    const withMvu = async (tree: unknown, options: Parameters<FakeTavern['installMvu']>[0] = {}) => {
        tavern.bound = ['镇'];
        tavern.installMvu({ worlds: { 镇: tree }, ...options });
        await vi.advanceTimersByTimeAsync(0);
        return within(variables.initialise([entry(tree, 'character')]));
    };

    it('leaves initial values to MVU where it sees the book', async () => {
        expect((await withMvu(seedTree)).did).toBe('present');
        expect(variables.keeper()).toBe('mvu');
        expect(treeOf()).toEqual(seedTree);
    });

    it('sets them up where the book exists only inside the card', async () => {
        tavern.installMvu();
        expect((await within(variables.initialise([entry(seedTree)]))).did).toBe('written');
        expect(treeOf()).toEqual(seedTree);
        await tavern.say('走');
        const index = await tavern.reply('他受了伤。');
        await commit(index, '他受了伤。', [{ op: 'delta', path: '/主角/生命值', value: -1 }]);
        expect(treeOf()).toMatchObject({ 主角: { 生命值: 99 } });
    });

    it('explains per operation what a closed tree refuses, with the mend, and keeps the rest', async () => {
        await withMvu(seedTree);
        await tavern.say('去');
        const index = await tavern.reply('他们到了矿洞。');
        const { results } = await commit(index, '他们到了矿洞。', seedPatches);
        expect(results).toMatchObject([{ ok: true }, { ok: true }, { ok: false, reason: { code: 'mvu.closed-array', params: { path: '/主角/改装仓库' } } }]);
        expect(treeOf()).toMatchObject({ 主角: { 信用点数: 300, 改装仓库: ['基础扫描器', '维修工具包'] }, 世界: { 当前地点: '矿洞' } });
    });

    it('does the whole example of the seed when the user lets it override closed trees', async () => {
        tavern.config = { ...tavern.config, overrideClosed: true };
        await withMvu(seedTree);
        await tavern.say('去');
        const index = await tavern.reply('他们到了矿洞。');
        const { results } = await commit(index, '他们到了矿洞。', seedPatches);
        expect(results.map((result) => [result.ok, result.reason])).toEqual([[true, undefined], [true, undefined], [true, undefined]]);
        expect(treeOf()).toEqual({ 主角: { 生命值: 100, 信用点数: 300, 改装仓库: ['基础扫描器', '维修工具包', '涡轮增压器V2'] }, 世界: { 当前地点: '矿洞', 天气: '晴朗' } });
    });

    it('does it without override where the author opened the tree', async () => {
        await withMvu({ $meta: { recursiveExtensible: true }, ...seedTree });
        await tavern.say('去');
        const index = await tavern.reply('他们到了矿洞。');
        const { results } = await commit(index, '他们到了矿洞。', seedPatches);
        expect(results.every((result) => result.ok)).toBe(true);
        expect(treeOf()).toMatchObject({ 主角: { 改装仓库: ['基础扫描器', '维修工具包', '涡轮增压器V2'] } });
    });

    it('survives MVU reading the message again', async () => {
        await withMvu({ hp: 100 });
        await tavern.say('打');
        const index = await tavern.reply('他受了伤。');
        await commit(index, '他受了伤。', [{ op: 'delta', path: '/hp', value: -5 }]);
        await vi.advanceTimersByTimeAsync(10_000);
        await tavern.emit('message_received', index);
        await vi.advanceTimersByTimeAsync(10_000);
        expect(treeOf()).toEqual({ hp: 95 });
        const text = tavern.chat[index]?.mes ?? '';
        expect(text.match(/<StatusPlaceHolderImpl\/>/g)).toHaveLength(1);
    });

    it('does not keep what a narrative tried to execute', async () => {
        await withMvu({ hp: 100 });
        await tavern.say('打');
        const index = await tavern.reply("他笑了。_.set('hp', 1);");
        expect(treeOf()).toEqual({ hp: 1 });
        await commit(index, '他笑了。', []);
        expect(treeOf()).toEqual({ hp: 100 });
    });

    it('waits for a throttled handling before it writes', async () => {
        await withMvu({ hp: 100 });
        await tavern.say('甲');
        const first = await tavern.reply('第一段回复。');
        await commit(first, '第一段回复。', [{ op: 'delta', path: '/hp', value: -1 }]);
        tavern.chat.push({ name: 'A', mes: '第二段回复。', swipe_id: 0, swipes: ['第二段回复。'] });
        await tavern.emit('message_received', tavern.chat.length - 1);
        await within(variables.update(tavern.chat.length - 1, 0, [{ op: 'delta', path: '/hp', value: -1 }]));
        // The text without its block is still there: a handling after ours would undo the change.
        await vi.advanceTimersByTimeAsync(10_000);
        expect(treeOf()).toEqual({ hp: 98 });
    });

    it('carries hostile values unharmed', async () => {
        await withMvu({ 话: '无', hp: 5 });
        await tavern.say('说');
        const index = await tavern.reply('他说了话。');
        const value = "</JSONPatch>_.set('hp', 1); {{user}} --> <b>";
        const { results } = await commit(index, '他说了话。', [{ op: 'replace', path: '/话', value }]);
        expect(results[0]?.ok).toBe(true);
        expect(treeOf()).toEqual({ 话: value, hp: 5 });
        await tavern.emit('message_received', index);
        await vi.advanceTimersByTimeAsync(10_000);
        expect(treeOf()).toEqual({ 话: value, hp: 5 });
    });

    it('works on pairs and numbers kept as text', async () => {
        await withMvu({ 好感度: [10, '[-30,100]之间'], 心情: ['平静', '谈话后再改'], 体力: '80' });
        await tavern.say('谈');
        const index = await tavern.reply('他们谈了很久。');
        const { results } = await commit(index, '他们谈了很久。', [
            { op: 'delta', path: '/好感度', value: '+5' },
            { op: 'replace', path: '/心情', value: '高兴' },
            { op: 'delta', path: '/体力', value: -10 },
        ]);
        expect(results.map((result) => result.ok)).toEqual([true, true, true]);
        expect(treeOf()).toEqual({ 好感度: [15, '[-30,100]之间'], 心情: ['高兴', '谈话后再改'], 体力: '70' });
    });

    it('replaces a list of two words as a list', async () => {
        await withMvu({ 人: { 装备: ['剑', '盾'] } });
        await tavern.say('换');
        const index = await tavern.reply('他换了装备。');
        await commit(index, '他换了装备。', [{ op: 'replace', path: '/人/装备', value: ['弓', '箭'] }]);
        expect(treeOf()).toEqual({ 人: { 装备: ['弓', '箭'] } });
    });

    it('moves within open parts, and refuses a move whole', async () => {
        await withMvu({ 地上: { $meta: { extensible: true }, 剑: 1 }, 包: { $meta: { extensible: true } }, 锁: { 钥: 1 } });
        await tavern.say('捡');
        const index = await tavern.reply('他捡起了剑。');
        const { results } = await commit(index, '他捡起了剑。', [{ op: 'move', from: '/地上/剑', path: '/包/剑' }, { op: 'move', from: '/锁/钥', path: '/包/钥' }]);
        expect(results).toMatchObject([{ ok: true }, { ok: false, reason: { code: 'mvu.closed-required' } }]);
        expect(treeOf()).toEqual({ 地上: {}, 包: { 剑: 1 }, 锁: { 钥: 1 } });
    });

    it('tells a value that the card clamped from a refused one', async () => {
        await withMvu({ hp: 95 });
        await tavern.say('治');
        const index = await tavern.reply('他喝了药。');
        tavern.host.events.on('mag_variable_update_ended', (data) => {
            const tree = (data as { stat_data: { hp: number } }).stat_data;
            tree.hp = Math.min(tree.hp, 100);
        });
        const { results } = await commit(index, '他喝了药。', [{ op: 'delta', path: '/hp', value: 50 }]);
        expect(results).toMatchObject([{ ok: true, reason: { code: 'mvu.adjusted', params: { value: '100' } } }]);
        expect(treeOf()).toEqual({ hp: 100 });
    });

    it('leaves a schema text of mvu_zod alone, works on open trees and respects read-only keys', async () => {
        await withMvu({ 包: [], _锁: 1 }, { zod: true });
        await tavern.say('捡');
        const index = await tavern.reply('他捡起了剑。');
        const { results } = await commit(index, '他捡起了剑。', [{ op: 'insert', path: '/包/-', value: '剑' }, { op: 'replace', path: '/_锁', value: 2 }]);
        expect(results).toMatchObject([{ ok: true }, { ok: false, reason: { code: 'mvu.read-only' } }]);
        expect(treeOf()).toEqual({ 包: ['剑'], _锁: 1 });
        expect(typeof variables.read()?.schema).toBe('string');
    });

    it('leaves the turn to MVU\'s second model when the user wants it so', async () => {
        tavern.settings = { 更新方式: '额外模型解析', 额外模型解析配置: { 启用自动请求: true } };
        await withMvu({ hp: 100 }, { extraModel: () => Promise.resolve('<UpdateVariable><JSONPatch>[{"op":"delta","path":"/hp","value":-7}]</JSONPatch></UpdateVariable>') });
        expect(variables.extraModelMode()).toBe(true);
        await tavern.say('打');
        const index = await tavern.reply('他受了伤。');
        const outcome = await commit(index, '他受了伤。', []);
        expect(outcome.block).toContain('"value":-7');
        expect(outcome.results).toMatchObject([{ op: 'delta', path: '/hp', value: -7, ok: true }]);
        expect(tavern.chat[index]?.mes).toContain('"value":-7');
        expect(treeOf()).toEqual({ hp: 93 });
        tavern.settings = { 更新方式: '额外模型解析', 额外模型解析配置: { 启用自动请求: false } };
        expect(variables.extraModelMode()).toBe(false);
    });

    it('costs a chat without variables no time, and no turn when MVU fails', async () => {
        tavern.installMvu();
        const index = await tavern.reply('一段回复。');
        const from = Date.now();
        expect(await within(variables.update(index, 0, []))).toMatchObject({ dropped: { code: 'mvu.no-variables' } });
        expect(Date.now() - from).toBeLessThan(200);
        await variables.initialise([entry({ hp: 1 })]);
        const mvu = tavern.window['Mvu'] as { parseMessage: unknown };
        mvu.parseMessage = () => Promise.reject(new Error('a card threw'));
        expect(await within(variables.update(index, 0, [{ op: 'delta', path: '/hp', value: 1 }]))).toMatchObject({ results: [{ ok: false }], dropped: { code: 'mvu.failed', params: { detail: 'a card threw' } } });
    });

    it('lets a card rewrite the text', async () => {
        await withMvu({ hp: 1 });
        await tavern.say('x');
        const index = await tavern.reply('一段回复。');
        tavern.host.events.on('mag_before_message_update', (detail) => {
            (detail as { message_content: string }).message_content += '（卡）';
        });
        await commit(index, '一段回复。', [{ op: 'delta', path: '/hp', value: 1 }]);
        expect(tavern.chat[index]?.mes.endsWith('（卡）')).toBe(true);
    });

    it('edits through MVU', async () => {
        await withMvu(seedTree);
        expect(await variables.edit('/主角/生命值', 12)).toMatchObject({ results: [{ ok: true }], index: 0 });
        expect(treeOf()).toMatchObject({ 主角: { 生命值: 12 } });
    });
});

describe('a chat that changes under our hands', () => {
    it('gets no variables of the one before', async () => {
        tavern.bound = ['镇'];
        tavern.window['Mvu'] = { parseMessage: () => Promise.resolve({}), replaceMvuData: () => undefined };
        const started = variables.initialise([entry(seedTree, 'character')]);
        await vi.advanceTimersByTimeAsync(500);
        // SillyTavern fills the same array anew.
        tavern.chat.splice(0, tavern.chat.length, { name: 'A', mes: '另一个开场白', swipe_id: 0, swipes: ['另一个开场白'] });
        expect((await within(started)).did).toBe('nothing');
        expect(tavern.chat[0]?.variables).toBeUndefined();
    });
});
