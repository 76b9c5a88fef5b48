import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepPicture, startStand, type Stand } from './stand';

/** The harness against plain SillyTavern: each thing a person can do has the effect it has without any extension. */
describe('a person at a plain SillyTavern', () => {
    let stand: Stand;
    beforeAll(async () => {
        stand = await startStand({ extension: 'absent' });
    });
    afterAll(() => stand?.stop());
    beforeEach(() => stand.freshChat());
    afterEach(({ task }) => keepPicture(stand, task));

    it('sends a line and gets a streamed reply', async () => {
        const { player, script, server } = stand;
        script.queue('chat', { text: '门关着。', pieceLength: 1, pieceMs: 5 });
        const reply = await player.turn('你好');
        expect(reply.mes).toBe('门关着。');
        expect((await player.chat()).map((m) => m.is_user)).toEqual([false, true, false]);
        expect(server.requests).toHaveLength(1);
        expect(server.requests[0]).toMatchObject({ agent: 'chat', aborted: false, status: 200, sent: '门关着。' });
        expect(server.requests[0]?.body.stream).toBe(true);
        expect(player.complaints).toEqual([]);
        expect(await player.toasts()).toEqual([]);
    });

    it('swipes forth and back', async () => {
        const { player, script, server } = stand;
        script.queue('chat', '一', '二');
        await player.turn('走');
        await player.swipeRight();
        expect((await player.chat()).at(-1)).toMatchObject({ mes: '二', swipe_id: 1, swipes: ['一', '二'] });
        await player.swipeLeft();
        expect((await player.chat()).at(-1)).toMatchObject({ mes: '一', swipe_id: 0 });
        await player.swipeRight();
        expect((await player.chat()).at(-1)).toMatchObject({ mes: '二', swipe_id: 1 });
        expect(server.requests).toHaveLength(2);
    });

    it('regenerates', async () => {
        const { player, script, server } = stand;
        script.queue('chat', '旧话不提', '新的开头');
        await player.turn('走');
        await player.regenerate();
        expect((await player.chat()).map((m) => m.mes).slice(1)).toEqual(['走', '新的开头']);
        expect(server.requests[1]?.rawBody).not.toContain('旧话不提');
    });

    it('deletes the last, a middle one, and many', async () => {
        const { player } = stand;
        for (const line of ['甲', '乙', '丙']) await player.turn(line);
        await player.deleteMessage(6);
        expect(await player.chat()).toHaveLength(6);
        await player.deleteMessage(2);
        expect((await player.chat()).map((m) => m.is_user)).toEqual([false, true, true, false, true]);
        await player.deleteFrom(1);
        expect(await player.chat()).toHaveLength(1);
    });

    it('deletes a whole message that has swipes', async () => {
        const { player } = stand;
        await player.turn('甲');
        await player.swipeRight();
        await player.deleteMessage(2);
        expect((await player.chat()).map((m) => m.mes).slice(1)).toEqual(['甲']);
    });

    it('stops a stream: what was written stays, and the request is cut', async () => {
        const { player, script, server } = stand;
        script.queue('chat', { text: '这一句写得很慢很慢很慢很慢。', pieceLength: 2, pieceMs: 60, pauseAfter: 3, until: new Promise(() => undefined) });
        await player.send('走');
        await expect.poll(async () => (await player.chat()).at(-1)?.mes).toBe('这一句写得很');
        await player.stop();
        await player.waitTurnDone();
        expect((await player.chat()).at(-1)?.mes).toBe('这一句写得很');
        expect(server.requests[0]?.aborted).toBe(true);
    });

    it('edits, hides and shows a message', async () => {
        const { player, server } = stand;
        await player.turn('走');
        await player.editMessage(2, '改过的话');
        expect((await player.chat())[2]?.mes).toBe('改过的话');
        await player.hide(2);
        await player.turn('然后');
        expect(server.requests[1]?.rawBody).not.toContain('改过的话');
        await player.unhide(2);
        await player.turn('再然后');
        expect(server.requests[2]?.rawBody).toContain('改过的话');
    });

    it('branches, makes a checkpoint, changes chats and reloads', async () => {
        const { player, script } = stand;
        script.queue('chat', '一', '二');
        await player.turn('甲');
        await player.turn('乙');
        const first = await player.chatId();
        await player.checkpoint(2, '存档');
        expect((await player.chat())[2]?.extra?.bookmark_link).toContain('存档');
        await player.branch(2);
        expect(await player.chatId()).not.toBe(first);
        expect((await player.chat()).map((m) => m.mes).slice(1)).toEqual(['甲', '一']);
        await player.switchChat(first);
        expect((await player.chat()).map((m) => m.mes).slice(1)).toEqual(['甲', '一', '乙', '二']);
        await player.reload();
        expect(await player.chatId()).toBe(first);
        expect((await player.chat()).at(-1)?.mes).toBe('二');
    });

    it('continues a reply and has a line written for the player', async () => {
        const { player, script } = stand;
        script.queue('chat', '门关着', '，灯还亮。', '我敲了敲门。');
        await player.turn('走');
        await player.continueReply();
        // SillyTavern's own "continue postfix" is a space.
        expect((await player.chat()).at(-1)?.mes).toBe('门关着 ，灯还亮。');
        await player.impersonate();
        expect(await player.page.locator('#send_textarea').inputValue()).toBe('我敲了敲门。');
        expect(await player.chat()).toHaveLength(3);
    });

    it('sees the error of a failed request, and keeps the line', async () => {
        const { player, script } = stand;
        script.queue('chat', { status: 500, errorMessage: 'out of tea' });
        await player.send('走');
        await player.waitTurnDone();
        expect((await player.chat()).map((m) => m.is_user)).toEqual([false, true]);
        expect((await player.toasts()).length).toBeGreaterThan(0);
    });
});
