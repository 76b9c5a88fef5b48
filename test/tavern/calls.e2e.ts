import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configure, systemOf, wholeOf } from './seed-prompt';
import { keepPicture, startStand, type Stand } from './stand';
import { analysisAnswer, planningAnswer } from './storyteller/script';
import type { Answer, LoggedRequest } from './storyteller/server';
import { northTower, northTowerMerged } from './world';

const move = (location: string) => ({ type: 'move', params: { location } });
const moved = (location: string): string => analysisAnswer([move(location)], `用户意图：走 | 叙事要点：到了${location}`);

/** What the pipeline does when a call goes wrong, and how the settings of each agent reach the server. */
describe('calls', () => {
    let stand: Stand;
    const agents = () => stand.server.requests.map((request) => request.agent);
    const of = (agent: string): LoggedRequest[] => stand.server.requests.filter((request) => request.agent === agent);
    const openAgents = () => stand.server.open().map((request) => request.agent);
    const format = (request: LoggedRequest | undefined): unknown => request?.body.response_format;
    const notices = async (): Promise<string> => {
        await stand.player.openPanel();
        const text = await stand.player.page.locator('#narrative_agent_panel').innerText();
        await stand.player.closePanel();
        return text;
    };
    const merged = async (config: Record<string, unknown> = {}): Promise<void> => begin(northTowerMerged.name, config);
    const planned = async (config: Record<string, unknown> = {}): Promise<void> => {
        await begin(northTower.name, config);
        // The greeting's own analysis is over before the test begins.
        await stand.player.turn('先有一句。');
        stand.server.clearLog();
    };
    const begin = async (card: string, config: Record<string, unknown>): Promise<void> => {
        const open = await stand.player.page.evaluate(() => {
            const context = window.SillyTavern.getContext();
            return context.characters[Number(context.characterId)]?.name;
        });
        if (open !== card) await stand.player.openCharacter(card);
        await stand.freshChat();
        await configure(stand, config);
    };

    beforeAll(async () => {
        stand = await startStand({
            cards: [northTowerMerged, northTower],
            settingsFor: (apiUrl) => ({
                extension_settings: {
                    connectionManager: {
                        selectedProfile: null,
                        profiles: [{ id: 'second', mode: 'cc', name: '第二连接', api: 'custom', 'api-url': apiUrl, model: 'second-model', exclude: [] }],
                    },
                },
            }),
        });
    });
    afterAll(() => stand?.stop());
    beforeEach(() => configure(stand, {}));
    afterEach(({ task }) => keepPicture(stand, task));

    it('an unreadable plan is asked for once more, then the turn is merged writing and says so', async () => {
        await planned();
        stand.script.queue('planning', '我不想规划。', '还是不想。');
        await stand.player.turn('走');
        expect(agents()).toEqual(['planning', 'planning', 'mergedWriting', 'mergedAnalysis']);
        expect(wholeOf(of('planning')[1])).toMatch(/我不想规划。[\s\S]*请重新输出/);
        expect(await notices()).toContain('改为合并写作');
        expect((await stand.player.records()).at(-1)).toMatchObject({ mode: 'merged', status: 'complete' });
        stand.server.clearLog();
        stand.script.queue('planning', '我不想规划。', planningAnswer());
        await stand.player.turn('再走');
        expect(agents()).toEqual(['planning', 'planning', 'writing', 'mergedAnalysis']);
    });

    it('a malformed analysis is asked for once more; a second one leaves the turn to be run again', async () => {
        await merged();
        const { player, script } = stand;
        script.queue('mergedAnalysis', '发生了很多事。', moved('石桥'));
        await player.turn('走');
        expect(agents()).toEqual(['mergedWriting', 'mergedAnalysis', 'mergedAnalysis']);
        expect(wholeOf(of('mergedAnalysis')[1])).toContain('发生了很多事。');
        expect((await player.records()).at(-1)).toMatchObject({ status: 'complete' });
        expect(await player.panelField('location')).toContain('石桥');
        stand.server.clearLog();
        script.queue('mergedWriting', '正文还在。');
        script.queue('mergedAnalysis', '发生了很多事。', '还是很多事。');
        await player.turn('再走');
        expect(agents()).toEqual(['mergedWriting', 'mergedAnalysis', 'mergedAnalysis']);
        expect((await player.records()).at(-1)).toMatchObject({ status: 'incomplete', reason: { code: 'pipeline.call-malformed' } });
        expect((await player.chat()).at(-1)?.mes).toContain('正文还在。');
    });

    it('a cut answer gets more room once; then its whole items are used and the cut one is not', async () => {
        await merged();
        const { player, script } = stand;
        const cut: Answer = { text: '{"events":[{"type":"move","params":{"location":"石桥"}},{"type":"add_item","params":{"item":"铜', finishReason: 'length' };
        script.queue('mergedAnalysis', cut, moved('磨坊'));
        await player.turn('走');
        expect(of('mergedAnalysis').map((request) => request.body.max_tokens)).toEqual([1200, 2400]);
        expect(await player.panelField('location')).toContain('磨坊');
        stand.server.clearLog();
        script.queue('mergedAnalysis', cut, cut);
        await player.turn('再走');
        expect(of('mergedAnalysis')).toHaveLength(2);
        expect(await player.panelField('location')).toContain('石桥');
        expect(await player.panelField('inventory')).not.toContain('铜');
        expect(JSON.stringify((await player.records()).at(-1))).toContain('pipeline.truncated');
    });

    it('a busy server is asked again, a silent one is left at the deadline', async () => {
        await planned();
        const { player, script, server } = stand;
        script.queue('planning', { status: 429, errorMessage: 'slow down' });
        await player.turn('走');
        expect(agents()).toEqual(['planning', 'planning', 'writing', 'mergedAnalysis']);
        server.clearLog();
        await configure(stand, { agents: { planning: { timeout: 1000, retries: 0 } } });
        script.queue('planning', { hang: true });
        await player.turn('再走');
        expect(agents()).toEqual(['planning', 'mergedWriting', 'mergedAnalysis']);
        expect(of('planning')[0]?.aborted).toBe(true);
        expect(await notices()).toMatch(/超时/);
    });

    it('Stop while planning: no reply, no request for one, the line kept, the next send works', async () => {
        await planned();
        const { player, script } = stand;
        const before = await player.chat();
        script.queue('planning', { hang: true });
        await player.send('走');
        await expect.poll(openAgents).toEqual(['planning']);
        await player.stop();
        await player.waitTurnDone();
        expect(of('planning')[0]?.aborted).toBe(true);
        expect(agents()).toEqual(['planning']);
        const after = await player.chat();
        expect(after).toHaveLength(before.length + 1);
        expect(after.at(-1)).toMatchObject({ is_user: true, mes: '走' });
        expect(after.slice(0, -1)).toEqual(before);
        expect(await player.page.locator('#narrative_agent_stop').isVisible()).toBe(false);
        await player.turn('再走');
        expect(agents()).toEqual(['planning', 'planning', 'writing', 'mergedAnalysis']);
        expect((await player.records()).at(-1)).toMatchObject({ status: 'complete', mode: 'planning' });
        // What SillyTavern itself throws for a stopped generation.
        expect(player.complaints.filter((complaint) => !complaint.includes('Generation was aborted'))).toEqual([]);
    });

    it('structured output: auto sends it and steps back where it is refused, on insists, off does not', async () => {
        await merged();
        const { player, script, server } = stand;
        await player.turn('走');
        expect(format(of('mergedAnalysis')[0])).toMatchObject({ type: 'json_schema', json_schema: { name: 'turn_analysis', strict: true, schema: { type: 'object', required: ['events', 'summary_entries'], additionalProperties: false } } });
        expect(format(of('mergedWriting')[0])).toBeUndefined();
        server.clearLog();
        const picky = (request: LoggedRequest): Answer => (request.body.response_format ? { status: 400, errorMessage: 'response_format is not supported' } : { text: moved('石桥') });
        script.always('mergedAnalysis', picky);
        await configure(stand, { structuredOutput: 'on', agents: { mergedAnalysis: { retries: 0 } } });
        await player.turn('再走');
        expect(of('mergedAnalysis').map((request) => format(request) !== undefined)).toEqual([true]);
        expect((await player.records()).at(-1)).toMatchObject({ status: 'incomplete', reason: { code: 'pipeline.call-http' } });
        server.clearLog();
        await configure(stand, { structuredOutput: 'off' });
        await player.swipeRight();
        expect(of('mergedAnalysis').map((request) => format(request) !== undefined)).toEqual([false]);
        server.clearLog();
        // Remembered for the page's life: the last of this file's tests on the main connection that look at it.
        await configure(stand, {});
        await player.turn('又走');
        expect(of('mergedAnalysis').map((request) => format(request) !== undefined)).toEqual([true, false]);
        await player.turn('还走');
        expect(of('mergedAnalysis').map((request) => format(request) !== undefined)).toEqual([true, false, false]);
        expect((await player.records()).at(-1)).toMatchObject({ status: 'complete' });
    });

    it('each agent has its own connection, limit, temperature and instructions; the user\'s own settings stay', async () => {
        await planned({ agents: {
            planning: { connectionProfile: 'second', maxTokens: 111, temperature: 0.1, extraInstructions: '规划附言甲' },
            writing: { maxTokens: 222, temperature: 0.2, extraInstructions: '写作附言乙' },
            mergedAnalysis: { connectionProfile: 'second', extraInstructions: '分析附言丙' },
        } });
        const { player } = stand;
        const settings = () => player.page.evaluate(() => {
            const context = window.SillyTavern.getContext() as unknown as { chatCompletionSettings: unknown; extensionSettings: Record<string, { selectedProfile?: unknown }> };
            return JSON.stringify([context.chatCompletionSettings, context.extensionSettings.connectionManager?.selectedProfile]);
        });
        const before = await settings();
        await player.turn('走');
        expect(agents()).toEqual(['planning', 'writing', 'mergedAnalysis']);
        expect(of('planning')[0]?.body).toMatchObject({ model: 'second-model', max_tokens: 111, temperature: 0.1 });
        expect(of('writing')[0]?.body).toMatchObject({ model: 'storyteller', max_tokens: 222, temperature: 0.2, stream: true });
        expect(of('mergedAnalysis')[0]?.body).toMatchObject({ model: 'second-model', max_tokens: 1200 });
        expect(format(of('planning')[0])).toMatchObject({ json_schema: { name: 'writing_guide' } });
        expect([systemOf(of('planning')[0]), systemOf(of('writing')[0]), systemOf(of('mergedAnalysis')[0])].map((text) => /规划附言甲|写作附言乙|分析附言丙/.exec(text)?.[0])).toEqual(['规划附言甲', '写作附言乙', '分析附言丙']);
        expect(await settings()).toBe(before);
        // The host's own calls are the host's.
        stand.script.queue('chat', '安静的回答');
        await player.page.evaluate(() => window.SillyTavern.getContext().generateQuietPrompt({ quietPrompt: '一句话概括' }));
        expect(of('chat')[0]?.body.max_tokens).toBe(1200);
    });

    it('a profile that is gone is said, and costs only what it was for', async () => {
        await planned({ agents: { planning: { connectionProfile: 'gone' } } });
        await stand.player.turn('走');
        expect(agents()).toEqual(['mergedWriting', 'mergedAnalysis']);
        expect(await notices()).toMatch(/不支持|gone/);
    });
});
