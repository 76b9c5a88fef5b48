import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { block, promptText } from './storyteller/request';
import { analysisAnswer, planningAnswer } from './storyteller/script';
import { keepPicture, startStand, type Stand } from './stand';
import { northTower, northTowerMerged } from './world';

const move = (location: string) => ({ type: 'move', params: { location } });
const gain = (item: string, quantity = 1) => ({ type: 'add_item', params: { item, quantity } });
const never = new Promise<never>(() => undefined);

/** A merged-mode turn in a real SillyTavern, acted by hand-like actions. */
describe('a merged turn', () => {
    let stand: Stand;
    const agents = () => stand.server.requests.map((request) => request.agent);
    const prompt = (index: number) => promptText(stand.server.requests[index]?.body ?? { messages: [] });
    /** One turn whose analysis moves to a place, so that the state tells which turns count. */
    const turnTo = async (line: string, place: string, narrative = `你到了${place}。`) => {
        stand.script.queue('mergedWriting', narrative);
        stand.script.queue('mergedAnalysis', analysisAnswer([move(place)], `用户意图：${line} | 叙事要点：到了${place}`));
        return stand.player.turn(line);
    };
    const place = () => stand.player.panelField('location');

    beforeAll(async () => {
        stand = await startStand({ cards: [northTowerMerged, northTower] });
    });
    afterAll(() => stand?.stop());
    beforeEach(() => stand.freshChat());
    afterEach(({ task }) => keepPicture(stand, task));

    it('makes two calls, and one message of prose and summary', async () => {
        const { player, script, server } = stand;
        script.queue('mergedWriting', { text: '守卫看了一眼铜钥匙，摇了摇头。', pieceLength: 2, pieceMs: 20 });
        script.queue('mergedAnalysis', analysisAnswer([move('北塔门前'), gain('铜钥匙'), { type: 'pass_time', params: { amount: 15, unit: 'minutes' } }, { type: 'move', params: {} }], '用户意图：递出铜钥匙 | 叙事要点：守卫拒绝开门'));
        const reply = await player.turn('我把铜钥匙递给北塔守卫。');
        expect(agents()).toEqual(['mergedWriting', 'mergedAnalysis']);
        expect(server.requests[0]?.body.stream).toBe(true);
        expect(reply.mes).toMatch(/^<context>\s*守卫看了一眼铜钥匙，摇了摇头。\s*<\/context>\n\n<summary>\s*\[第1轮\] 用户意图：递出铜钥匙 \| 叙事要点：守卫拒绝开门\s*<\/summary>$/);
        expect(await player.shown(2)).toContain('守卫看了一眼铜钥匙，摇了摇头。');
        expect((await player.records())[2]).toMatchObject({ status: 'complete', mode: 'merged', swipe: 0 });

        expect(await place()).toContain('北塔门前');
        expect(await player.panelField('inventory')).toContain('铜钥匙');
        expect(await player.panelField('time')).toContain('00:15');
        const saved = await stand.savedChat();
        expect(saved.at(-1)).toMatchObject({ mes: reply.mes, swipes: [reply.mes], extra: { narrative_agent: { status: 'complete' } } });
        expect(player.complaints).toEqual([]);
    });

    it('routes the card\'s own book as the tables say', async () => {
        await stand.player.turn('北塔的门为什么关着？');
        const system = promptText(stand.server.requests[0]?.body ?? { messages: [] }, 'system');
        const user = promptText(stand.server.requests[0]?.body ?? { messages: [] }, 'user');
        expect(block(system, 'worldinfo1')).toMatch(/第二人称叙述玩家[\s\S]*死亡不能被魔法逆转/);
        expect(block(user, 'worldinfo2')).toMatch(/北塔守夜人，左手少一截小指[\s\S]*灰港城建在海雾里/);
        expect(block(user, 'worldinfo3')).toContain('旧王忌日');
        expect(block(user, 'worldinfo3')).toContain('北塔午夜后禁止开门');
        expect(block(user, 'worldinfo3')).not.toContain('南港每周三');
        // The greeting speaks of the order, and the order's own entry brings the bell tower in.
        expect(block(user, 'worldinfo3')).toContain('一百零八级旋梯');
        expect(block(user, 'user_persona')).toContain('抄书人');
        expect(block(user, 'user_input')).toBe('北塔的门为什么关着？');
        expect(block(user, 'state_summary')).toContain('起点');
        // The analysing agent sees no worldbook and no persona.
        expect(prompt(1)).not.toMatch(/worldinfo|抄书人/);
        expect(prompt(1)).toContain('北塔的门为什么关着？');
    });

    it('keeps ten turns in order', async () => {
        for (let n = 1; n <= 10; n += 1) await turnTo(`第${n}句`, `地点${n}`, `你到了地点${n}，编号甲${n}乙。`);
        expect(agents()).toHaveLength(20);
        const last = prompt(18);
        expect(block(last, 'story_summary').split('\n').filter((line) => /^\[第\d+轮\]/.test(line))).toHaveLength(9);
        expect(block(last, 'recent_turns')).toContain('甲9乙');
        expect(block(last, 'recent_turns')).not.toContain('甲1乙');
        expect(block(last, 'state_summary')).toContain('地点9');
        expect(await place()).toContain('地点10');
        expect((await stand.player.chat()).at(-1)?.mes).toContain('[第10轮]');
        const sizes = (await stand.player.records()).flatMap((record) => (record ? [JSON.stringify(record).length] : []));
        expect(Math.max(...sizes)).toBeLessThan(2048);
    }, 300_000);

    it('follows a swipe forth and back, and never shows a reply its own text', async () => {
        const { player, script } = stand;
        await turnTo('走', '石桥', '你走进石桥，数到三。');
        script.queue('mergedWriting', '你走上磨坊。');
        script.queue('mergedAnalysis', analysisAnswer([move('磨坊')], '用户意图：走 | 叙事要点：上磨坊'));
        await player.swipeRight();
        expect(agents()).toEqual(['mergedWriting', 'mergedAnalysis', 'mergedWriting', 'mergedAnalysis']);
        expect(prompt(2)).not.toContain('数到三');
        expect(prompt(2)).not.toContain('上磨坊');
        expect(block(prompt(2), 'state_summary')).toContain('起点');
        expect(await place()).toContain('磨坊');
        await player.swipeLeft();
        expect((await player.chat()).at(-1)?.mes).toContain('数到三');
        await expect.poll(place).toContain('石桥');
        await player.swipeRight();
        await expect.poll(place).toContain('磨坊');
        expect(agents()).toHaveLength(4);
        const last = (await player.chat()).at(-1);
        expect(last?.swipes).toHaveLength(2);
        expect(last?.swipes?.[0]).toMatch(/^<context>/);
        expect(last?.swipes?.[1]).toMatch(/^<context>/);
    });

    it('regenerates as if the old reply had never been', async () => {
        const { player, script } = stand;
        await turnTo('走', '石桥', '你走进石桥，数到三。');
        script.queue('mergedWriting', '你走上磨坊。');
        script.queue('mergedAnalysis', analysisAnswer([move('磨坊')], '用户意图：走 | 叙事要点：上了磨坊'));
        await player.regenerate();
        expect(await player.chat()).toHaveLength(3);
        expect(prompt(2)).not.toContain('数到三');
        expect(block(prompt(2), 'state_summary')).toContain('起点');
        expect(await place()).toContain('磨坊');
        expect((await player.chat()).at(-1)?.mes).toContain('[第1轮]');
    });

    it('follows deletions of the last and of a middle turn', async () => {
        const { player } = stand;
        await turnTo('一', '石桥');
        await turnTo('二', '磨坊');
        await turnTo('三', '盐仓');
        expect(await place()).toContain('盐仓');
        await player.deleteMessage(6);
        await player.deleteMessage(5);
        await expect.poll(place).toContain('磨坊');
        await player.deleteMessage(2);
        await player.deleteMessage(1);
        await expect.poll(place).toContain('磨坊');
        stand.server.clearLog();
        await turnTo('四', '渡口');
        expect(block(prompt(0), 'story_summary').split('\n').filter((line) => line.includes('[第'))).toHaveLength(1);
        expect((await player.chat()).at(-1)?.mes).toContain('[第2轮]');
        await player.deleteFrom(1);
        await expect.poll(place).toContain('起点');
    });

    it('gives a branch the state of its last message, and each chat its own', async () => {
        const { player } = stand;
        await turnTo('一', '石桥');
        await turnTo('二', '磨坊');
        const first = await player.chatId();
        await player.branch(2);
        await expect.poll(place).toContain('石桥');
        await turnTo('三', '渡口');
        await expect.poll(place).toContain('渡口');
        await player.switchChat(first);
        await expect.poll(place).toContain('磨坊');
        await player.newChat();
        await expect.poll(place).toContain('起点');
        await player.switchChat(first);
        await player.reload();
        await expect.poll(place).toContain('磨坊');
    });

    it('does not touch another chat when the chat is changed while analysing', async () => {
        const { player, script, server } = stand;
        await player.turn('先有一句。');
        const other = await player.chatId();
        await player.newChat();
        const mine = await player.chatId();
        let answer: () => void = () => undefined;
        script.queue('mergedWriting', '你走进石桥。');
        script.queue('mergedAnalysis', { text: analysisAnswer([move('石桥')]), until: new Promise<void>((resolve) => {
            answer = resolve;
        }) });
        await player.send('走');
        await expect.poll(() => server.open().map((request) => request.agent)).toEqual(['mergedAnalysis']);
        const switching = player.switchChat(other);
        await expect.poll(() => player.chatId()).toBe(other);
        answer();
        await switching;
        expect((await player.chat()).map((m) => m.mes).join()).not.toContain('石桥');
        expect(await place()).toContain('起点');
        await player.switchChat(mine);
        expect((await player.chat()).at(-1)?.mes).toContain('你走进石桥。');
    });

    it('keeps the narrative over a reload while analysing, and catches up', async () => {
        const { player, script, server } = stand;
        script.queue('mergedWriting', '你走进石桥。');
        script.queue('mergedAnalysis', { hang: true });
        script.always('mergedAnalysis', analysisAnswer([move('石桥')], '用户意图：走 | 叙事要点：进石桥'));
        await player.send('走');
        await expect.poll(() => server.open().map((request) => request.agent)).toEqual(['mergedAnalysis']);
        // SillyTavern saves a streamed reply when the stream has ended.
        await expect.poll(async () => JSON.stringify(await stand.savedChat())).toContain('你走进石桥。');
        await player.page.reload();
        await expect.poll(async () => (await player.chat().catch(() => [])).at(-1)?.mes ?? '', { timeout: 20_000 }).toContain('你走进石桥。');
        await player.waitTurnDone();
        await player.turn('再走');
        expect((await player.records()).filter(Boolean).map((record) => record?.status)).toEqual(['complete', 'complete']);
        expect(await place()).toContain('石桥');
    });

    it('keeps what was written when stopped while streaming', async () => {
        const { player, script, server } = stand;
        script.queue('mergedWriting', { text: '雾从海上来，一层又一层，盖过了石阶。', pieceLength: 2, pieceMs: 60, pauseAfter: 4, until: never });
        await player.send('走');
        await expect.poll(async () => (await player.chat()).at(-1)?.mes ?? '').toContain('雾从海上来，一层');
        await player.stop();
        await player.waitTurnDone();
        const stopped = (await player.chat()).at(-1);
        expect(stopped?.mes).toContain('雾从海上来，一层');
        expect(stopped?.mes).not.toContain('盖过了石阶');
        expect(server.requests[0]?.aborted).toBe(true);
        await turnTo('再走', '石桥');
        await expect.poll(place).toContain('石桥');
    });

    it('keeps the narrative and marks the turn when stopped while analysing', async () => {
        const { player, script, server } = stand;
        script.queue('mergedWriting', '你走进石桥。');
        script.queue('mergedAnalysis', { hang: true });
        await player.send('走');
        await expect.poll(() => server.open().map((request) => request.agent)).toEqual(['mergedAnalysis']);
        await player.page.locator('#narrative_agent_stop').click();
        await player.waitTurnDone();
        expect(server.requests.find((request) => request.agent === 'mergedAnalysis')?.aborted).toBe(true);
        expect((await player.chat()).at(-1)?.mes).toContain('你走进石桥。');
        expect((await player.records()).at(-1)).toMatchObject({ status: 'incomplete' });
        // The next turn first makes up for it.
        script.queue('mergedAnalysis', analysisAnswer([move('石桥')], '用户意图：走 | 叙事要点：进石桥'));
        await turnTo('再走', '磨坊');
        expect((await player.records()).filter(Boolean).map((record) => record?.status)).toEqual(['complete', 'complete']);
        expect(agents().slice(-3)).toEqual(['mergedAnalysis', 'mergedWriting', 'mergedAnalysis']);
    });

    it('shows SillyTavern\'s own error when the writing fails, and leaves no half state', async () => {
        const { player, script } = stand;
        script.queue('mergedWriting', { status: 500, errorMessage: 'out of tea' });
        await player.send('走');
        await player.waitTurnDone();
        expect((await player.chat()).map((m) => m.is_user)).toEqual([false, true]);
        expect((await player.toasts()).join()).not.toBe('');
        expect((await player.records()).filter(Boolean)).toEqual([]);
        await player.deleteFrom(1);
        await turnTo('再走', '石桥');
        await expect.poll(place).toContain('石桥');
    });

    it('keeps the narrative when the analysis fails, and says why', async () => {
        const { player, script } = stand;
        script.queue('mergedWriting', '你走进石桥。');
        script.always('mergedAnalysis', { status: 400, errorMessage: 'no analysis today' });
        const reply = await player.turn('走');
        expect(reply.mes).toContain('你走进石桥。');
        expect((await player.records()).at(-1)).toMatchObject({ status: 'incomplete', reason: expect.anything() });
    });

    it('analyses a greeting that is told in our form, once and in the background', async () => {
        const { player, script, server } = stand;
        script.always('mergedAnalysis', analysisAnswer([move('北塔门前')], '用户意图：无 | 叙事要点：沈眠守在门前'));
        await player.openCharacter(northTower.name);
        await player.newChat();
        await player.waitTurnDone();
        const before = await player.chat();
        expect(before).toHaveLength(1);
        expect(agents().filter((agent) => agent === 'mergedAnalysis').length).toBeLessThanOrEqual(2);
        expect(before[0]?.mes).not.toContain('<summary>');
        server.clearLog();
        script.always('planning', planningAnswer());
        await player.turn('走');
        await player.turn('再走');
        expect((await player.records())[0]).toMatchObject({ status: 'complete' });
        expect(await place()).toContain('北塔门前');
        await player.openCharacter(northTowerMerged.name);
    });

    it('is switched off and on in SillyTavern\'s extension settings', async () => {
        const { player } = stand;
        await player.openExtensionSettings();
        await player.page.locator('#narrative_agent_enabled').uncheck();
        await player.page.locator('#extensions-settings-button .drawer-toggle').click();
        expect((await player.turn('走')).mes).not.toContain('<context>');
        expect(agents()).toEqual(['chat']);
        await player.openExtensionSettings();
        await player.page.locator('#narrative_agent_enabled').check();
        await player.page.locator('#extensions-settings-button .drawer-toggle').click();
        await turnTo('再走', '石桥');
        expect(agents()).toEqual(['chat', 'mergedWriting', 'mergedAnalysis']);
    });

    it('leaves dry runs, quiet and raw calls, impersonate and continue alone', async () => {
        const { player, script, server } = stand;
        await turnTo('走', '石桥');
        server.clearLog();
        script.queue('chat', '安静的回答');
        const quiet = await player.page.evaluate(() => window.SillyTavern.getContext().generateQuietPrompt({ quietPrompt: '一句话概括' }));
        expect(quiet).toBe('安静的回答');
        script.queue('chat', '生的回答');
        const raw = await player.page.evaluate(() => window.SillyTavern.getContext().generateRaw({ prompt: '你好' }));
        expect(raw).toBe('生的回答');
        script.queue('chat', '我敲门。');
        await player.impersonate();
        expect(await player.page.locator('#send_textarea').inputValue()).toBe('我敲门。');
        await player.type('');
        script.queue('chat', '又走了几步。');
        await player.continueReply();
        expect(agents().slice(0, 4)).toEqual(['chat', 'chat', 'chat', 'chat']);
        expect((await player.chat()).at(-1)?.mes).toContain('又走了几步。');
        expect((await player.chat()).at(-1)?.mes).toContain('你到了石桥。');
        const before = server.requests.length;
        await player.page.evaluate(() => window.SillyTavern.getContext().generate?.('normal', {}, true));
        await player.page.waitForTimeout(300);
        expect(server.requests).toHaveLength(before);
    });
});
