import { describe, expect, it } from 'vitest';
import { notice } from '../../src/notice';
import { sampleView } from './preview/sample';
import { all, element, mounted, settle, text } from './mounted';

describe('the drawer', () => {
    it('opens and closes by its edge button and has its state remembered', async () => {
        const { intents, click } = await mounted((view) => {
            view.config.ui.panelOpen = false;
        });
        expect(all('#narrative_agent_panel')).toHaveLength(0);
        await click('#narrative_agent_panel_toggle');
        expect(all('#narrative_agent_panel')).toHaveLength(1);
        expect(intents.setConfig).toHaveBeenLastCalledWith('ui.panelOpen', true);
        expect(element('#narrative_agent_panel_toggle').getAttribute('aria-expanded')).toBe('true');
        await click('#narrative_agent_panel_toggle');
        expect(all('#narrative_agent_panel')).toHaveLength(0);
        expect(intents.setConfig).toHaveBeenLastCalledWith('ui.panelOpen', false);
    });

    it('moves between tabs by the arrow keys without the host seeing them', async () => {
        const { press } = await mounted();
        let heard = 0;
        document.body.addEventListener('keydown', () => (heard += 1));
        await press('[data-tab="state"]', 'ArrowRight');
        expect(element('[data-tab="worldbook"]').getAttribute('aria-selected')).toBe('true');
        expect(document.activeElement).toBe(element('[data-tab="worldbook"]'));
        await press('[data-tab="worldbook"]', 'End');
        await press('[data-tab="calls"]', 'ArrowRight');
        expect(element('[data-tab="state"]').getAttribute('aria-selected')).toBe('true');
        expect(all('[role="tab"][tabindex="0"]')).toHaveLength(1);
        expect(heard).toBe(0);
    });

    it('closes by Escape without pressing the host’s Stop', async () => {
        const { press } = await mounted();
        let heard = 0;
        document.body.addEventListener('keydown', () => (heard += 1));
        await press('#narrative_agent_panel .na-body', 'Escape');
        expect(all('#narrative_agent_panel')).toHaveLength(0);
        expect(heard).toBe(0);
    });

    it('says an error in a toast while it is closed, once, and in the panel while it is open', async () => {
        const closed = await mounted((view) => {
            view.config.ui.panelOpen = false;
        });
        const notices = [notice('error', 'some.failure', { message: 'x' })];
        await closed.show({ notices });
        await closed.show({ notices });
        expect(closed.toast).toHaveBeenCalledTimes(1);
        await closed.click('#narrative_agent_panel_toggle');
        await closed.click('[data-code="some.failure"] button');
        expect(closed.intents.dismissNotice).toHaveBeenCalledWith(0);
    });

    it('looks at the newest turn again when another chat is opened', async () => {
        const { click, show } = await mounted();
        await click('.na-turn-bar button');
        expect(text('.na-turn-bar')).toContain('Turn 59');
        await show({ chatKey: 'another' });
        expect(text('.na-turn-bar')).toContain('Turn 60');
    });

    it('turns a failing intent into a toast', async () => {
        const { intents, click, toast } = await mounted();
        intents.reanalyse.mockRejectedValueOnce(new Error('no connection'));
        await click('.na-turn-bar [data-testid="reanalyse"]');
        expect(toast).toHaveBeenCalledWith('error', expect.stringContaining('no connection'));
    });

    it('leaves nothing in the page when it is disposed', async () => {
        const { ui } = await mounted((view) => {
            view.config.ui.showSummary = false;
        });
        expect(document.body.classList.contains('na-hide-summary')).toBe(true);
        ui.dispose();
        expect(all('[id^="narrative_agent"], [class*="na-"]')).toHaveLength(0);
        expect(document.body.className).toBe('');
        expect(document.body.getAttribute('style') ?? '').toBe('');
    });

    it('stays small and quick with 2,000 turns and 20,000 entries', async () => {
        const { ui, click } = await mounted();
        const large = sampleView({ turns: 2000, entries: 20_000 });
        const started = performance.now();
        ui.update(large);
        await settle();
        await click('[data-field="timeline"] .na-block-toggle');
        await click('[data-field="summaries"] .na-block-toggle');
        expect(all('[data-field="timeline"] li').length).toBeLessThanOrEqual(60);
        await click('[data-tab="worldbook"]');
        await click('[data-value="out"]');
        expect(all('[data-entry]').length).toBeLessThanOrEqual(60);
        await click('[data-testid="show-more"]');
        expect(all('[data-entry]').length).toBe(150);
        expect(all('*').length).toBeLessThan(4000);
        expect(performance.now() - started).toBeLessThan(2500);
    });
});

describe('the progress line', () => {
    it('names stage, subject and times, stops, and goes away', async () => {
        const { intents, show, click } = await mounted();
        expect(all('#narrative_agent_progress')).toHaveLength(0);
        const now = Date.now();
        await show({ progress: { stage: 'tools', subject: 'roll_dice', startedAt: now - 3200, turnStartedAt: now - 65_000, stoppable: true } });
        expect(text('#form_sheld #narrative_agent_progress')).toContain('Running tools · roll_dice');
        expect(text('#narrative_agent_progress')).toContain('3 s');
        expect(text('#narrative_agent_progress')).toContain('1:05');
        await click('#narrative_agent_stop');
        expect(intents.stop).toHaveBeenCalledTimes(1);
        await show({ progress: { stage: 'commit', startedAt: now, turnStartedAt: now, stoppable: false } });
        expect(all('#narrative_agent_stop')).toHaveLength(0);
        await show({ progress: null });
        expect(all('#narrative_agent_progress')).toHaveLength(0);
    });
});
