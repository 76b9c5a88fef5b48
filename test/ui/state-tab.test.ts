import { describe, expect, it } from 'vitest';
import { parseTime } from '../../src/ui/panel/state/parse-time';
import { all, element, mounted, settle, text } from './mounted';

async function edit(button: HTMLElement, value: string, key = 'Enter') {
    const parent = button.parentElement;
    button.click();
    await settle();
    const field = parent?.querySelector<HTMLInputElement>('input, textarea');
    if (!field) throw new Error('No field opened');
    field.value = value;
    field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await settle();
}

function row(field: string, name: string): HTMLElement {
    const found = all(`[data-field="${field}"] li`).find((item) => item.textContent?.includes(name));
    if (!found) throw new Error(`${field} has no ${name}`);
    return found;
}

describe('the State tab', () => {
    it('shows every field readably', async () => {
        await mounted();
        expect(text('[data-field="time"]')).toContain('23:40');
        expect(text('[data-field="time"]')).toContain('Day 3');
        expect(text('[data-field="location"]')).toContain('北塔 · 门廊');
        expect(row('inventory', '灯油').textContent).toContain('×3');
        expect(row('quests', '进入北塔').textContent).toContain('取得摄政官的书面命令');
        expect(row('flags', '守卫起疑').textContent).toContain('true');
    });

    it('draws relations from the middle of their bar', async () => {
        await mounted();
        const liked = row('relationships', '兰韦德').querySelector<HTMLElement>('.na-bar-fill');
        const hated = row('relationships', '摄政官奥狄伦').querySelector<HTMLElement>('.na-bar-fill');
        expect([liked?.style.left, liked?.style.width]).toEqual(['50%', '31%']);
        expect([hated?.style.right, hated?.style.width]).toEqual(['50%', '24%']);
    });

    it('says what the turn changed and why an event was refused', async () => {
        const { click } = await mounted();
        expect(text('[data-path="relationships.北塔守卫"]')).toMatch(/-10.*-15.*-5/);
        expect(text('[data-path="flags.守卫起疑"]')).toContain('new');
        expect(all('[data-field="events"] li[data-accepted="false"]').map((event) => event.dataset.type)).toEqual(['remove_item']);
        expect(all('[data-field="events"] .na-why')).toHaveLength(1);
        await click('[data-field="events"] [data-value="rejected"]');
        expect(all('[data-field="events"] li')).toHaveLength(1);
        await click('[data-field="events"] [data-value="all"]');
        expect(all('[data-field="events"] li').length).toBeGreaterThan(20);
    });

    it('corrects a field by an event of the user’s own', async () => {
        const { intents } = await mounted();
        const quantity = row('inventory', '灯油').querySelector<HTMLElement>('.na-editable');
        if (!quantity) throw new Error('not editable');
        await edit(quantity, '5');
        expect(intents.correct).toHaveBeenLastCalledWith({ type: 'set_item', params: { item: '灯油', quantity: 5 } });
        await edit(element('[data-field="time"] .na-editable'), '4 06:05');
        expect(intents.correct).toHaveBeenLastCalledWith({ type: 'set_time', params: { day: 4, hour: 6, minute: 5 } });
        await edit(element('[data-field="location"] .na-editable'), '南港');
        expect(intents.correct).toHaveBeenLastCalledWith({ type: 'move', params: { location: '南港' } });
        const flag = row('flags', '守卫起疑').querySelector<HTMLElement>('.na-editable');
        if (!flag) throw new Error('not editable');
        await edit(flag, '');
        expect(intents.correct).toHaveBeenLastCalledWith({ type: 'remove_entry', params: { field: 'flags', name: '守卫起疑' } });
    });

    it('keeps the old value on Escape and says at once what the rules refuse', async () => {
        const { intents, toast } = await mounted();
        await edit(element('[data-field="location"] .na-editable'), '南港', 'Escape');
        expect(text('[data-field="location"]')).toContain('北塔');
        const value = row('relationships', '兰韦德').querySelector<HTMLElement>('.na-editable');
        if (!value) throw new Error('not editable');
        await edit(value, '500');
        expect(intents.correct).not.toHaveBeenCalled();
        expect(toast).toHaveBeenCalledWith('warning', expect.any(String));
    });

    it('undoes a correction', async () => {
        const { intents, click } = await mounted();
        await click('[data-testid="undo-correction"]');
        expect(intents.undoCorrection).toHaveBeenCalledTimes(1);
    });

    it('offers the way to a message and a new analysis for a turn that needs one', async () => {
        const { intents, click } = await mounted();
        await click('[data-field="timeline"] .na-block-toggle');
        await click('[data-field="timeline"] [data-value="open"]');
        expect(all('[data-field="timeline"] li').map((item) => item.dataset.status)).toEqual(['incomplete', 'stale']);
        await click('[data-field="timeline"] [data-turn="58"] .na-turn-pick');
        expect(text('.na-turn-bar')).toContain('Turn 58');
        await click('[data-field="changes"] .na-callout button');
        expect(intents.reanalyse).toHaveBeenLastCalledWith(116, false);
        await click('.na-turn-bar [data-testid="jump"]');
        expect(intents.jumpTo).toHaveBeenCalledWith(116);
    });

    it('lets the leftovers of the original be deleted', async () => {
        const { intents, click } = await mounted();
        await click('[data-testid="old-data"] button');
        expect(intents.deleteOldData).toHaveBeenCalledTimes(1);
    });
});

it('reads a time as people type it', () => {
    expect(parseTime('3 14:05')).toEqual({ day: 3, hour: 14, minute: 5 });
    expect(parseTime('第 12 天 9：30')).toEqual({ day: 12, hour: 9, minute: 30 });
    expect(parseTime('14:05', 7)).toEqual({ day: 7, hour: 14, minute: 5 });
    expect([parseTime('25:00'), parseTime('noon'), parseTime('0 10:00')]).toEqual([null, null, null]);
});
