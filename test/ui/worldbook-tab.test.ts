import { describe, expect, it } from 'vitest';
import type { AppView } from '../../src/ui/port';
import { all, mounted, text } from './mounted';

const openTab = async (change?: (view: AppView) => void) => {
    const page = await mounted(change);
    await page.click('[data-tab="worldbook"]');
    return page;
};

describe('the Worldbook tab', () => {
    it('lists the turn’s entries by section with reason and size', async () => {
        await openTab();
        expect(all('[data-section]').map((section) => section.dataset.section)).toEqual(['worldinfo1', 'worldinfo2', 'worldinfo3', 'none']);
        const gate = text('[data-section="worldinfo3"] [data-entry="北塔世界设定#6"]');
        expect(gate).toContain('北塔门禁');
        expect(gate).toContain('key “北塔” in text 1');
        expect(gate).toContain('64');
        expect(text('[data-section="none"]')).toContain('[TOOL:roll_dice]');
    });

    it('lists what stayed out, those with a reason of their own first, and filters', async () => {
        const { click, type } = await openTab();
        await click('[data-value="out"]');
        expect(all('[data-entry] [data-reason]').every((tag) => tag.dataset.reason !== 'no-keyword')).toBe(true);
        await type('input[type="search"]', '灰斗篷 18');
        expect(all('[data-entry]').map((row) => row.dataset.entry)).toContain('北塔世界设定#18');
        expect(all('[data-entry]').length).toBeLessThan(20);
    });

    it('counts a tool neither as in nor as out', async () => {
        const { show, view, click } = await openTab();
        const snapshot = view.worldbook.snapshot;
        if (!snapshot) throw new Error('the sample has none');
        const kept = snapshot.decisions.filter((one) => one.status === 'in' || one.by !== 'no-keyword').slice(0, 30);
        const inside = kept.filter((one) => one.status === 'in');
        await show({ worldbook: { ...view.worldbook, snapshot: { ...snapshot, decisions: kept, counts: [kept.length, inside.filter((one) => one.section !== null).length] } } });
        expect(inside.some((one) => one.section === null)).toBe(true);
        expect(text('[data-value="out"]')).toContain(String(kept.length - inside.length));
        await click('[data-value="out"]');
        expect(all('[data-testid="unlisted"]')).toHaveLength(0);
    });

    it('shows side by side what each agent saw, by section', async () => {
        const { click } = await openTab();
        await click('[data-value="agents"]');
        const marks = all('.na-matrix-row .na-section-mark').map((mark) => mark.textContent);
        expect(marks).toEqual([...marks].sort());
        const seen = (entry: string) => all(`[data-entry="${entry}"] [data-agent]`).map((cell) => cell.dataset.seen);
        expect(seen('北塔世界设定#6')).toEqual(['true', 'true', 'false']);
        expect(seen('北塔世界设定#9')).toEqual(['true', 'false', 'false']);
        expect(seen('北塔世界设定#10')).toEqual(['false', 'true', 'false']);
    });

    it('tells “no snapshot” from “nothing selected”', async () => {
        const { show, view } = await openTab();
        await show({ worldbook: { ...view.worldbook, snapshot: null } });
        expect(all('[data-testid="no-snapshot"]')).toHaveLength(1);
        const snapshot = view.worldbook.snapshot;
        if (!snapshot) throw new Error('the sample has none');
        await show({ worldbook: { ...view.worldbook, snapshot: { ...snapshot, decisions: snapshot.decisions.filter((one) => one.status === 'out'), counts: [2000, 0] } } });
        expect(all('[data-testid="no-snapshot"]')).toHaveLength(0);
        expect(text('[data-testid="nothing-selected"]')).toContain('2,000');
    });

    it('shows an earlier turn from its record, and says when a text has changed since', async () => {
        const { click } = await openTab();
        await click('[data-tab="state"]');
        await click('[data-field="timeline"] .na-block-toggle');
        await click('[data-testid="show-more"]');
        await click('[data-turn="12"] .na-turn-pick');
        await click('[data-tab="worldbook"]');
        expect(all('[data-section^="worldinfo"] [data-entry]').map((row) => row.dataset.entry)).toEqual(['北塔世界设定#0', '北塔世界设定#3', '北塔世界设定#6']);
        expect(text('[data-entry="北塔世界设定#6"]')).toContain('changed');
        expect(text('[data-entry="北塔世界设定#0"]')).not.toContain('changed');
        await click('[data-value="out"]');
        expect(text('[data-entry="北塔世界设定#18"]')).toContain('needs 812 tokens');
    });

    it('reads the books again on demand', async () => {
        const { click, intents } = await openTab();
        await click('[data-testid="refresh-worldbook"]');
        expect(intents.refreshWorldbook).toHaveBeenCalledTimes(1);
    });
});
