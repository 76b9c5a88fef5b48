import { describe, expect, it } from 'vitest';
import { initialState } from '../../src/state/state';
import { evaluateCondition, parseCondition } from '../../src/worldbook/condition';

const world = {
    state: {
        ...initialState(), time: { day: 2, hour: 21, minute: 30 }, location: '北塔', inventory: { 铜钥匙: 1, 'A级.药水': 2 }, relationships: { 守卫: -20 },
        quests: { 找回王冠: { status: 'active' as const, stage: '第二步' } }, flags: { 门已开: true, 天气: '雨', 层: 3 },
    },
    variables: { 主角: { 体力: [8, '上限 10'], 称号: '新人', 装备: ['剑', '盾'] }, 世界: { 时间: '夜' } },
};
const holds = (text: string) => {
    const condition = parseCondition(text);
    return condition === null ? null : evaluateCondition(condition, world).holds;
};

describe('@@when', () => {
    it.each([
        '地点=北塔', 'location == 北塔', '地点！=南港', '位置 是 北塔', '地点 包含 塔', '物品.铜钥匙>=1', '物品.铜钥匙＞＝1', 'inventory.铜钥匙', '物品.银剑=0', '!物品.银剑', '物品.A级.药水=2',
        '关系.守卫<0', '关系.守卫≤-20', '任务.找回王冠=active', '任务.找回王冠=进行中', '任务.找回王冠.阶段=第二步', '标记.门已开=true', '标记.门已开', '标记.未知=false', '标记.天气="雨"', '标记.层≥3',
        '时间>=21:00', '时间＜22：00', '时间>=第2天 08:00', '天数=2', '时间.小时=21', '主角.体力>=8', '/主角/体力=8', '变量.主角.称号=新人', 'stat_data.世界.时间=夜', '主角.装备 包含 剑',
        '地点=北塔 && 物品.铜钥匙>=1', '地点=北塔，标记.门已开=true', '地点=南港 || 地点=北塔', '地点=南港或地点=北塔', '地点=北塔且标记.门已开=true', '地点 不包含 港',
    ])('%s holds', (text) => expect(holds(text)).toBe(true));
    it.each([
        '地点=南港', '地点=北', '物品.银剑>=1', '物品.银剑', '关系.守卫>0', '任务.找回王冠=completed', '任务.没有的=active', '标记.门已开=false', '时间>=22:00', '时间>=第3天 00:00', '主角.体力>8', '主角.没有=1',
        '地点=北塔 && 物品.银剑', '!地点=北塔', '物品.constructor', '标记.__proto__', '主角.称号>3',
    ])('%s does not hold', (text) => expect(holds(text)).toBe(false));
    it.each(['', '=', '地点=', '>= 3', '地点=北塔 &&'])('"%s" cannot be read', (text) => expect(parseCondition(text)).toBeNull());
    it('keeps a place whose name begins with a connecting word', () => {
        const condition = parseCondition('地点=或然镇');
        expect(condition && evaluateCondition(condition, { state: { ...world.state, location: '或然镇' } }).holds).toBe(true);
    });
    it('says which comparison fails and what the value is', () => {
        const condition = parseCondition('地点=北塔 && 物品.银剑>=1');
        expect(condition && evaluateCondition(condition, world)).toEqual({ holds: false, failed: '物品.银剑>=1', actual: '0' });
    });
});
