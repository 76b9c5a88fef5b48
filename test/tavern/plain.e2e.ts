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

/** What one Send costs, the quickest of several: what the work takes where the machine is free for it. Ms. */
interface SendCost {
    /** From the click to the request's arrival. */
    toRequest: number;
    /** Of that, spent waiting for the listeners of the generation's events. */
    inListeners: number;
}

async function costOfSending(stand: Stand, agent: 'chat' | 'mergedWriting', turns: number): Promise<SendCost> {
    const { player, server } = stand;
    await stand.freshChat();
    await player.page.evaluate(() => {
        const { eventSource, eventTypes } = window.SillyTavern.getContext();
        for (const name of ['GENERATION_STARTED', 'GENERATION_AFTER_COMMANDS', 'MESSAGE_SENT', 'USER_MESSAGE_RENDERED', 'WORLD_INFO_ACTIVATED', 'CHAT_COMPLETION_PROMPT_READY', 'GENERATE_AFTER_DATA', 'CHAT_COMPLETION_SETTINGS_READY']) {
            const event = eventTypes[name];
            if (event === undefined) continue;
            let since = 0;
            eventSource.makeFirst(event, () => {
                since = performance.now();
            });
            eventSource.makeLast(event, () => {
                window.heldFor = (window.heldFor ?? 0) + performance.now() - since;
            });
        }
    });
    const costs: SendCost[] = [];
    for (let n = 0; n < turns; n += 1) {
        await player.type(`第${n}句，北塔。`);
        await player.page.evaluate(() => {
            window.heldFor = 0;
        });
        const clicked = Date.now();
        await player.page.locator('#send_but').click();
        while (server.requests.filter((request) => request.agent === agent).length <= n) await player.page.waitForTimeout(10);
        const inListeners = await player.page.evaluate(() => window.heldFor ?? 0);
        costs.push({ inListeners, toRequest: (server.requests.filter((request) => request.agent === agent).at(-1)?.startedAt ?? 0) - clicked });
        await player.page.waitForTimeout(200);
        await player.waitTurnDone();
    }
    return { toRequest: Math.min(...costs.map((cost) => cost.toRequest)), inListeners: Math.min(...costs.map((cost) => cost.inListeners)) };
}

describe('with the extension switched off', () => {
    let stand: Stand;
    let plain: string[];
    let plainCost: SendCost;
    beforeAll(async () => {
        stand = await startStand({ extension: 'absent', cards: [northTowerMerged], importBooks: true });
        plain = await everything(stand);
        plainCost = await costOfSending(stand, 'chat', 8);
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

    it('and when it is on, SillyTavern waits less than 20 ms for it before it asks for the reply', async () => {
        await stand.player.page.evaluate(() => {
            window.SillyTavern.getContext().extensionSettings.disabledExtensions = [] as unknown as Record<string, unknown>;
        });
        await stand.player.setConfig('enabled', true);
        const ours = await costOfSending(stand, 'mergedWriting', 8);
        console.log(`send → request: plain ${plainCost.toRequest} ms, merged ${ours.toRequest} ms, of which the extension ${Math.round(ours.inListeners - plainCost.inListeners)} ms`);
        // The whole way differs by more than that from run to run on a busy machine; SillyTavern's waiting for us does not.
        expect(ours.inListeners - plainCost.inListeners).toBeLessThan(20);
        expect(ours.toRequest - plainCost.toRequest).toBeLessThan(250);
    });

    it('and when it is removed, nothing is left but plain SillyTavern', async () => {
        await rm(join(stand.tavern.userRoot, 'extensions', extensionFolderName), { recursive: true, force: true });
        await stand.player.reload();
        expect(await everything(stand)).toEqual(plain);
    });
});
