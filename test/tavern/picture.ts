import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser';
import { rootFolder } from './install';
import type { Player } from './person';
import { createPlayer, waitReady } from './player';
import { startModelServer, type ModelServer } from './storyteller/server';
import { storyteller } from './storyteller/storyteller';
import { startTavern, type Tavern } from './tavern';
import { northTower, playLines } from './world';

const size = { width: 1360, height: 860 };

async function visit(browser: Browser, tavern: Tavern, server: ModelServer, locale: string): Promise<Player> {
    const page = await (await browser.newContext({ locale, viewport: size })).newPage();
    const player = createPlayer(page, server);
    await page.goto(tavern.url);
    await waitReady(page);
    return player;
}

async function picture(player: Player, tab: string, file: string): Promise<void> {
    await player.openPanel(tab);
    const { page } = player;
    await page.evaluate(() => document.querySelector('#chat .last_mes')?.scrollIntoView({ block: 'end' }));
    await page.mouse.move(5, 5);
    await page.waitForTimeout(800);
    // The chat column and the panel; what is left of them is empty wallpaper.
    const left = Math.max(0, Math.floor((await page.locator('#sheld').boundingBox())?.x ?? 0) - 12);
    await page.screenshot({ path: join(rootFolder, '.readme', file), clip: { x: left, y: 0, width: size.width - left, height: size.height } });
    console.log(`.readme/${file}`);
}

/** The pictures of the README: three turns of the demo in a real SillyTavern, then the panel, in both languages. `node test/tavern/run.mjs picture` */
export async function main(): Promise<number> {
    await mkdir(join(rootFolder, '.readme'), { recursive: true });
    const server = await startModelServer(storyteller, { pieceMs: 2 });
    const tavern = await startTavern({ apiUrl: server.url, model: 'storyteller', cards: [northTower] });
    const browser = await launchBrowser();
    try {
        const chinese = await visit(browser, tavern, server, 'zh-CN');
        for (const line of playLines) await chinese.turn(line);
        await picture(chinese, 'state', 'state-zh.png');
        await picture(chinese, 'worldbook', 'worldbook-zh.png');
        const chat = await chinese.chatId();
        await chinese.page.context().close();
        const english = await visit(browser, tavern, server, 'en-US');
        await english.switchChat(chat);
        await picture(english, 'state', 'state-en.png');
        await picture(english, 'worldbook', 'worldbook-en.png');
        return 0;
    } finally {
        await browser.close();
        await tavern.stop();
        await server.close();
    }
}
