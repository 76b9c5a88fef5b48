import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyExtension, extensionFolderName } from './prepare';
import { startStand, type Stand } from './stand';
import { northTowerMerged } from './world';

/** Everything a person can send, in one order with one set of answers: the requests this makes, byte for byte. */
async function everything(stand: Stand): Promise<string[]> {
    const { player, script, server } = stand;
    await stand.freshChat();
    script.always('chat', (request) => ['雾更浓了。', '钟敲了一下。', '灯晃了晃。'][request.rawBody.length % 3] ?? '');
    await player.turn('我走向北塔。');
    await player.turn('守卫在吗？');
    await player.swipeRight();
    await player.regenerate();
    await player.continueReply();
    await player.impersonate();
    await player.type('');
    await player.page.evaluate(() => window.SillyTavern.getContext().generateQuietPrompt({ quietPrompt: '一句话概括' }));
    await player.turn('我等到天亮。');
    return server.requests.map((request) => request.rawBody);
}

/** Ms from the click on Send to the request, the quickest of several: what the work takes where the machine is free for it. */
async function sendToRequest(stand: Stand, agent: 'chat' | 'mergedWriting', turns: number): Promise<number> {
    await stand.freshChat();
    const times: number[] = [];
    for (let n = 0; n < turns; n += 1) {
        await stand.player.type(`第${n}句，北塔。`);
        const clicked = Date.now();
        await stand.player.page.locator('#send_but').click();
        await stand.player.page.waitForTimeout(200);
        await stand.player.waitTurnDone();
        const asked = stand.server.requests.filter((request) => request.agent === agent);
        expect(asked).toHaveLength(n + 1);
        times.push((asked.at(-1)?.startedAt ?? 0) - clicked);
    }
    return Math.min(...times);
}

describe('with the extension switched off', () => {
    let stand: Stand;
    let plain: string[];
    let plainMs: number;
    beforeAll(async () => {
        stand = await startStand({ extension: 'absent', cards: [northTowerMerged], importBooks: true });
        plain = await everything(stand);
        plainMs = await sendToRequest(stand, 'chat', 8);
        await copyExtension(stand.tavern.userRoot);
    });
    afterAll(() => stand?.stop());

    it('the requests of a plain SillyTavern are there to compare with', () => {
        expect(plain).toHaveLength(8);
        expect(plain.join()).toContain('北塔午夜后禁止开门');
    });

    it('by its own switch, every request is SillyTavern\'s own, byte for byte', async () => {
        await stand.player.setConfig('enabled', false);
        expect(await everything(stand)).toEqual(plain);
        expect((await stand.player.records()).filter(Boolean)).toEqual([]);
    });

    it('by SillyTavern\'s switch for extensions, too', async () => {
        await stand.player.page.evaluate((name) => {
            const context = window.SillyTavern.getContext();
            context.extensionSettings.disabledExtensions = [`third-party/${name}`] as unknown as Record<string, unknown>;
            context.saveSettingsDebounced();
        }, extensionFolderName);
        await stand.player.page.waitForTimeout(1500);
        await stand.player.reload();
        expect(await everything(stand)).toEqual(plain);
        expect(await stand.player.page.locator('#narrative_agent_panel_toggle').count()).toBe(0);
    });

    it('and when it is on, the reply is asked for within 100 ms of plain SillyTavern', async () => {
        await stand.player.page.evaluate(() => {
            window.SillyTavern.getContext().extensionSettings.disabledExtensions = [] as unknown as Record<string, unknown>;
        });
        await stand.player.setConfig('enabled', true);
        const ours = await sendToRequest(stand, 'mergedWriting', 8);
        console.log(`send → request: plain ${plainMs} ms, merged ${ours} ms`);
        expect(ours - plainMs).toBeLessThan(100);
    });

    it('and when it is removed, nothing is left but plain SillyTavern', async () => {
        await rm(join(stand.tavern.userRoot, 'extensions', extensionFolderName), { recursive: true, force: true });
        await stand.player.reload();
        expect(await everything(stand)).toEqual(plain);
    });
});
