import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DemoCard, DemoEntry } from './card';
import { mvuStandInScript } from './mvu-stand-in';
import type { ChatFileMessage } from './page-context';
import { block, promptText } from './storyteller/request';
import { keepPicture, startStand, type Stand } from './stand';
import { northTowerMerged } from './world';

interface Table { stat_data: { 主角: Record<string, unknown>; 世界: Record<string, unknown> }; schema: unknown; initialized_lorebooks: Record<string, unknown> }
interface StandInWindow { mvuStandIn?: { stop(): void; handled: number }; seen?: { event: string; text: string }[]; Mvu?: unknown }

/** The seed's own example of initial values and rules; the entry with the values is switched off, as authors keep it. */
const initvar: DemoEntry = {
    comment: '[initvar] 初始变量',
    position: 4,
    enabled: false,
    content: JSON.stringify({ 主角: { 生命值: 100, 信用点数: 500, 改装仓库: ['基础扫描器', '维修工具包'] }, 世界: { 当前地点: '起点', 天气: '晴朗' } }, null, 2),
};
const rules: DemoEntry = { comment: '[mvu_update]', position: 4, constant: true, content: '当角色受到伤害时，减少 /主角/生命值\n当角色获得信用时，增加 /主角/信用点数\n当角色获得新装备时，向 /主角/改装仓库 末尾插入' };
const list: DemoEntry = { comment: '变量列表', position: 1, constant: true, content: '生命剩余{{get_message_variable::stat_data.主角.生命值}}点；口令是{{getvar::口令}}；世界：\n  {{format_message_variable::stat_data.世界}}' };
const hangar: DemoCard = { ...northTowerMerged, file: 'hangar', name: '机库', bookName: '机库之书', greeting: '你站在机库门口，风很大。', alternateGreetings: ['你坐在机库屋顶，风更大。'], entries: [initvar, rules, list] };

const statusPage = '```html\n<!DOCTYPE html>\n<html><head><style>.bar { color: red; }</style></head><body><div class="bar">生命 "100"</div></body></html>\n```';
const frontend: DemoCard = {
    ...hangar,
    file: 'hangar-frontend',
    name: '机库·界面',
    bookName: '机库之书·界面',
    entries: [initvar, rules, {
        comment: '[TOOL:status_page]', position: 4, constant: true,
        content: JSON.stringify({ type: 'llm', trigger: 'post_pipeline', function: { name: 'status_page', description: '状态页' }, context: ['narrative_text', 'state_summary'], system_prompt: '你是【状态页】工具。' }),
    }],
};
/** Variables that the author left open to inserts, with keys that are read-only or hidden. */
const openHangar: DemoCard = {
    ...hangar,
    file: 'hangar-open',
    name: '机库·开放',
    bookName: '机库之书·开放',
    entries: [{ ...initvar, content: JSON.stringify({ 主角: { 生命值: 100, 信用点数: 500, 改装仓库: ['$__META_EXTENSIBLE__$', '基础扫描器'] }, 世界: { 当前地点: '起点', _种子: 7, $秘密: '船长是凶手' } }) }, rules],
};

const seedPatches = [
    { op: 'replace', path: '/世界/当前地点', value: '矿洞' },
    { op: 'delta', path: '/主角/信用点数', value: -200 },
    { op: 'insert', path: '/主角/改装仓库/-', value: '涡轮增压器V2' },
];
const answer = (patches: unknown[]) => JSON.stringify({ patches });
const to = (place: string) => answer([{ op: 'replace', path: '/世界/当前地点', value: place }]);

const tableOf = (message: ChatFileMessage | undefined, swipe = message?.swipe_id ?? 0) => (message?.variables as Table[] | undefined)?.[swipe];
const placeOf = (message: ChatFileMessage | undefined) => tableOf(message)?.stat_data.世界['当前地点'];

/** What a person sees of a stand with these cards, and the steps that the tests share. */
function acting(stand: () => Stand) {
    const player = () => stand().player;
    return {
        agents: () => stand().server.requests.map((request) => request.agent),
        prompt: (agent: string, which = -1) => promptText(stand().server.requests.filter((request) => request.agent === agent).at(which)?.body ?? { messages: [] }),
        turnTo: async (place: string, narrative = `你到了${place}。`) => {
            stand().script.queue('mergedWriting', narrative);
            stand().script.queue('mvuExtract', to(place));
            return player().turn(`去${place}`);
        },
        /** The leaf of the panel's tree at a path, as shown. */
        leaf: async (path: string) => {
            await player().openPanel('variables');
            const text = await player().page.locator(`#narrative_agent_tabpanel [data-field="variables"] [data-path="${path}"]`).innerText();
            await player().closePanel();
            return text;
        },
        patches: async () => {
            await player().openPanel('variables');
            const text = await player().page.locator('#narrative_agent_tabpanel [data-field="patches"]').innerText();
            await player().closePanel();
            return text;
        },
        edit: async (path: string, value: string) => {
            await player().openPanel('variables');
            const leaf = player().page.locator(`#narrative_agent_tabpanel [data-path="${path}"]`);
            await leaf.locator('.na-editable').click();
            await leaf.locator('input').fill(value);
            await leaf.locator('input').press('Enter');
            await expect.poll(() => leaf.innerText()).toContain(value);
            await player().closePanel();
        },
        /** From here on, what SillyTavern announces about messages, with the text they had then. */
        listen: () => player().page.evaluate(() => {
            const context = window.SillyTavern.getContext() as unknown as { chat: { mes: string }[]; eventTypes: Record<string, string>; eventSource: { on(name: string, listener: (id: number) => void): void } };
            const own = window as unknown as StandInWindow;
            const listening = own.seen !== undefined;
            own.seen = [];
            if (listening) return;
            for (const event of ['MESSAGE_RECEIVED', 'MESSAGE_EDITED', 'MESSAGE_UPDATED', 'CHARACTER_MESSAGE_RENDERED']) {
                context.eventSource.on(context.eventTypes[event] ?? '', (id) => own.seen?.push({ event, text: context.chat[Number(id)]?.mes ?? '' }));
            }
        }),
        seen: () => player().page.evaluate(() => (window as unknown as StandInWindow).seen ?? []),
    };
}

let stand: Stand;
const { agents, prompt, turnTo, leaf, patches, edit, listen, seen } = acting(() => stand);
const uninstall = () => stand.player.page.evaluate(() => (window as unknown as StandInWindow).mvuStandIn?.stop());
/** MVU's own settings, and ours of the section `mvu`; both take effect at once. */
const configure = (settings: { theirs?: Record<string, unknown>; ours?: Record<string, unknown> }) => stand.player.page.evaluate(({ theirs, ours }) => {
    const all = window.SillyTavern.getContext().extensionSettings;
    all['mvu_settings'] = theirs ?? {};
    const own = (all['narrative-agent'] ??= {});
    own['config'] = { ...(own['config'] as object | undefined), mvu: ours ?? {} };
}, settings);

beforeAll(async () => {
    stand = await startStand({ cards: [hangar, frontend, openHangar] });
});
afterAll(() => stand?.stop());
beforeEach(async () => {
    await uninstall();
    await configure({});
    await stand.freshChat();
});
afterEach(({ task }) => keepPicture(stand, task));

describe('variables without MVU', () => {
    it('plays the seed\'s own example', async () => {
        const { player, script } = stand;
        await player.page.evaluate(() => window.SillyTavern.getContext().executeSlashCommandsWithOptions('/setvar key=口令 海鸟'));
        script.queue('mergedWriting', '你换来一台增压器，飞进矿洞。');
        script.queue('mvuExtract', answer([...seedPatches, { op: 'replace', path: '/世界/潮汐', value: '涨' }, { op: 'delta', path: '/主角/生命值', value: '很多' }]));
        const reply = await player.turn('去矿洞');
        expect(agents().sort()).toEqual(['mergedAnalysis', 'mergedWriting', 'mvuExtract']);
        // The first prompt already has the initial values.
        expect(block(prompt('mergedWriting'), 'state_summary')).toContain('主角/生命值：100');
        expect(prompt('mergedWriting')).toContain('生命剩余100点；口令是海鸟；世界：\n  当前地点: 起点\n  天气: 晴朗');
        expect(prompt('mergedWriting')).not.toMatch(/initvar|减少 \/主角\/生命值/);
        expect(prompt('mvuExtract')).toMatch(/变量状态提取[\s\S]*减少 \/主角\/生命值[\s\S]*"信用点数": 500/);

        const chat = await player.chat();
        expect(chat[0]?.variables).toMatchObject([{ stat_data: { 世界: { 当前地点: '起点' } } }, { stat_data: { 世界: { 当前地点: '起点' } } }]);
        expect(tableOf(chat[1])?.stat_data.主角['信用点数']).toBe(500);
        const after = { 主角: { 生命值: 100, 信用点数: 300, 改装仓库: ['基础扫描器', '维修工具包', '涡轮增压器V2'] }, 世界: { 当前地点: '矿洞', 天气: '晴朗' } };
        expect(tableOf(chat[2])).toMatchObject({ stat_data: after, schema: { type: 'object', properties: { 主角: { type: 'object' } } }, initialized_lorebooks: { 机库之书: [] } });
        expect(chat[2]?.mes).toBe(reply.mes);
        expect(reply.mes).toMatch(/<\/summary>\n\n<!--\n<UpdateVariable>[\s\S]*<\/UpdateVariable>\n-->$/);
        const shown = await player.page.locator('#chat .mes[mesid="2"] .mes_text').innerText();
        expect(shown).toContain('飞进矿洞');
        expect(shown).not.toMatch(/UpdateVariable|JSONPatch|op|path|--/);
        const saved = await stand.savedChat();
        expect(saved.at(-1)).toMatchObject({ mes: reply.mes, variables: [{ stat_data: after }] });

        const told = await patches();
        expect(told).toContain('/主角/改装仓库/-');
        expect(told).toContain('变量树里没有 /世界/潮汐');
        expect(told).toContain('增减量不是数值');
        expect(await leaf('/世界/当前地点')).toContain('矿洞');
        await player.openPanel('variables');
        await player.page.locator('#narrative_agent_tabpanel [data-field="initial"] button').first().click();
        await expect.poll(() => player.page.locator('#narrative_agent_tabpanel [data-field="initial"]').innerText()).toMatch(/初始变量[\s\S]*"信用点数": 500/);
        await player.page.locator('#narrative_agent_tabpanel input[type="search"], #narrative_agent_tabpanel .na-search input').first().fill('信用');
        await expect.poll(() => player.page.locator('#narrative_agent_tabpanel [data-field="variables"]').innerText()).not.toContain('天气');
        await player.closePanel();

        stand.server.clearLog();
        await turnTo('港口');
        expect(block(prompt('mergedWriting'), 'state_summary')).toMatch(/主角\/信用点数：300[\s\S]*世界\/当前地点：矿洞/);
        expect(prompt('mergedWriting') + prompt('mvuExtract') + prompt('mergedAnalysis')).not.toMatch(/UpdateVariable|JSONPatch>/);
        expect(prompt('mvuExtract')).toContain('涡轮增压器V2');
        expect(player.complaints).toEqual([]);
    });

    it('follows swipes, regenerate and an unreadable answer', async () => {
        const { player, script } = stand;
        await turnTo('矿洞');
        script.queue('mvuExtract', to('磨坊'));
        await player.swipeRight();
        expect(prompt('mvuExtract')).toContain('"当前地点": "起点"');
        const last = (await player.chat()).at(-1);
        expect([0, 1].map((swipe) => tableOf(last, swipe)?.stat_data.世界['当前地点'])).toEqual(['矿洞', '磨坊']);
        expect(await leaf('/世界/当前地点')).toContain('磨坊');
        await player.swipeLeft();
        await expect.poll(() => leaf('/世界/当前地点')).toContain('矿洞');
        script.queue('mvuExtract', to('盐仓'));
        await player.regenerate();
        expect(prompt('mvuExtract')).toContain('"当前地点": "起点"');
        expect(placeOf((await player.chat()).at(-1))).toBe('盐仓');
        // An answer that cannot be read changes nothing, and says so.
        script.always('mvuExtract', '我不知道。');
        await player.turn('再走');
        const chat = await player.chat();
        expect(placeOf(chat.at(-1))).toBe('盐仓');
        expect(chat.at(-1)?.mes).toContain('<context>');
        expect((await player.records()).at(-1)).toMatchObject({ status: 'complete', tools: [{ name: 'mvu_extract', ok: false }] });
    });

    it('follows deletions, a branch and a reload', async () => {
        const { player } = stand;
        for (const place of ['矿洞', '磨坊', '盐仓']) await turnTo(place);
        await player.deleteMessage(6);
        await player.deleteMessage(5);
        await expect.poll(() => leaf('/世界/当前地点')).toContain('磨坊');
        await player.deleteMessage(2);
        await player.deleteMessage(1);
        await expect.poll(() => leaf('/世界/当前地点')).toContain('磨坊');
        await turnTo('渡口');
        const first = await player.chatId();
        await player.branch(2);
        await expect.poll(() => leaf('/世界/当前地点')).toContain('磨坊');
        await turnTo('灯塔');
        expect(block(prompt('mergedWriting'), 'state_summary')).toContain('世界/当前地点：磨坊');
        await player.switchChat(first);
        await expect.poll(() => leaf('/世界/当前地点')).toContain('渡口');
        await player.reload();
        await expect.poll(() => leaf('/世界/当前地点')).toContain('渡口');
    });

    it('keeps an edit by hand through a new extraction', async () => {
        const { player, script } = stand;
        await turnTo('矿洞');
        await edit('/主角/信用点数', '999');
        const edited = (await player.chat()).at(-1);
        expect(tableOf(edited)?.stat_data.主角['信用点数']).toBe(999);
        expect(edited?.mes.match(/<UpdateVariable>/g)).toHaveLength(2);
        expect(edited?.mes.endsWith('-->')).toBe(true);
        expect(await player.shown(2)).not.toContain('999');
        expect((await stand.savedChat()).at(-1)).toMatchObject({ mes: edited?.mes, variables: [{ stat_data: { 主角: { 信用点数: 999 } } }] });

        script.queue('mvuExtract', to('磨坊'));
        await player.openPanel('tools');
        const card = player.page.locator('#narrative_agent_tabpanel [data-tool="mvu_extract"]');
        await card.locator('.na-card-head').click();
        await card.locator('[data-testid="rerun-tool"]').click();
        await expect.poll(async () => placeOf((await player.chat()).at(-1))).toBe('磨坊');
        await player.waitTurnDone();
        const again = (await player.chat()).at(-1);
        expect(tableOf(again)?.stat_data.主角['信用点数']).toBe(999);
        expect(again?.mes).toMatch(/^<context>你到了矿洞。<\/context>/);
        expect(again?.mes.match(/<!--/g)).toHaveLength(1);
        await player.closePanel();
    });

    it('draws a reply once, with its final text, and leaves front-end code whole', async () => {
        const { player, script } = stand;
        await player.openCharacter(frontend.name);
        await player.newChat();
        stand.server.clearLog();
        script.always('tool', statusPage);
        script.queue('mvuExtract', to('矿洞'));
        await listen();
        const reply = await player.turn('去矿洞');
        expect(reply.mes).toContain(statusPage);
        const after = (await seen()).filter(({ text }) => text.includes('<summary>'));
        expect(after.map(({ event }) => event)).toEqual(['MESSAGE_EDITED', 'MESSAGE_UPDATED', 'CHARACTER_MESSAGE_RENDERED']);
        expect(new Set(after.map(({ text }) => text))).toEqual(new Set([reply.mes]));
        // What a front-end renderer looks for: a code block whose text is the page.
        const code = await player.page.locator('#chat .mes[mesid="2"] .mes_text pre').innerText();
        expect(code.trim()).toContain('<div class="bar">生命 "100"</div></body></html>');
        expect(await player.shown(2)).not.toContain('UpdateVariable');
        // Its prose alone goes on.
        await player.turn('再走');
        expect(prompt('mergedWriting')).not.toContain('class="bar"');
        await player.openCharacter(hangar.name);
    });
});

describe('variables with MVU', () => {
    const install = async (options: Parameters<typeof mvuStandInScript>[0] = {}) => {
        await stand.player.page.evaluate(mvuStandInScript(options));
        await stand.player.page.waitForFunction(() => (window as unknown as StandInWindow).Mvu !== undefined);
    };
    it('explains what MVU refuses of the seed\'s example, and keeps the rest', async () => {
        const { player, script } = stand;
        await install();
        await listen();
        script.queue('mergedWriting', '你飞进矿洞。\n_.set(\'主角.生命值\', 1);\n<UpdateVariable><JSONPatch>[{"op":"replace","path":"/主角/生命值","value":2}]</JSONPatch></UpdateVariable>\n风停了。');
        script.queue('mvuExtract', answer([...seedPatches, { op: 'replace', path: '/世界/天气', value: '_.set(\'主角.生命值\', 3);' }]));
        const reply = await player.turn('去矿洞');
        const chat = await player.chat();
        // A book that only the card has: the values are ours, where MVU looks for them.
        expect(tableOf(chat[0])).toMatchObject({ stat_data: { 世界: { 当前地点: '起点' } }, initialized_lorebooks: { 机库之书: [] } });
        expect(tableOf(chat.at(-1))?.stat_data).toEqual({ 主角: { 生命值: 100, 信用点数: 300, 改装仓库: ['基础扫描器', '维修工具包'] }, 世界: { 当前地点: '矿洞', 天气: '_.set(\'主角.生命值\', 3);' } });
        expect(reply.mes).toMatch(/^<context>你飞进矿洞。\s+风停了。<\/context>[\s\S]*\n-->\n\n<StatusPlaceHolderImpl\/>$/);
        expect(reply.mes).not.toContain('_.set(');
        expect((await player.records()).at(-1)).toMatchObject({ status: 'complete' });
        const told = await patches();
        expect(told).toContain('数组 /主角/改装仓库 未开放追加');
        expect(told).toContain('$__META_EXTENSIBLE__$');
        const final = (await seen()).filter(({ text }) => text.includes('<summary>'));
        expect(final.map(({ event }) => event)).toEqual(['MESSAGE_EDITED', 'MESSAGE_UPDATED', 'CHARACTER_MESSAGE_RENDERED']);
        expect(await player.panelField('changes')).not.toContain('编辑');

        // MVU may read the reply again at any time: the same values come out.
        await player.page.waitForTimeout(3_100);
        await player.page.evaluate(() => {
            const context = window.SillyTavern.getContext() as unknown as { chat: unknown[]; eventSource: { emit(name: string, id: number): Promise<void> } };
            return context.eventSource.emit('message_received', context.chat.length - 1);
        });
        expect(placeOf((await player.chat()).at(-1))).toBe('矿洞');
        expect(tableOf((await player.chat()).at(-1))?.stat_data.主角['生命值']).toBe(100);
        await turnTo('港口');
        expect(block(prompt('mergedWriting'), 'state_summary')).toContain('世界/当前地点：矿洞');
        expect(prompt('mergedWriting')).not.toMatch(/StatusPlaceHolder|UpdateVariable/);
        expect(placeOf((await player.chat()).at(-1))).toBe('港口');
    });

    it('can override the lock, and an edit by hand survives MVU\'s own reading', async () => {
        const { player, script } = stand;
        await configure({ ours: { overrideClosed: true } });
        await install();
        script.queue('mvuExtract', answer(seedPatches));
        await player.turn('去矿洞');
        expect(tableOf((await player.chat()).at(-1))?.stat_data.主角['改装仓库']).toEqual(['基础扫描器', '维修工具包', '涡轮增压器V2']);
        await edit('/主角/信用点数', '999');
        await player.page.waitForTimeout(3_100);
        await player.page.evaluate(() => {
            const context = window.SillyTavern.getContext() as unknown as { chat: unknown[]; eventSource: { emit(name: string, id: number): Promise<void> } };
            return context.eventSource.emit('message_received', context.chat.length - 1);
        });
        const last = (await player.chat()).at(-1);
        expect(tableOf(last)?.stat_data).toMatchObject({ 主角: { 信用点数: 999, 改装仓库: ['基础扫描器', '维修工具包', '涡轮增压器V2'] }, 世界: { 当前地点: '矿洞' } });
        expect(last?.mes.endsWith('<StatusPlaceHolderImpl/>')).toBe(true);
    });

    it('respects what is open, read-only and hidden, when MVU comes late and goes again', async () => {
        const { player, script } = stand;
        await player.openCharacter(openHangar.name);
        await player.newChat();
        stand.server.clearLog();
        await turnTo('矿洞');
        await install();
        script.queue('mvuExtract', answer([{ op: 'insert', path: '/主角/改装仓库/-', value: '涡轮增压器V2' }, { op: 'replace', path: '/世界/_种子', value: 8 }, { op: 'replace', path: '/世界/当前地点', value: '磨坊' }]));
        await player.turn('去磨坊');
        expect(prompt('mvuExtract') + prompt('mergedWriting')).not.toContain('船长是凶手');
        expect(tableOf((await player.chat()).at(-1))?.stat_data).toEqual({ 主角: { 生命值: 100, 信用点数: 500, 改装仓库: ['基础扫描器', '涡轮增压器V2'] }, 世界: { 当前地点: '磨坊', _种子: 7, $秘密: '船长是凶手' } });
        expect(await patches()).toContain('/世界/_种子 只读');
        await uninstall();
        await turnTo('盐仓');
        expect(tableOf((await player.chat()).at(-1))?.stat_data).toMatchObject({ 主角: { 改装仓库: ['基础扫描器', '涡轮增压器V2'] }, 世界: { 当前地点: '盐仓' } });
        expect(await leaf('/世界/当前地点')).toContain('盐仓');
        await player.openCharacter(hangar.name);
    });

    it('makes no second call where MVU asks a model of its own', async () => {
        const { player } = stand;
        await configure({ theirs: { 更新方式: '额外模型解析', 额外模型解析配置: { 启用自动请求: true } } });
        await install({ extraModelAnswer: '<UpdateVariable><JSONPatch>[{"op":"replace","path":"/世界/当前地点","value":"灯塔"}]</JSONPatch></UpdateVariable>' });
        const reply = await player.turn('去灯塔');
        expect(agents()).not.toContain('mvuExtract');
        expect(placeOf((await player.chat()).at(-1))).toBe('灯塔');
        expect(reply.mes).toMatch(/<\/summary>\n\n<!--\n<UpdateVariable>[\s\S]*-->\n\n<StatusPlaceHolderImpl\/>$/);
        expect(await player.shown(2)).not.toContain('JSONPatch');
        expect(await patches()).toMatch(/replace\s*\/世界\/当前地点\s*灯塔/);
        await player.openPanel('variables');
        await expect.poll(() => player.page.locator('#narrative_agent_tabpanel').innerText()).toContain('额外模型解析');
        await player.closePanel();
        await player.turn('等一等');
        expect((await player.records()).filter((record) => JSON.stringify(record ?? {}).includes('mvu.extra-model'))).toHaveLength(1);

        // The other choice: ours is asked too, and the user is told of the call too many.
        await configure({ theirs: { 更新方式: '额外模型解析' }, ours: { whenExtraModel: 'extension' } });
        await turnTo('盐仓');
        expect(agents()).toContain('mvuExtract');
        expect(placeOf((await player.chat()).at(-1))).toBe('盐仓');
        expect(JSON.stringify((await player.records()).at(-1))).toContain('mvu.extra-model-both');
    });

    it('leaves the initial values to MVU where it can see the book, and keeps a zod schema', async () => {
        const { player, script } = stand;
        await player.page.evaluate(async (entry) => {
            const context = window.SillyTavern.getContext() as unknown as { saveWorldInfo(name: string, data: unknown, now: boolean): Promise<void>; writeExtensionField(id: unknown, key: string, value: unknown): Promise<void>; characterId: unknown };
            await context.saveWorldInfo('外部之书', { entries: { 0: { uid: 0, key: [], keysecondary: [], comment: '[initvar]', content: entry, constant: true, disable: true, position: 4, order: 100, depth: 4, role: 0 } } }, true);
            await context.writeExtensionField(context.characterId, 'world', '外部之书');
        }, initvar.content);
        await player.reload();
        // The page has read settings from the disk that a test before left there.
        await configure({});
        await player.newChat();
        stand.server.clearLog();
        await install({ zod: true, worlds: { 外部之书: { ...(JSON.parse(initvar.content) as object), 谁来的: 'MVU' } } });
        script.queue('mvuExtract', answer(seedPatches));
        await player.turn('去矿洞');
        const last = tableOf((await player.chat()).at(-1));
        expect(last?.stat_data).toMatchObject({ 谁来的: 'MVU', 主角: { 改装仓库: ['基础扫描器', '维修工具包', '涡轮增压器V2'] }, 世界: { 当前地点: '矿洞' } });
        expect(typeof last?.schema).toBe('string');
    });
});
