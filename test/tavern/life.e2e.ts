import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPlayer, waitReady } from './player';
import { keepPicture, startStand, type Stand } from './stand';
import { block, promptText } from './storyteller/request';
import { analysisAnswer } from './storyteller/script';
import { northTowerMerged } from './world';

const move = (location: string) => ({ type: 'move', params: { location } });
const gain = (item: string, quantity = 1) => ({ type: 'add_item', params: { item, quantity } });

/** What a chat lives through in a real SillyTavern: edits, continues, files that come and go, two tabs. */
describe('the life of a chat', () => {
    let stand: Stand;
    const turnTo = async (line: string, place: string, narrative = `你到了${place}。`) => {
        stand.script.queue('mergedWriting', narrative);
        stand.script.queue('mergedAnalysis', analysisAnswer([move(place), gain('币')], `用户意图：${line} | 叙事要点：到了${place}`));
        return stand.player.turn(line);
    };
    const place = () => stand.player.panelField('location');
    const items = () => stand.player.panelField('inventory');
    const agents = () => stand.server.requests.map((request) => request.agent);
    const localKeys = () => stand.player.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('narrative-agent') || key.startsWith('na:')));
    const traceKeys = () => stand.player.page.evaluate(async () => {
        const { localforage } = (window.SillyTavern as unknown as { libs: { localforage: { createInstance(o: object): { keys(): Promise<string[]> } } } }).libs;
        return (await localforage.createInstance({ name: 'NarrativeAgent', storeName: 'traces' }).keys()).filter((key) => key !== 'index');
    });
    const status = async (turn: number) => {
        await stand.player.openPanel();
        return stand.player.page.locator(`#narrative_agent_tabpanel [data-turn="${turn}"]`).getAttribute('data-status');
    };
    const openBlock = async (field: string) => {
        await stand.player.openPanel();
        const section = stand.player.page.locator(`#narrative_agent_tabpanel [data-field="${field}"]`);
        const toggle = section.locator('.na-block-toggle');
        if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click();
        return section;
    };
    const importChat = async (name: string, rows: unknown[]) => {
        const { page } = stand.player;
        await page.locator('#options_button').click();
        await page.locator('#option_select_chat').click();
        await page.locator('#chat_import_file').setInputFiles({ name: `${name}.jsonl`, mimeType: 'application/jsonl', buffer: Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')) });
        const imported = page.locator('.select_chat_block[file_name*="imported"]');
        await imported.first().waitFor();
        const before = await stand.player.chatId();
        await imported.first().click();
        await expect.poll(() => stand.player.chatId()).not.toBe(before);
        await page.locator('#chat .mes', { hasText: String((rows.at(-1) as { mes: string }).mes.replace(/<[^>]+>[\s\S]*/, '').slice(0, 12) || '石桥') }).first().waitFor();
        await page.waitForTimeout(500);
        await stand.player.waitTurnDone();
    };
    const closeChatList = async () => {
        const { page } = stand.player;
        if (await page.locator('#select_chat_popup').isVisible()) await page.locator('#select_chat_cross').click();
        await page.locator('#select_chat_popup').waitFor({ state: 'hidden' });
    };
    const deleteImported = async () => {
        // The next import must be told from this one.
        await deleteChat(await stand.player.chatId());
    };
    const deleteChat = async (id: string) => {
        const { page } = stand.player;
        await page.locator('#options_button').click();
        await page.locator('#option_select_chat').click();
        await page.locator(`.PastChat_cross[file_name="${id}.jsonl"], .PastChat_cross[file_name="${id}"]`).first().click();
        await stand.player.confirm();
        await expect.poll(() => stand.player.chatId()).not.toBe(id);
        await closeChatList();
        await stand.player.waitTurnDone();
    };
    const row = (name: string, mes: string, isUser: boolean) => ({ name, is_user: isUser, is_system: false, send_date: '2026-01-01T00:00:00.000Z', mes, extra: {} });

    beforeAll(async () => {
        stand = await startStand({ cards: [northTowerMerged] });
    });
    afterAll(() => stand?.stop());
    beforeEach(async () => {
        await closeChatList();
        await stand.player.closePanel();
        await stand.freshChat();
    });
    afterEach(({ task }) => keepPicture(stand, task));

    it('shows an edited reply as edited, and one click analyses it anew', async () => {
        const { player, script } = stand;
        const reply = await turnTo('走', '石桥');
        await turnTo('再走', '磨坊');
        await player.editMessage(2, reply.mes.replace('你到了石桥。', '你到了盐仓，捡到一盏灯。'));
        await openBlock('timeline');
        await expect.poll(() => status(1)).toBe('stale');
        expect(await items()).not.toContain('灯');
        script.queue('mergedAnalysis', analysisAnswer([move('盐仓'), gain('灯')], '用户意图：走 | 叙事要点：捡到灯'));
        await openBlock('timeline');
        await player.page.locator('#narrative_agent_tabpanel [data-turn="1"] .na-actions button').first().click();
        await expect.poll(() => status(1)).toBe('complete');
        await player.waitTurnDone();
        expect((await player.chat())[2]?.mes).toMatch(/^<context>\s*你到了盐仓，捡到一盏灯。\s*<\/context>\n\n<summary>\s*\[第1轮\] 用户意图：走 \| 叙事要点：捡到灯\s*<\/summary>$/);
        expect(await items()).toContain('灯');
        expect(await place()).toContain('磨坊');
        // The user's own line is no reply: editing it changes no state and nothing is stale.
        await player.closePanel();
        await player.editMessage(1, '我慢慢走');
        await openBlock('timeline');
        expect(await status(1)).toBe('complete');
        await player.closePanel();
    });

    it('makes one message of a continued reply, and counts nothing twice', async () => {
        const { player, script } = stand;
        await turnTo('走', '石桥');
        script.queue('chat', '你在桥上捡到一盏灯。');
        script.queue('mergedAnalysis', analysisAnswer([move('石桥'), gain('币'), gain('灯')], '用户意图：走 | 叙事要点：过桥捡灯'));
        await player.continueReply();
        await expect.poll(async () => (await player.chat()).at(-1)?.mes ?? '').toMatch(/^<context>\s*你到了石桥。[\s\S]*你在桥上捡到一盏灯。\s*<\/context>\n\n<summary>\s*\[第1轮\] 用户意图：走 \| 叙事要点：过桥捡灯\s*<\/summary>$/);
        await player.waitTurnDone();
        expect(await items()).toMatch(/币[\s\S]*×1/);
        expect(await items()).toMatch(/灯[\s\S]*×1/);
        expect(promptText(stand.server.requests.at(-1)?.body ?? { messages: [] })).toContain('你在桥上捡到一盏灯。');
        const saved = await stand.savedChat();
        expect(saved.at(-1)).toMatchObject({ mes: (await player.chat()).at(-1)?.mes, extra: { narrative_agent: { status: 'complete' } } });
    });

    it('continues a reply that was stopped', async () => {
        const { player, script } = stand;
        script.queue('mergedWriting', { text: '雾从海上来，一层又一层，盖过了石阶。', pieceLength: 2, pieceMs: 60, pauseAfter: 4, until: new Promise(() => undefined) });
        await player.send('走');
        await expect.poll(async () => (await player.chat()).at(-1)?.mes ?? '').toContain('雾从海上来，一层');
        await player.stop();
        await player.waitTurnDone();
        expect((await player.records()).at(-1)).toMatchObject({ status: 'incomplete' });
        script.queue('chat', '又一层，你到了石桥。');
        script.queue('mergedAnalysis', analysisAnswer([move('石桥')], '用户意图：走 | 叙事要点：到石桥'));
        await player.continueReply();
        await expect.poll(async () => (await player.records()).at(-1)?.status).toBe('complete');
        expect((await player.chat()).at(-1)?.mes).toMatch(/^<context>\s*雾从海上来，一层\s?又一层，你到了石桥。\s*<\/context>\n\n<summary>/);
        await expect.poll(place).toContain('石桥');
    });

    it('keeps the state of hidden turns, and follows moved messages', async () => {
        const { player } = stand;
        await turnTo('一', '石桥');
        await turnTo('二', '磨坊');
        await player.hide(3);
        await player.hide(4);
        await expect.poll(place).toContain('磨坊');
        stand.server.clearLog();
        await turnTo('三', '渡口');
        expect(block(promptText(stand.server.requests[0]?.body ?? { messages: [] }), 'recent_turns')).not.toContain('你到了磨坊。');
        expect((await player.chat()).at(-1)?.mes).toContain('[第3轮]');
        await player.unhide(3);
        await player.unhide(4);
        await expect.poll(items).toMatch(/币[\s\S]*×3/);
        // Moved down: the panel follows, although SillyTavern tells nobody.
        await player.page.locator('#chat .mes[mesid="4"] .mes_edit').click();
        for (let step = 0; step < 2; step += 1) await player.page.locator('#chat .mes .mes_edit_down:visible').click();
        await player.page.locator('#chat .mes .mes_edit_cancel:visible').click();
        expect((await player.chat()).at(-1)?.mes).toContain('磨坊');
        await expect.poll(place).toContain('磨坊');
    });

    it('takes the state along: checkpoint, rename, export and import', async () => {
        const { player } = stand;
        await turnTo('一', '石桥');
        await turnTo('二', '磨坊');
        const first = await player.chatId();
        const turns = (await player.records()).flatMap((record) => (record ? [String(record['id'])] : []));
        expect((await traceKeys()).filter((key) => turns.includes(key))).toHaveLength(2);
        await player.checkpoint(2, `存档${Date.now()}`);
        await expect.poll(place).toContain('磨坊');
        await player.page.locator('#options_button').click();
        await player.page.locator('#option_select_chat').click();
        const wrapper = player.page.locator('.select_chat_block_wrapper', { has: player.page.locator(`.select_chat_block[file_name="${first}.jsonl"], .select_chat_block[file_name="${first}"]`) }).first();
        await wrapper.locator('.renameChatButton').click();
        const renamed = `改名${Date.now()}`;
        await player.page.locator('dialog.popup[open] .popup-input').last().fill(renamed);
        await player.confirm();
        await expect.poll(() => player.chatId()).toBe(renamed);
        // SillyTavern opens the list once more after a rename.
        await player.page.locator(`.select_chat_block[file_name="${renamed}.jsonl"], .select_chat_block[file_name="${renamed}"]`).first().waitFor();
        await player.page.waitForTimeout(1000);
        await closeChatList();
        await expect.poll(place).toContain('磨坊');
        const rows = await stand.savedChat();
        await player.newChat();
        await importChat('带走', rows);
        await expect.poll(place).toContain('磨坊');
        expect(await items()).toMatch(/币[\s\S]*×2/);
        await deleteImported();
        await player.switchChat(renamed);
        await deleteChat(renamed);
        expect((await traceKeys()).filter((key) => turns.includes(key))).toEqual([]);
        expect(await localKeys()).toEqual([]);
    }, 180_000);

    it('reads a chat from elsewhere, plain or in the form of the original', async () => {
        const { player } = stand;
        const head = { chat_metadata: {}, user_name: 'unused', character_name: 'unused' };
        await importChat('平常', [head, row('沈眠', '夜里很静。', false), row('旅人', '走。', true), row('沈眠', '你走到了石桥。', false)]);
        expect(agents()).toEqual([]);
        await turnTo('再走', '磨坊');
        const prompt = promptText(stand.server.requests[0]?.body ?? { messages: [] });
        expect(block(prompt, 'recent_turns')).toContain('你走到了石桥。');
        expect((await player.chat()).at(-1)?.mes).toContain('[第2轮]');
        await expect.poll(place).toContain('磨坊');
        await deleteImported();
        stand.server.clearLog();
        await importChat('原扩展', [head, row('沈眠', '夜里很静。', false), row('旅人', '走。', true), row('沈眠', '<context>你走到了石桥。</context>\n\n<summary>[第1轮] 用户意图：走 | 叙事要点：过了石桥</summary>', false)]);
        await turnTo('再走', '磨坊');
        const other = promptText(stand.server.requests[0]?.body ?? { messages: [] });
        expect(block(other, 'story_summary')).toContain('[第1轮] 用户意图：走 | 叙事要点：过了石桥');
        expect(block(other, 'recent_turns')).toContain('你走到了石桥。');
        await deleteImported();
    }, 180_000);

    it('forgets a deleted chat, in the middle of a turn too', async () => {
        const { player, script, server } = stand;
        await turnTo('一', '石桥');
        const turns = (await player.records()).flatMap((record) => (record ? [String(record['id'])] : []));
        expect((await traceKeys()).filter((key) => turns.includes(key))).toHaveLength(1);
        script.queue('mergedWriting', '你走进雾里。');
        script.queue('mergedAnalysis', { hang: true });
        await player.send('二');
        await expect.poll(() => server.open().map((request) => request.agent)).toEqual(['mergedAnalysis']);
        const gone = await player.chatId();
        await deleteChat(gone);
        await expect.poll(async () => (await traceKeys()).filter((key) => turns.includes(key))).toEqual([]);
        expect(await localKeys()).toEqual([]);
        await player.page.waitForTimeout(1500);
        const settings = await readFile(join(stand.tavern.userRoot, 'settings.json'), 'utf8');
        expect(settings).not.toContain(gone);
        const files = await readdir(join(stand.tavern.userRoot, 'chats'), { recursive: true });
        expect(files.filter((file) => file.includes(gone))).toEqual([]);
    }, 120_000);

    it('keeps corrections by hand: over a reload, not into a swipe, and takes them back', async () => {
        const { player } = stand;
        await turnTo('一', '石桥');
        await player.openPanel();
        const block = player.page.locator('#narrative_agent_tabpanel [data-field="inventory"]');
        await block.locator('.na-quantity').first().click();
        await block.locator('input').first().fill('7');
        await block.locator('input').first().press('Enter');
        await expect.poll(items).toMatch(/×7/);
        await player.waitTurnDone();
        await player.reload();
        await expect.poll(items).toMatch(/×7/);
        await player.closePanel();
        await player.swipeRight();
        await expect.poll(items).not.toMatch(/×7/);
        await player.swipeLeft();
        await expect.poll(items).toMatch(/×7/);
        await player.openPanel();
        await player.page.locator('[data-testid="undo-correction"]').click();
        await expect.poll(items).toMatch(/×1/);
        await player.closePanel();
    });

    it('lets the second tab on a chat notice, and overwrite nothing', async () => {
        const { player, script } = stand;
        await turnTo('一', '石桥');
        const page = await player.page.context().newPage();
        try {
            const second = createPlayer(page, stand.server);
            await page.goto(stand.tavern.url);
            await waitReady(page);
            expect(await second.chatId()).toBe(await player.chatId());
            await turnTo('二', '磨坊');
            // The second is brought up to date by itself, and says so.
            await expect.poll(async () => (await second.chat()).length, { timeout: 15_000 }).toBe(5);
            await second.openPanel();
            await expect.poll(() => page.locator('#narrative_agent_panel').innerText()).toContain('标签页');
            await second.closePanel();
            // A turn told while the first is still analysing waits for it, and goes on from it.
            let answer: () => void = () => undefined;
            script.queue('mergedWriting', '你到了渡口。', '你到了盐仓。');
            script.queue('mergedAnalysis', { text: analysisAnswer([move('渡口')], '用户意图：三 | 叙事要点：到了渡口'), until: new Promise<void>((resolve) => {
                answer = resolve;
            }) }, analysisAnswer([move('盐仓')], '用户意图：四 | 叙事要点：到了盐仓'));
            await player.send('三');
            await expect.poll(() => stand.server.open().map((request) => request.agent)).toEqual(['mergedAnalysis']);
            await page.locator('#send_textarea').fill('四');
            await page.locator('#send_but').click();
            await page.waitForTimeout(1000);
            answer();
            await expect.poll(async () => (await stand.savedChat()).length, { timeout: 30_000 }).toBe(10);
            await second.waitTurnDone();
            const texts = (await stand.savedChat()).slice(1).map((each) => String(each.mes));
            expect(texts.join('\n')).toMatch(/你到了石桥。[\s\S]*你到了磨坊。[\s\S]*你到了渡口。[\s\S]*四[\s\S]*你到了盐仓。/);
            await expect.poll(async () => (await player.chat()).length, { timeout: 15_000 }).toBe(9);
            await expect.poll(place).toContain('盐仓');
        } finally {
            await page.close();
        }
    }, 180_000);

    it('condenses old summaries into a chapter, once, and undoes it with its turn', async () => {
        const { player, script } = stand;
        await player.setConfig('pipeline.summaryTokenLimit', 60);
        try {
            script.always('condense', '一章：旅人走了很远。');
            for (let n = 1; n <= 10; n += 1) await turnTo(`第${n}句`, `地点${n}`);
            expect(agents().filter((agent) => agent === 'condense').length).toBeGreaterThan(0);
            const chapters = (await player.records()).filter((record) => record?.['chapter']);
            expect(chapters.length).toBe(agents().filter((agent) => agent === 'condense').length);
            expect((await player.records()).filter((record) => record?.['summary']).length).toBe(10);
            stand.server.clearLog();
            await turnTo('再一句', '地点十一');
            const prompt = block(promptText(stand.server.requests[0]?.body ?? { messages: [] }), 'story_summary');
            expect(prompt).toMatch(/\[第1-\d+轮\] 一章：旅人走了很远。/);
            expect(prompt).not.toContain('到了地点1\n');
            await player.deleteFrom(5);
            stand.server.clearLog();
            await turnTo('又一句', '石桥');
            expect(block(promptText(stand.server.requests[0]?.body ?? { messages: [] }), 'story_summary')).toMatch(/\[第1轮\][\s\S]*\[第2轮\]/);
        } finally {
            await player.setConfig('pipeline.summaryTokenLimit', 0);
        }
    }, 240_000);

    it('analyses an edited reply by itself where the setting says so', async () => {
        const { player, script } = stand;
        await player.setConfig('pipeline.reanalyseEdits', true);
        try {
            const reply = await turnTo('走', '石桥');
            script.queue('mergedAnalysis', analysisAnswer([move('盐仓')], '用户意图：走 | 叙事要点：到盐仓'));
            await player.editMessage(2, reply.mes.replace('石桥。', '盐仓。'));
            await expect.poll(place).toContain('盐仓');
        } finally {
            await player.setConfig('pipeline.reanalyseEdits', false);
        }
    });

    it('starts a chat from what the original extension kept of it, once, and offers the old data for deletion', async () => {
        const { player } = stand;
        await turnTo('一', '石桥');
        const id = await player.chatId();
        // As the original would have left it: a chat without our records.
        await player.page.evaluate(async ([chat]) => {
            const context = window.SillyTavern.getContext();
            for (const message of context.chat) {
                delete message.extra?.narrative_agent;
                for (const info of message.swipe_info ?? []) delete info.extra?.narrative_agent;
            }
            (context.extensionSettings['narrative-agent'] ??= {}).chatStates = { [String(chat)]: { state: { time: { day: 3, hour: 8, minute: 0 }, location: '旧城', inventory: { 旧剑: 1 }, relationships: {}, quests: {}, flags: {}, eventLog: [] }, summaries: ['[第1轮] 用户意图：一 | 叙事要点：旧事'] } };
            localStorage.setItem(`na:${String(chat)}`, '{}');
            context.saveSettingsDebounced();
            await context.saveChat();
        }, [id] as const);
        await player.page.waitForTimeout(1500);
        await player.reload();
        await expect.poll(place).toContain('旧城');
        await expect.poll(items).toContain('旧剑');
        await player.reload();
        expect(await items()).toMatch(/旧剑[\s\S]*×1/);
        const data = await openBlock('data');
        player.page.once('dialog', (dialog) => void dialog.accept());
        await data.locator('[data-testid="old-data"] button').click();
        await expect.poll(localKeys).toEqual([]);
        expect(await player.page.evaluate(() => window.SillyTavern.getContext().extensionSettings['narrative-agent']?.chatStates)).toBeUndefined();
        await expect.poll(place).toContain('旧城');
        await player.closePanel();
    });

    it('exports a chat\'s data and reads it back; a bad file changes nothing', async () => {
        const { player } = stand;
        await turnTo('一', '石桥');
        const data = await openBlock('data');
        const [download] = await Promise.all([player.page.waitForEvent('download'), data.locator('[data-testid="export-chat"]').click()]);
        const file = join(stand.tavern.dataRoot, 'export.json');
        await download.saveAs(file);
        const json = await readFile(file, 'utf8');
        expect(JSON.parse(json)).toMatchObject({ format: 'narrative-agent-chat', v: 1, replies: [{ record: { status: 'complete' } }] });
        const before = JSON.stringify(await player.records());
        const input = player.page.locator('#narrative_agent_tabpanel input[type="file"]');
        await writeFile(file, json.replace('"complete"', '"finished"'));
        await input.setInputFiles(file);
        await player.page.waitForTimeout(300);
        expect(JSON.stringify(await player.records())).toBe(before);
        await player.page.evaluate(() => {
            for (const message of window.SillyTavern.getContext().chat) {
                delete message.extra?.narrative_agent;
                for (const info of message.swipe_info ?? []) delete info.extra?.narrative_agent;
            }
        });
        await writeFile(file, json);
        await input.setInputFiles(file);
        await expect.poll(async () => (await player.records()).at(-1)?.status).toBe('complete');
        await expect.poll(place).toContain('石桥');
        await player.closePanel();
    });
});
