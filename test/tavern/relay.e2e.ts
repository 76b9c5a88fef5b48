import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configure, userOf, wholeOf } from './seed-prompt';
import { keepPicture, startStand, type Stand } from './stand';
import { block } from './storyteller/request';
import { analysisAnswer, planningAnswer } from './storyteller/script';
import { northTower, northTowerMerged } from './world';

const move = (location: string) => ({ type: 'move', params: { location } });
const longAgo = '本轮的正文，写得足够长，读者一眼就能认出来。';

/** The seed's own delivery: a placeholder call, then the whole pipeline writes the message. */
describe('relay delivery', () => {
    let stand: Stand;
    const agents = () => stand.server.requests.map((request) => request.agent);
    const notices = (): Promise<string> => stand.player.page.evaluate(() => document.querySelector('#narrative_agent_panel')?.textContent ?? '');
    const stopButton = () => stand.player.page.locator('#narrative_agent_stop');
    const openAgents = () => stand.server.open().map((request) => request.agent);

    beforeAll(async () => {
        stand = await startStand({ cards: [northTowerMerged, northTower] });
    });
    afterAll(() => stand?.stop());
    beforeEach(async () => {
        await configure(stand, { pipeline: { delivery: 'relay' } });
        await stand.freshChat();
    });
    afterEach(({ task }) => keepPicture(stand, task));

    it('costs one call more, and ends in the same message', async () => {
        const { player, script, server } = stand;
        await configure(stand, { pipeline: { delivery: 'relay' }, agents: { mergedWriting: { maxTokens: 77 } } });
        script.queue('mergedWriting', longAgo);
        script.queue('mergedAnalysis', analysisAnswer([move('石桥')], '用户意图：走 | 叙事要点：进石桥'));
        const reply = await player.turn('走');
        expect(agents()).toEqual(['relay', 'mergedWriting', 'mergedAnalysis']);
        expect(server.requests[0]?.body.messages).toHaveLength(1);
        // The placeholder call is no agent's: the agent's limit is not its.
        expect(server.requests.map((request) => request.body.max_tokens)).toEqual([1200, 77, 1200]);
        expect(reply.mes).toMatch(/^<context>\s*本轮的正文[\s\S]*<\/context>\n\n<summary>\s*\[第1轮\]/);
        expect(await player.shown(2)).toContain(longAgo);
        expect((await player.records())[2]).toMatchObject({ status: 'complete', delivery: 'relay', mode: 'merged' });
        expect((await stand.savedChat()).at(-1)).toMatchObject({ mes: reply.mes, swipes: [reply.mes] });
        // The placeholder is in no prompt of the next turn.
        await player.turn('再走');
        expect(wholeOf(server.requests[4])).toContain(longAgo);
        expect(wholeOf(server.requests[4])).not.toContain('AI: …');
        expect(await player.panelField('location')).toContain('石桥');
        expect(player.complaints).toEqual([]);
    });

    it('swipes and regenerates without the reply seeing itself', async () => {
        const { player, script, server } = stand;
        script.queue('mergedWriting', longAgo, '第二种写法在此。', '第三种写法在此。');
        script.queue('mergedAnalysis', analysisAnswer([move('石桥')]), analysisAnswer([move('磨坊')]), analysisAnswer([move('盐仓')]));
        await player.turn('走');
        await player.swipeRight();
        expect((await player.chat()).at(-1)?.swipes).toHaveLength(2);
        expect((await player.chat()).at(-1)?.mes).toContain('第二种写法');
        expect(wholeOf(server.requests[4])).not.toContain(longAgo);
        expect(block(userOf(server.requests[4]), 'state_summary')).toContain('起点');
        expect(await player.panelField('location')).toContain('磨坊');
        await player.regenerate();
        expect(await player.chat()).toHaveLength(3);
        expect((await player.chat()).at(-1)?.mes).toContain('第三种写法');
        expect(wholeOf(server.requests[7])).not.toMatch(/本轮的正文|第二种写法/);
        expect(await player.panelField('location')).toContain('盐仓');
    });

    it('takes the placeholder back when the writing fails, and says so', async () => {
        const { player, script } = stand;
        await configure(stand, { pipeline: { delivery: 'relay' }, agents: { mergedWriting: { retries: 0 } } });
        script.queue('mergedWriting', { status: 500, errorMessage: 'out of tea' });
        await player.send('走');
        await player.waitTurnDone();
        await expect.poll(async () => (await player.chat()).length).toBe(2);
        expect((await player.chat()).at(-1)).toMatchObject({ is_user: true, mes: '走' });
        expect(JSON.stringify(await stand.savedChat())).not.toContain('narrative_agent":{"v');
        await player.openPanel();
        expect(await notices()).toMatch(/合并写作|mergedWriting/);
        await player.closePanel();
        script.queue('mergedWriting', longAgo);
        await player.turn('再走');
        expect((await player.chat()).at(-1)?.mes).toContain(longAgo);
        expect((await player.records()).filter(Boolean)).toHaveLength(1);
    });

    it('takes a swipe back to the old reply when its writing fails', async () => {
        const { player, script } = stand;
        script.queue('mergedWriting', longAgo);
        script.queue('mergedAnalysis', analysisAnswer([move('石桥')]));
        await player.turn('走');
        await configure(stand, { pipeline: { delivery: 'relay' }, agents: { mergedWriting: { retries: 0 } } });
        script.queue('mergedWriting', { status: 500, errorMessage: 'out of tea' });
        await player.swipeRight();
        await expect.poll(async () => (await player.chat()).at(-1)?.mes).toContain(longAgo);
        expect((await player.chat()).at(-1)?.swipes).toHaveLength(1);
        expect((await player.records()).at(-1)).toMatchObject({ status: 'complete', swipe: 0 });
        expect(await player.panelField('location')).toContain('石桥');
    });

    it('stops while writing: the placeholder goes, the user\'s line stays, the next send works', async () => {
        const { player, script, server } = stand;
        script.queue('mergedWriting', { hang: true });
        await player.send('走');
        await expect.poll(openAgents).toEqual(['mergedWriting']);
        await stopButton().click();
        await player.waitTurnDone();
        await expect.poll(async () => (await player.chat()).length).toBe(2);
        expect(server.requests.find((request) => request.agent === 'mergedWriting')?.aborted).toBe(true);
        script.queue('mergedWriting', longAgo);
        await player.turn('再走');
        expect(agents()).toEqual(['relay', 'mergedWriting', 'relay', 'mergedWriting', 'mergedAnalysis']);
        expect((await player.chat()).at(-1)?.mes).toContain(longAgo);
    });

    it('stops in the placeholder call itself', async () => {
        const { player, script, server } = stand;
        script.queue('relay', { text: '……', pieceLength: 1, pieceMs: 60, pauseAfter: 1, until: new Promise(() => undefined) });
        await player.send('走');
        await expect.poll(openAgents).toEqual(['relay']);
        await player.page.waitForTimeout(300);
        await player.stop();
        await player.waitTurnDone();
        await expect.poll(async () => (await player.chat()).at(-1)?.mes).toBe('走');
        expect(server.requests[0]?.aborted).toBe(true);
        await player.turn('再走');
        expect(agents()).toEqual(['relay', 'relay', 'mergedWriting', 'mergedAnalysis']);
    });

    it('stops while analysing: the narrative stays and the turn is caught up', async () => {
        const { player, script } = stand;
        script.queue('mergedWriting', longAgo);
        script.queue('mergedAnalysis', { hang: true });
        await player.send('走');
        await expect.poll(openAgents).toEqual(['mergedAnalysis']);
        expect((await player.chat()).at(-1)?.mes).toContain(longAgo);
        await stopButton().click();
        await player.waitTurnDone();
        expect((await player.records()).at(-1)).toMatchObject({ status: 'incomplete' });
        script.queue('mergedAnalysis', analysisAnswer([move('石桥')]));
        await player.turn('再走');
        expect((await player.records()).filter(Boolean).map((record) => record?.status)).toEqual(['complete', 'complete']);
        expect(await player.panelField('location')).toContain('石桥');
    });

    it('leaves none behind when another chat is opened in the middle', async () => {
        const { player, script } = stand;
        await player.turn('先有一句。');
        const other = await player.chatId();
        await player.newChat();
        const mine = await player.chatId();
        script.queue('mergedWriting', { hang: true });
        await player.send('走');
        await expect.poll(openAgents).toEqual(['mergedWriting']);
        await player.switchChat(other);
        expect((await player.chat()).filter((message) => message.mes === '…')).toEqual([]);
        await player.switchChat(mine);
        await expect.poll(async () => (await player.chat()).at(-1)?.mes).toBe('走');
    });

    it('plans inside the relay, stops there too, and falls back when the plan cannot be read', async () => {
        const { player, script, server } = stand;
        await player.openCharacter(northTower.name);
        await stand.freshChat();
        await player.waitTurnDone();
        await player.turn('先有一句。');
        server.clearLog();
        script.queue('planning', { hang: true });
        await player.send('走');
        await expect.poll(openAgents).toEqual(['planning']);
        await stopButton().click();
        await player.waitTurnDone();
        await expect.poll(async () => (await player.chat()).at(-1)?.mes).toBe('走');
        expect(agents()).toEqual(['relay', 'planning']);
        expect(server.requests[1]?.aborted).toBe(true);
        server.clearLog();
        script.queue('planning', planningAnswer([{ tool: 'roll_dice', params: { expr: '1d20', dc: 5 } }]));
        await player.turn('掷骰');
        expect(agents()).toEqual(['relay', 'planning', 'writing', 'mergedAnalysis']);
        expect(block(userOf(server.requests[2]), 'tool_results')).toMatch(/1d20/);
        expect((await player.records()).at(-1)).toMatchObject({ mode: 'planning', delivery: 'relay', status: 'complete' });
        server.clearLog();
        script.queue('planning', '我不想规划。', '还是不想。');
        await player.turn('走');
        expect(agents()).toEqual(['relay', 'planning', 'planning', 'mergedWriting', 'mergedAnalysis']);
        await player.openPanel();
        expect(await notices()).toContain('改为合并写作');
        await player.closePanel();
        await player.openCharacter(northTowerMerged.name);
    });
});
