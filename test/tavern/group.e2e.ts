import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DemoCard } from './card';
import { configure, userOf, wholeOf } from './seed-prompt';
import { keepPicture, startStand, type Stand } from './stand';
import { block } from './storyteller/request';
import { analysisAnswer } from './storyteller/script';
import { northTowerMerged } from './world';

const keeper = northTowerMerged;
const broker: DemoCard = {
    ...northTowerMerged,
    file: 'fog-lane',
    name: '阿绒',
    bookName: '雾巷',
    greeting: '阿绒从柜台后抬起头。',
    alternateGreetings: [],
    entries: [
        { comment: '当铺', position: 0, constant: true, order: 10, content: '阿绒的当铺只收铜币，柜台下藏着一把短弩。' },
        { comment: '短弩', position: 1, keys: ['北塔'], order: 20, content: '短弩只有三支箭。' },
    ],
};

const group = {
    id: '1700000000001', name: '夜里的两个人', members: [`${keeper.file}.png`, `${broker.file}.png`], avatar_url: '', allow_self_responses: false,
    activation_strategy: 1, generation_mode: 0, disabled_members: [], fav: false, chat_id: 'night', chats: ['night'], auto_mode_delay: 5, hideMutedSprites: false,
};

/** A group of two who answer one after another. */
describe('a group', () => {
    let stand: Stand;
    const agents = () => stand.server.requests.map((request) => request.agent);
    const writing = () => stand.server.requests.filter((request) => request.agent === 'mergedWriting');

    beforeAll(async () => {
        stand = await startStand({
            cards: [keeper, broker],
            files: { [`groups/${group.id}.json`]: JSON.stringify(group) },
            settings: { active_character: null, active_group: group.id },
        });
    });
    afterAll(() => stand?.stop());
    beforeEach(async () => {
        await configure(stand, {});
        await stand.freshChat();
    });
    afterEach(({ task }) => keepPicture(stand, task));

    it('handles each member\'s reply, with its own book and name, in one turn', async () => {
        const { player, script } = stand;
        script.queue('mergedWriting', '沈眠摇了摇头。', '阿绒笑了一声。', '沈眠看向海面。', '阿绒数着铜币。');
        script.queue('mergedAnalysis',
            analysisAnswer([{ type: 'move', params: { location: '石桥' } }], '用户意图：问路 | 叙事要点：沈眠拒绝'),
            analysisAnswer([{ type: 'add_item', params: { item: '铜币', quantity: 2 } }], '用户意图：问路 | 叙事要点：阿绒给钱'));
        await player.turn('北塔的路怎么走？');
        expect(agents()).toEqual(['mergedWriting', 'mergedAnalysis', 'mergedWriting', 'mergedAnalysis']);
        const [first, second] = writing();
        expect(wholeOf(first)).toContain('沈眠，三十六岁');
        expect(wholeOf(first)).not.toContain('柜台下藏着');
        expect(userOf(first)).toContain(`「${keeper.name}」`);
        expect(wholeOf(second)).toContain('柜台下藏着一把短弩');
        expect(wholeOf(second)).toContain('短弩只有三支箭');
        expect(wholeOf(second)).not.toContain('沈眠，三十六岁');
        expect(userOf(second)).toContain('「阿绒」');
        // The second knows what the first has just said and done.
        expect(block(userOf(second), 'recent_turns')).toContain(`${keeper.name}: 沈眠摇了摇头。`);
        expect(block(userOf(second), 'state_summary')).toContain('石桥');
        expect(block(userOf(second), 'user_input')).toBe('北塔的路怎么走？');
        const chat = await player.chat();
        expect(chat.slice(-2).map((message) => message.name)).toEqual([keeper.name, '阿绒']);
        for (const message of chat.slice(-2)) expect(message.mes).toMatch(/^<context>[\s\S]*<\/context>\n\n<summary>\s*\[第1轮\]/);
        expect((await player.records()).slice(-2)).toMatchObject([{ status: 'complete' }, { status: 'complete' }]);
        expect(await player.panelField('inventory')).toContain('铜币');

        await player.turn('那么海上呢？');
        const third = writing()[2];
        expect(block(userOf(third), 'recent_turns')).toMatch(new RegExp(`\\[轮1\\] 用户: 北塔的路怎么走？ \\| ${keeper.name}: 沈眠摇了摇头。 \\| 阿绒: 阿绒笑了一声。`));
        expect(block(userOf(third), 'story_summary')).toMatch(/沈眠拒绝[\s\S]*阿绒给钱/);
        expect((await player.chat()).at(-1)?.mes).toContain('[第2轮]');
        expect(player.complaints).toEqual([]);
    });

    it('swipes the last member\'s reply alone', async () => {
        const { player, script } = stand;
        script.queue('mergedWriting', '沈眠摇了摇头。', '阿绒笑了一声。', '阿绒没有说话。');
        script.queue('mergedAnalysis', analysisAnswer([{ type: 'move', params: { location: '石桥' } }]), analysisAnswer([{ type: 'move', params: { location: '盐仓' } }]), analysisAnswer([{ type: 'move', params: { location: '渡口' } }]));
        await player.turn('北塔的路怎么走？');
        expect(await player.panelField('location')).toContain('盐仓');
        stand.server.clearLog();
        await player.swipeRight();
        expect(agents()).toEqual(['mergedWriting', 'mergedAnalysis']);
        expect(wholeOf(writing()[0])).not.toContain('阿绒笑了一声');
        expect(wholeOf(writing()[0])).toContain('沈眠摇了摇头');
        expect(wholeOf(writing()[0])).toContain('柜台下藏着');
        expect(userOf(writing()[0])).toContain('「阿绒」');
        expect(block(userOf(writing()[0]), 'state_summary')).toContain('石桥');
        const last = (await player.chat()).at(-1);
        expect(last?.swipes).toHaveLength(2);
        expect(last?.mes).toContain('阿绒没有说话');
        expect((await player.chat()).at(-2)?.mes).toContain('沈眠摇了摇头');
        expect(await player.panelField('location')).toContain('渡口');
        await player.swipeLeft();
        await expect.poll(() => player.panelField('location')).toContain('盐仓');
    });

    it('regenerates the round', async () => {
        const { player, script } = stand;
        script.queue('mergedWriting', '沈眠摇了摇头。', '阿绒笑了一声。', '沈眠点了点头。', '阿绒没有说话。');
        await player.turn('北塔的路怎么走？');
        stand.server.clearLog();
        script.queue('mergedAnalysis', analysisAnswer([{ type: 'move', params: { location: '石桥' } }]), analysisAnswer([{ type: 'move', params: { location: '渡口' } }]));
        await player.regenerate();
        expect(agents()).toEqual(['mergedWriting', 'mergedAnalysis', 'mergedWriting', 'mergedAnalysis']);
        for (const request of writing()) expect(wholeOf(request)).not.toMatch(/摇了摇头|笑了一声/);
        expect((await player.chat()).slice(-2).map((message) => message.mes)).toEqual([expect.stringContaining('沈眠点了点头'), expect.stringContaining('阿绒没有说话')]);
        expect(await player.panelField('location')).toContain('渡口');
    });

    it('stops the round: what stands stays, and the next send works', async () => {
        const { player, script, server } = stand;
        script.queue('mergedWriting', '沈眠摇了摇头。', { hang: true });
        await player.send('北塔的路怎么走？');
        await expect.poll(() => server.open().map((request) => request.agent), { timeout: 20_000 }).toEqual(['mergedWriting']);
        await expect.poll(() => writing().length, { timeout: 20_000 }).toBe(2);
        await player.stop();
        await player.waitTurnDone();
        expect((await player.chat()).map((message) => message.mes).join()).toContain('沈眠摇了摇头');
        script.queue('mergedWriting', '沈眠又摇了摇头。', '阿绒也摇头。');
        await player.turn('再说一遍。');
        expect((await player.chat()).slice(-2).map((message) => message.name)).toEqual([keeper.name, '阿绒']);
        expect((await player.records()).filter(Boolean).every((record) => record?.status === 'complete')).toBe(true);
    });

    it('relays each member\'s reply', async () => {
        const { player, script } = stand;
        await configure(stand, { pipeline: { delivery: 'relay' } });
        script.queue('mergedWriting', '沈眠摇了摇头。', '阿绒笑了一声。');
        await player.turn('北塔的路怎么走？');
        await player.waitTurnDone();
        expect(agents().filter((agent) => agent === 'relay')).toHaveLength(2);
        expect((await player.chat()).slice(-2).map((message) => message.mes)).toEqual([expect.stringContaining('沈眠摇了摇头'), expect.stringContaining('阿绒笑了一声')]);
        expect(wholeOf(writing()[1])).toContain(`${keeper.name}: 沈眠摇了摇头。`);
        expect(wholeOf(writing()[1])).toContain('柜台下藏着');
    });
});
