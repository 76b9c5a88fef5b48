import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser';
import { tavernFolder } from './install';
import type { Player } from './person';
import { createPlayer, waitReady } from './player';
import { createScript, type Script } from './storyteller/script';
import { startModelServer, type ModelServer } from './storyteller/server';
import { startTavern, type Tavern, type TavernOptions } from './tavern';

/** A whole stage for a test suite: model server, SillyTavern, browser, and a person at the page. */
export interface Stand {
    tavern: Tavern;
    server: ModelServer;
    /** What the server answers. */
    script: Script;
    browser: Browser;
    player: Player;
    /** A fresh start for a test: answers and log reset, a new chat open. */
    freshChat(): Promise<void>;
    /** The open chat as it is in its file on disk: the first line (metadata), then the messages. */
    savedChat(): Promise<Record<string, unknown>[]>;
    stop(): Promise<void>;
}

/** For `afterEach`: keeps a picture of the page, and of what was asked of the model, where a test failed. */
export async function keepPicture(stand: Stand, task: { name: string; result?: { state?: string } }): Promise<void> {
    if (task.result?.state !== 'fail') return;
    const folder = join(tavernFolder, '.cache', 'failures');
    await mkdir(folder, { recursive: true });
    const file = join(folder, task.name.replace(/[^\w-]+/g, '_').slice(0, 80));
    await stand.player.screenshot(`${file}.png`);
    const log = stand.server.requests.map(({ agent, status, aborted, sent, body }) => ({ agent, status, aborted, sent, messages: body.messages }));
    await writeFile(`${file}.json`, JSON.stringify({ complaints: stand.player.complaints, chat: await stand.player.chat().catch(String), log }, null, 2));
    console.log(`picture of the failure: ${file}.png`);
}

/** Starts a stand; TAVERN_VERSION in the environment chooses another SillyTavern. Whatever was started is ended again when a later part fails. */
export async function startStand(options: Partial<TavernOptions> & { locale?: string; viewport?: { width: number; height: number }; /** Settings that need the model server's address. */ settingsFor?: (apiUrl: string) => Record<string, unknown> } = {}): Promise<Stand> {
    const script = createScript();
    const server = await startModelServer(script.answer);
    const endings: (() => Promise<unknown>)[] = [() => server.close()];
    const stop = async (): Promise<void> => {
        for (const end of endings.splice(0).reverse()) await end();
    };
    try {
        const tavern = await startTavern({ apiUrl: server.url, ...(process.env.TAVERN_VERSION ? { version: process.env.TAVERN_VERSION } : {}), ...options, ...(options.settingsFor ? { settings: options.settingsFor(server.url) } : {}) });
        endings.push(() => tavern.stop());
        const browser = await launchBrowser();
        endings.push(() => browser.close());
        const context = await browser.newContext({ locale: options.locale ?? 'zh-CN', viewport: options.viewport ?? { width: 1280, height: 900 } });
        const page = await context.newPage();
        const player = createPlayer(page, server);
        await page.goto(tavern.url);
        await waitReady(page);
        return {
            tavern,
            server,
            script,
            browser,
            player,
            freshChat: async () => {
                script.reset();
                // A test that failed half-way may have left a generation or a question open.
                const stopButton = player.page.locator('#mes_stop');
                // What runs may end by itself just then.
                if (await stopButton.isVisible()) await stopButton.click({ timeout: 2000 }).catch((error: unknown) => {
                    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
                });
                while ((await player.page.locator('dialog.popup[open]').count()) > 0) await player.page.keyboard.press('Escape');
                await player.newChat();
                server.clearLog();
                player.complaints.length = 0;
            },
            savedChat: async () => {
                const [folder, id] = await page.evaluate(() => {
                    const context = window.SillyTavern.getContext();
                    return [context.characters[Number(context.characterId)]?.avatar.replace(/\.png$/, '') ?? '', String(context.chatId)] as const;
                });
                const text = await readFile(join(tavern.userRoot, 'chats', folder, `${id}.jsonl`), 'utf8');
                return text.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
            },
            stop,
        };
    } catch (error) {
        await stop();
        throw error;
    }
}
