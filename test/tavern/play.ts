import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './browser';
import { createPlayer, waitReady } from './player';
import type { LoggedRequest, ModelServer } from './storyteller/server';
import type { Tavern } from './tavern';
import { playLines } from './world';

const size = (request: LoggedRequest): string =>
    `${request.agent}: ${request.body.messages.length} messages, ${Buffer.byteLength(request.rawBody)} bytes, ~${request.promptTokens} tokens → ${request.sent.length} characters, ${(request.finishedAt ?? Date.now()) - request.startedAt} ms`;

interface PlayedRecord {
    status?: string;
    mode?: string;
    events?: { type: string; params: Record<string, unknown> }[];
    tools?: { name?: string; tool?: string; text?: string; result?: unknown }[];
    reason?: unknown;
    summary?: string;
}

/** Plays three turns in a headless browser and prints each. 0 when every turn is complete, 1 with the reason otherwise. */
export async function play(tavern: Tavern, server: ModelServer | null, shots?: string): Promise<number> {
    const browser = await launchBrowser();
    try {
        const page = await (await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } })).newPage();
        const player = createPlayer(page, server ?? { open: () => [] });
        await page.goto(tavern.url);
        await waitReady(page);
        if (shots) mkdirSync(shots, { recursive: true });
        const faults: string[] = [];
        for (const [index, line] of playLines.entries()) {
            const before = server?.requests.length ?? 0;
            console.log(`\n── Turn ${index + 1} ──────────────────────────────────────────\n> ${line}`);
            const message = await player.turn(line);
            const record = (message.extra?.narrative_agent ?? null) as PlayedRecord | null;
            for (const request of server?.requests.slice(before) ?? []) console.log(`  prompt  ${size(request)}`);
            console.log(`\n${message.mes}\n`);
            if (!record) {
                faults.push(`turn ${index + 1}: the reply carries no turn record (is the extension running?)`);
            } else {
                console.log(`  turn    ${record.mode}, ${record.status}`);
                for (const tool of record.tools ?? []) console.log(`  tool    ${JSON.stringify(tool)}`);
                for (const event of record.events ?? []) console.log(`  event   ${event.type} ${JSON.stringify(event.params)}`);
                if (record.status !== 'complete') faults.push(`turn ${index + 1}: ${record.status}, ${JSON.stringify(record.reason ?? 'no reason given')}`);
            }
            if (message.is_user) faults.push(`turn ${index + 1}: no reply came`);
            if (shots) await player.screenshot(join(shots, `turn-${index + 1}.png`));
        }
        console.log('\n── State after three turns ──');
        if ((await player.panelText()) === null) {
            faults.push('the panel is not on the page');
        } else {
            for (const field of ['time', 'location', 'inventory', 'relationships', 'quests', 'flags', 'summaries']) {
                console.log(`  ${(await player.panelField(field)).split(/\s*\n\s*/).filter(Boolean).join(' · ')}`);
            }
            if (shots) await player.screenshot(join(shots, 'panel.png'));
        }
        for (const complaint of player.complaints) console.log(`  console ${complaint}`);
        if (faults.length > 0) {
            console.error(`\nNot as it should be:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
            return 1;
        }
        console.log('\nThree turns played, all complete.');
        return 0;
    } finally {
        await browser.close();
    }
}
