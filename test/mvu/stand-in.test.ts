import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mvuStandInScript } from '../tavern/mvu-stand-in';
import { fakeTavern, type FakeTavern } from './fake-tavern';

interface Global {
    getMvuData(where: unknown): { stat_data?: unknown; schema?: unknown };
    replaceMvuData(data: unknown, where: unknown): void;
    parseMessage(text: string, data: unknown): Promise<{ stat_data: Record<string, unknown> }>;
}

let tavern: FakeTavern;
const mvu = () => tavern.window['Mvu'] as Global;
const valuesAt = (id: unknown) => mvu().getMvuData({ type: 'message', message_id: id }).stat_data;
beforeEach(async () => {
    vi.useFakeTimers();
    tavern = fakeTavern(['一号开场白', "二号开场白_.set('hp', 7);"]);
    tavern.installMvu({ worlds: { 镇: { hp: 100, 包: ['剑', '盾', '弓'], 开: ['$__META_EXTENSIBLE__$'], 心情: ['平静', '谈话后再改'] } } });
    await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => vi.useRealTimers());

const patch = (operations: unknown) => `<UpdateVariable><JSONPatch>${JSON.stringify(operations)}</JSONPatch></UpdateVariable>`;

describe('the stand-in keeps the contract', () => {
    it('gives every greeting its values', () => {
        expect(tavern.chat[0]?.variables).toMatchObject([{ stat_data: { hp: 100, 开: [] }, initialized_lorebooks: { 镇: [] } }, { stat_data: { hp: 7 } }]);
    });

    it('overwrites a reply\'s table from its text, on the nearest earlier values', async () => {
        await tavern.say('打');
        const id = await tavern.reply(`他受了伤。${patch([{ op: 'delta', path: '/hp', value: -5 }])}`);
        expect(valuesAt(id)).toMatchObject({ hp: 95 });
        mvu().replaceMvuData({ stat_data: { hp: 1 }, schema: {} }, { type: 'message', message_id: id });
        await vi.advanceTimersByTimeAsync(5_000);
        await tavern.emit('message_received', id);
        expect(valuesAt(id)).toMatchObject({ hp: 95 });
        expect(tavern.chat[id]?.mes.endsWith('<StatusPlaceHolderImpl/>')).toBe(true);
    });

    it('handles the second of two quick replies late', async () => {
        await tavern.reply('第一段回复。');
        const id = await tavern.reply(`第二段。${patch([{ op: 'replace', path: '/hp', value: 50 }])}`);
        expect(valuesAt(id)).toBeUndefined();
        await vi.advanceTimersByTimeAsync(3_000);
        expect(valuesAt(id)).toMatchObject({ hp: 50 });
    });

    it('ignores short replies and other speakers', async () => {
        const short = await tavern.reply('…');
        expect(valuesAt(short)).toBeUndefined();
    });

    it('keeps closed what no author opened, and sets the first element of a pair', async () => {
        const base = mvu().getMvuData({ type: 'message', message_id: 0 });
        const { stat_data } = await mvu().parseMessage(patch([
            { op: 'insert', path: '/包/-', value: '斧' }, { op: 'insert', path: '/新', value: 1 }, { op: 'remove', path: '/hp' }, { op: 'move', from: '/hp', path: '/开/-' },
            { op: 'insert', path: '/开/-', value: '门' }, { op: 'remove', path: '/包/0' }, { op: 'replace', path: '/心情', value: '高兴' }, { op: 'delta', path: '/hp', value: '-5' },
        ]), base);
        expect(stat_data).toEqual({ hp: 100, 包: ['盾', '弓'], 开: ['门'], 心情: ['高兴', '谈话后再改'] });
        expect(valuesAt(0)).toMatchObject({ 包: ['剑', '盾', '弓'] });
    });

    it('voids a block with one element that has no path', async () => {
        const { stat_data } = await mvu().parseMessage(patch([{ op: 'replace', path: '/hp', value: 1 }, { op: 'replace', value: 1 }]), mvu().getMvuData({ type: 'message', message_id: 0 }));
        expect(stat_data['hp']).toBe(100);
    });

    it('reads "latest" from the last message in sight but writes to the last one, and keeps the caller\'s object', async () => {
        await tavern.say('甲');
        tavern.chat.push({ name: 'A', mes: '隐藏的回复', is_system: true, swipe_id: 0, swipes: ['隐藏的回复'] });
        const where = { type: 'message', message_id: 'latest' as unknown };
        const data = { stat_data: { hp: 3 }, schema: {} };
        mvu().replaceMvuData(data, where);
        expect(where.message_id).toBe(-1);
        expect(valuesAt('latest')).toMatchObject({ hp: 100 });
        data.stat_data.hp = 4;
        expect(valuesAt(-1)).toEqual({ hp: 4 });
        expect(() => valuesAt(99)).toThrow();
    });

    it('is a script that can be put into a page', () => {
        const script = mvuStandInScript({ worlds: { 镇: { hp: 1 } }, extraModelAnswer: '无' });
        expect(() => new Function(script)).not.toThrow();
        expect(script).not.toMatch(/__vi_import|__vite_ssr/);
    });
});
