import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { block, promptText } from './storyteller/request';
import { planningAnswer } from './storyteller/script';
import { keepPicture, startStand, type Stand } from './stand';
import { northTowerMerged } from './world';
import { configure, saveWorld, type WorldEntry } from './world-files';

const tool = (name: string, definition: Record<string, unknown>, parameters: Record<string, unknown> = { type: 'object', properties: {} }): WorldEntry =>
    ({ comment: `[TOOL:${name}]`, constant: true, position: 4, content: JSON.stringify({ trigger: 'planning', function: { name, description: `${name} 的用途`, parameters }, ...definition }) });
const numbers = (...names: string[]) => ({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])), required: names.slice(0, 1) });

const rollDice = tool('roll_dice', { type: 'code' }, { type: 'object', properties: { expr: { type: 'string' }, dc: { type: 'number' } }, required: ['expr'] });
const damage = tool('calc_damage', { type: 'code', code: 'console.log("算", params.base_damage, state.location); return Math.max(1, params.base_damage - (params.armor || 0));' }, numbers('base_damage', 'armor'));
const oracle = tool('oracle', { type: 'llm', context: ['state_summary', 'user_input'], system_prompt: '你是【谶语】工具。' });
const panel = tool('state_panel', { type: 'llm', trigger: 'post_pipeline', context: ['narrative_text', 'state_summary'], system_prompt: '你是【状态面板】工具。', output_tag: 'state_panel', tag_lookback: 2 });
const omen = tool('omen', { type: 'llm', trigger: 'post_pipeline', context: ['narrative_text'], system_prompt: '你是【预兆】工具。' });

interface Run { name: string; ok: boolean; output?: string; seed?: string; error?: string }

describe('tools in a real SillyTavern', () => {
    let stand: Stand;
    const world = northTowerMerged.bookName;
    const page = () => stand.player.page;
    const config = (path: string, value: unknown) => configure(page(), path, value);
    const book = (entries: readonly WorldEntry[]) => saveWorld(page(), world, entries);
    const asked = (agent: string) => stand.server.requests.filter((request) => request.agent === agent).map((request) => promptText(request.body));
    const runs = async (): Promise<Run[]> => ((await stand.player.records()).at(-1)?.tools ?? []) as Run[];
    const runOf = async (name: string) => (await runs()).find((run) => run.name === name);
    const tab = () => page().locator('#narrative_agent_tabpanel');
    const card = (name: string) => tab().locator(`[data-tool="${name}"]`);
    const openCard = async (name: string): Promise<void> => {
        await stand.player.openPanel('tools');
        await card(name).waitFor();
        if ((await card(name).locator('.na-card-body').count()) === 0) await card(name).locator('.na-card-head').click();
    };
    const plan = (...calls: [string, Record<string, unknown>][]) => stand.script.queue('planning', planningAnswer(calls.map(([name, params]) => ({ tool: name, params }))));
    /** Runs a tool by the panel's form and gives what it shows. */
    const tryTool = async (name: string, params: Record<string, string> = {}): Promise<string> => {
        await openCard(name);
        for (const [field, value] of Object.entries(params)) await card(name).locator(`[name="${field}"]`).fill(value);
        await card(name).locator('[data-testid="try-tool"]').click();
        const outcome = card(name).locator('[data-testid="try-outcome"]');
        await outcome.waitFor();
        await expect.poll(() => card(name).locator('[data-testid="try-tool"]').isEnabled()).toBe(true);
        return outcome.innerText();
    };

    beforeAll(async () => {
        stand = await startStand({ cards: [northTowerMerged], importBooks: true, apiKey: 'sk-very-secret' });
        await config('worldbookSource', 'world');
    });
    afterAll(() => stand?.stop());
    beforeEach(async () => {
        await stand.player.closePanel();
        await stand.freshChat();
    });
    afterEach(({ task }) => keepPicture(stand, task));

    it('shows tools and faults as soon as a chat is open; faulty entries stay out of every prompt', async () => {
        const { player, server } = stand;
        await book([
            damage,
            { ...damage, comment: '[TOOL:calc_damage] 又一份' },
            { comment: '[TOOL:broken]', constant: true, content: '{\n  "type": "code",\n  "trigger": "planning"\n  "function" {"name": "broken"}}' },
            tool('half', { type: 'code', code: 'const a = 1;\nreturn a +;' }),
            { comment: '忘了标记', constant: true, content: '{"type": "llm", "trigger": "sometimes", "function": {"name": "unmarked", "description": "x"}}' },
            { comment: '设定', constant: true, content: '灯塔亮着。' },
        ]);
        await player.newChat();
        await player.openPanel('tools');
        await expect.poll(() => card('calc_damage').count()).toBe(1);
        const shown = await tab().innerText();
        for (const text of ['[TOOL:calc_damage] 又一份', '[TOOL:broken]」第 3 行', '在代码的第 2 行', '忘了标记', 'sometimes']) expect(shown).toContain(text);
        expect(server.requests).toEqual([]);
        expect((await player.records()).filter(Boolean)).toEqual([]);

        await player.turn('走');
        const prompts = server.requests.map((request) => promptText(request.body)).join('\n');
        expect(prompts).toContain('灯塔亮着。');
        for (const text of ['unmarked', 'broken', 'return a', 'sometimes', '又一份', '"trigger"']) expect(prompts).not.toContain(text);
        // A mended entry shows when the book is read again, without a turn.
        await book([damage, tool('half', { type: 'code', code: 'return 1;' })]);
        await expect.poll(() => card('half').count(), { timeout: 10_000 }).toBe(1);
    });

    it('binds the writer to what code, dice and llm tools gave; a failing one costs nothing', async () => {
        const { player, script } = stand;
        await book([rollDice, damage, oracle, tool('angry', { type: 'code', code: 'throw new Error("没有这样的怪物");' })]);
        plan(['roll_dice', { expr: '1d20+2', dc: 12 }], ['calc_damage', { base_damage: '9', armor: 2 }], ['oracle', {}], ['angry', {}], ['nobody', {}], ['calc_damage', { armor: 2 }]);
        script.queue('tool', '海鸟折翼之夜，勿信灯火。');
        await player.turn('我偷袭守卫。');
        const [writing = ''] = asked('writing');
        const results = block(writing, 'tool_results');
        expect(results).toMatch(/检定结果：1d20 = \[\d+\]\+2 = \d+ \(DC 12\) → (成功|失败|大成功|大失败)/);
        expect(results).toContain('calc_damage');
        expect(results).toContain('7');
        expect(results).toContain('海鸟折翼之夜，勿信灯火。');
        expect(results).toContain('没有这样的怪物');
        expect(results).toContain('nobody');
        expect(results).toContain('base_damage');
        expect(writing).toMatch(/工具执行结果已由系统确定/);
        expect((await runs()).map((run) => run.ok)).toEqual([true, true, true, false, false, false]);
        expect((await player.chat()).at(-1)?.mes).not.toContain('检定结果');
        expect((await player.records()).at(-1)).toMatchObject({ status: 'complete', mode: 'planning' });
    });

    it('rolls anew for a swipe, and replays a roll die for die', async () => {
        const { player, script } = stand;
        await book([rollDice]);
        script.always('planning', planningAnswer([{ tool: 'roll_dice', params: { expr: '20d100' } }]));
        await player.turn('掷');
        const first = await runOf('roll_dice');
        await player.swipeRight();
        const second = await runOf('roll_dice');
        expect(second?.seed).not.toBe(first?.seed);
        expect(second?.output).not.toBe(first?.output);
        await openCard('roll_dice');
        await card('roll_dice').locator('[data-testid="replay"]').first().click();
        const replayed = card('roll_dice').locator('[data-testid="replayed"] pre');
        await replayed.waitFor();
        expect((await replayed.innerText()).trim()).toBe(second?.output?.trim());
        await player.swipeLeft();
        expect((await runOf('roll_dice'))?.output).toBe(first?.output);
    });

    it('appends post_pipeline outputs, gives a tool its own history alone, and runs one again without touching the rest', async () => {
        const { player, script } = stand;
        await book([panel, omen]);
        script.always('tool', (request) => (promptText(request.body).includes('状态面板') ? `<state_panel>\n面板${request.id}\n</state_panel>` : `预兆${request.id}`));
        const panels = () => asked('tool').filter((prompt) => prompt.includes('状态面板'));
        const first = await player.turn('一');
        expect(first.mes).toMatch(/<\/context>\n\n<summary>[\s\S]*<\/summary>\n\n<state_panel>\n面板\d+\n<\/state_panel>\n\n预兆\d+$/);
        expect(panels()[0]).not.toContain('tool_history');
        await player.turn('二');
        const last = await player.turn('三');
        const history = block(panels()[2] ?? '', 'tool_history');
        expect(history.match(/面板\d+/g)).toHaveLength(2);
        for (const agent of ['mergedWriting', 'mergedAnalysis']) expect(asked(agent).join('\n')).not.toMatch(/面板\d|预兆\d|tool_history/);
        expect(asked('tool').filter((prompt) => prompt.includes('预兆】')).join('\n')).not.toMatch(/tool_history|面板\d/);

        const kept = /预兆\d+/.exec(last.mes)?.[0];
        const before = stand.server.requests.length;
        await openCard('state_panel');
        await card('state_panel').locator('[data-testid="rerun-tool"]').click();
        await expect.poll(async () => (await player.chat()).at(-1)?.mes).not.toBe(last.mes);
        await player.waitTurnDone();
        const again = (await player.chat()).at(-1)?.mes ?? '';
        expect(stand.server.requests.slice(before).map((request) => request.agent)).toEqual(['tool']);
        expect(again.replace(/面板\d+/, '')).toBe(last.mes.replace(/面板\d+/, ''));
        expect(again).toContain(kept);
        expect(block(panels().at(-1) ?? '', 'tool_history')).toBe(history);
    });

    it('lets an author try a tool without a turn', async () => {
        const { player, server } = stand;
        await book([damage, oracle, rollDice, panel]);
        await player.newChat();
        server.clearLog();
        const shown = await tryTool('calc_damage', { base_damage: '9', armor: '4' });
        expect(shown).toContain('5');
        expect(shown).toContain('算 9 起点');
        expect(shown).toMatch(/\d+ ?ms|毫秒|\d+(\.\d+)? ?s/);
        expect(shown).toMatch(/KB/i);
        expect(await tryTool('roll_dice', { expr: '4d6kh3' })).toContain('4d6');
        expect(await tryTool('roll_dice', { expr: '一把骰子' })).toContain('一把骰子');
        stand.script.queue('tool', '试出来的谶语。');
        expect(await tryTool('oracle')).toContain('试出来的谶语。');
        expect(server.requests.map((request) => request.agent)).toEqual(['tool']);
        expect(await player.chat()).toHaveLength(1);
        expect((await player.records()).filter(Boolean)).toEqual([]);
    });

    it('has dice without an entry when the user allows it', async () => {
        const { player } = stand;
        await book([{ comment: '设定', constant: true, content: '灯塔亮着。' }]);
        await config('tools.rollDiceAlways', true);
        plan(['roll_dice', { expr: 'd%', dc: 50 }]);
        await player.turn('掷');
        await config('tools.rollDiceAlways', false);
        expect(asked('planning')[0]).toContain('roll_dice');
        expect(block(asked('writing')[0] ?? '', 'tool_results')).toMatch(/检定结果：.*DC 50/);
    });

    it('lets no code out of the sandbox, and the page goes on', async () => {
        const { player } = stand;
        const attacks: Record<string, string> = {
            loop: 'for (;;);',
            promise_loop: 'const f = () => Promise.resolve().then(f); return f();',
            regex: 'return /(a+)+b/.test("a".repeat(60));',
            memory: 'const a = []; for (;;) a.push(new Uint8Array(1 << 20));',
            text: 'let s = "x"; for (;;) s += s;',
            recursion: 'function f() { return f() + 1; } return f();',
            never: 'return new Promise(() => {});',
            fetches: 'return (await fetch("/stolen")).status;',
            xhr: 'const x = new XMLHttpRequest(); x.open("GET", "/stolen"); x.send(); return 1;',
            socket: 'new WebSocket("ws://127.0.0.1:1/stolen"); return 1;',
            imports: 'return Object.keys(await import("/script.js"));',
            cookie: 'return document.cookie;',
            storage: 'return JSON.stringify(localStorage);',
            parents: 'return parent.SillyTavern || top.SillyTavern;',
            posts: 'postMessage({ type: "done", id: 0, outcome: { ok: true } }); return 1;',
            keys: 'return SillyTavern.getContext().getRequestHeaders();',
            escape: 'return this.constructor.constructor("return globalThis.fetch || globalThis.process || globalThis.window")().name;',
            escape_async: 'return (await (async () => {}).constructor("return import(\'/script.js\')")());',
        };
        const harmless: Record<string, string> = {
            pollute: 'Object.prototype.polluted = 1; Array.prototype.map = null; state.location = "改了"; state.inventory = null; params.__proto__.evil = 1; return JSON.parse(\'{"__proto__": {"polluted": 1}, "a": 1}\');',
            names: 'return ["fetch", "XMLHttpRequest", "WebSocket", "document", "window", "self", "parent", "top", "localStorage", "indexedDB", "caches", "navigator", "postMessage", "importScripts", "SillyTavern", "setTimeout"].filter((name) => name in globalThis).length;',
        };
        await book([...Object.entries({ ...attacks, ...harmless }).map(([name, code]) => tool(name, { type: 'code', code })), { comment: '设定', constant: true, content: '灯塔亮着。' }]);
        plan(...[...Object.keys(attacks), ...Object.keys(harmless)].map((name): [string, Record<string, unknown>] => [name, {}]));
        const requested: string[] = [];
        page().on('request', (request) => requested.push(request.url()));
        page().on('websocket', (socket) => requested.push(socket.url()));
        await page().evaluate(() => {
            document.cookie = 'session=secret';
            localStorage.setItem('key', 'sk-local');
            const watch = window as unknown as { longestGap: number; messages: number };
            watch.longestGap = 0;
            watch.messages = 0;
            let last = performance.now();
            setInterval(() => {
                const now = performance.now();
                watch.longestGap = Math.max(watch.longestGap, now - last);
                last = now;
            }, 5);
        });
        await player.send('动手');
        await expect.poll(() => asked('writing').length, { timeout: 60_000 }).toBe(1);
        const gap = await page().evaluate(() => (window as unknown as { longestGap: number }).longestGap);
        await player.waitTurnDone();
        const done = await runs();
        for (const name of Object.keys(attacks)) expect(done.find((run) => run.name === name), name).toMatchObject({ ok: false });
        expect(done.find((run) => run.name === 'names')?.output).toMatch(/0$/);
        expect(done.find((run) => run.name === 'pollute')).toMatchObject({ ok: true });
        expect(gap).toBeLessThan(1_000);
        expect(requested.filter((url) => url.includes('stolen'))).toEqual([]);
        expect(JSON.stringify(done) + asked('writing').join()).not.toMatch(/sk-|secret|X-CSRF/);
        expect(await page().evaluate(() => [Reflect.get({}, 'polluted'), Reflect.get({}, 'evil'), typeof [].map])).toEqual([undefined, undefined, 'function']);
        expect(await player.panelField('location')).toContain('起点');
        expect(await player.panelField('location')).not.toContain('改了');
        expect((await player.records()).at(-1)).toMatchObject({ status: 'complete' });
    });

    it('runs code in the page only for a book the user has confirmed', async () => {
        const { player } = stand;
        await book([tool('where', { type: 'code', code: 'return "窗口：" + typeof window;' })]);
        await player.newChat();
        expect(await tryTool('where')).toContain('窗口：undefined');
        await player.closePanel();
        await player.setConfig('tools.codeExecution', 'page');
        expect(await tryTool('where')).toContain('窗口：undefined');
        let warning = '';
        page().once('dialog', (dialog) => {
            warning = dialog.message();
            void dialog.accept();
        });
        await card('where').locator('[data-testid="page-permission"] button').click();
        await expect.poll(() => card('where').locator('[data-testid="page-permission"]').innerText()).toContain('改回沙箱');
        expect(warning).toContain(world);
        expect(await tryTool('where')).toContain('窗口：object');
        await config('tools.codeExecution', 'sandbox');
        expect(await tryTool('where')).toContain('窗口：undefined');
    });
});
