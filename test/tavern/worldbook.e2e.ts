import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { block, promptText } from './storyteller/request';
import { analysisAnswer } from './storyteller/script';
import { keepPicture, startStand, type Stand } from './stand';
import { northTowerMerged } from './world';
import { configure, embedBook, saveWorld, type WorldEntry } from './world-files';

/** The second seed's example, section 1, with the directives of section 4. */
const northTowerExample: WorldEntry[] = [
    { comment: '世界基本规则', constant: true, position: 4, content: '@@required\n这个世界中，死亡不能被魔法逆转。' },
    { comment: '北塔门禁', key: ['北塔'], content: '北塔午夜后禁止开门；只有摄政官的书面命令可以解除禁令。' },
    { comment: '铜钥匙', key: ['铜钥匙'], content: '@@requires 旧王室\n铜钥匙证明持有人与旧王室有关，但不能代替摄政官的书面命令。' },
    { comment: '旧王室', content: '旧王室二十年前覆灭。' },
    { comment: '南港航线', key: ['南港'], content: '南港每周三有商船开往群岛。' },
    { comment: '塔内', constant: true, content: '@@when 地点=塔内\n塔内有一百零八级旋梯。' },
    { comment: '守卫的打算', constant: true, content: '@@audience planner\n守卫想试探来人。' },
    { comment: '守卫的口吻', constant: true, content: '@@audience writer\n守卫说话很慢。' },
    { comment: '守卫值夜', key: ['守卫'], order: 200, content: '@@conflict 守卫\n今夜值守的是老守卫。' },
    { comment: '守卫换岗', key: ['守卫'], order: 100, content: '@@conflict 守卫\n今夜值守的是新守卫。' },
];

const move = (location: string) => ({ type: 'move', params: { location } });

describe('the worldbook in a real SillyTavern', () => {
    let stand: Stand;
    const world = northTowerMerged.bookName;
    const writes = () => stand.server.requests.filter((request) => request.agent === 'mergedWriting' || request.agent === 'writing');
    const prompt = (index = -1) => promptText(writes().at(index)?.body ?? { messages: [] });
    const section = (name: string, index = -1) => block(prompt(index), name);
    const config = (path: string, value: unknown) => configure(stand.player.page, path, value);
    const book = (entries: readonly WorldEntry[], name = world) => saveWorld(stand.player.page, name, entries);
    const tab = async (): Promise<string> => {
        await stand.player.openPanel('worldbook');
        return stand.player.page.locator('#narrative_agent_tabpanel').innerText();
    };
    /** The reason shown for an entry, '' where it is not listed. */
    const reasonOf = (uid: number) => stand.player.page.locator(`#narrative_agent_tabpanel [data-entry="${world}#${uid}"] [data-reason]`).getAttribute('data-reason');
    const side = (name: string) => stand.player.page.locator('#narrative_agent_tabpanel .na-segmented button', { hasText: name }).first().click();

    beforeAll(async () => {
        stand = await startStand({ cards: [northTowerMerged], importBooks: true });
    });
    afterAll(() => stand?.stop());
    beforeEach(async () => {
        await stand.freshChat();
        await config('worldbookSource', 'world');
        await stand.player.closePanel();
    });
    afterEach(({ task }) => keepPicture(stand, task));

    it('takes in an edit made in SillyTavern\'s own editor, on the very next turn', async () => {
        const { player } = stand;
        const { page } = player;
        await config('worldbookSource', 'auto');
        await player.turn('北塔的门为什么关着？');
        expect(section('worldinfo3')).toContain('北塔午夜后禁止开门');
        await page.locator('#WIDrawerIcon').click();
        await page.locator('#world_editor_select').selectOption({ label: world });
        const entry = page.locator('#world_popup_entries_list .world_entry').filter({ has: page.locator('textarea[name="comment"]') });
        const uid = northTowerMerged.entries.findIndex((each) => each.comment === '北塔门禁');
        const own = page.locator(`#world_popup_entries_list .world_entry[uid="${uid}"]`);
        await entry.first().waitFor();
        await own.locator('.inline-drawer-toggle').first().click();
        await own.locator('textarea[name="content"]').fill('北塔的门今夜敞开着。');
        await page.locator('#WIDrawerIcon').click();
        await player.turn('再看一眼北塔。');
        expect(section('worldinfo3')).toContain('北塔的门今夜敞开着。');
        expect(section('worldinfo3')).not.toContain('北塔午夜后禁止开门');
    });

    it('decides the second seed\'s example as it tells', async () => {
        const { player, script } = stand;
        await book(northTowerExample);
        script.queue('mergedAnalysis', analysisAnswer([move('塔内')]));
        await player.turn('我把铜钥匙递给北塔守卫，请他开门。');
        expect(section('worldinfo1')).toBe('这个世界中，死亡不能被魔法逆转。');
        const third = section('worldinfo3');
        for (const text of ['北塔午夜后禁止开门', '铜钥匙证明持有人', '旧王室二十年前覆灭', '守卫说话很慢', '守卫想试探来人', '老守卫']) expect(third).toContain(text);
        for (const text of ['南港', '旋梯', '新守卫', '@@']) expect(prompt()).not.toContain(text);
        // The condition is asked of the state after the analysis.
        await player.turn('我走进去。');
        expect(section('worldinfo3')).toContain('一百零八级旋梯');

        await tab();
        expect(await reasonOf(0)).toBe('required');
        expect(await reasonOf(3)).toBe('dependency');
        await side('未入选');
        expect(await reasonOf(9)).toBe('conflict');
        // An earlier turn, from its record.
        await page().locator('[data-testid="previous-turn"], .na-turn-bar button').first().click();
        await side('未入选');
        expect(await reasonOf(5)).toBe('condition');
        expect(await page().locator(`#narrative_agent_tabpanel [data-entry="${world}#5"]`).innerText()).toContain('地点=塔内');
    });
    const page = () => stand.player.page;

    it('shows planner and writer what their audience allows', async () => {
        const { player, server } = stand;
        await book([...northTowerExample, { comment: '[TOOL:roll_dice]', constant: true, position: 4, content: JSON.stringify({ type: 'code', trigger: 'planning', function: { name: 'roll_dice', description: '掷骰', parameters: { type: 'object', properties: { expr: { type: 'string' } } } } }) }]);
        await player.turn('我去北塔。');
        const planner = promptText(server.requests.find((request) => request.agent === 'planning')?.body ?? { messages: [] });
        expect(block(planner, 'worldinfo3')).toContain('守卫想试探来人');
        expect(block(planner, 'worldinfo3')).not.toContain('守卫说话很慢');
        expect(section('worldinfo3')).toContain('守卫说话很慢');
        expect(prompt()).not.toContain('守卫想试探来人');
        await tab();
        await side('各 Agent');
        const row = page().locator(`.na-matrix-row[data-entry="${world}#6"]`);
        expect(await row.locator('[data-agent="planning"]').getAttribute('data-seen')).toBe('true');
        expect(await row.locator('[data-agent="writing"]').getAttribute('data-seen')).toBe('false');
    });

    it('keeps to a budget, required entries first, and says what could not go in', async () => {
        await book([
            { comment: '必需', constant: true, content: `@@required\n${'北塔的规矩不可违。'.repeat(8)}` },
            { comment: '太长的必需', constant: true, content: `@@required\n${'这一条写得太长了。'.repeat(60)}` },
            { comment: '寻常常驻', constant: true, content: '雾从海上来。'.repeat(20) },
            { comment: '短常驻', constant: true, content: '灯亮着。' },
        ]);
        await config('worldbook.budget', 150);
        await stand.player.turn('走');
        expect(section('worldinfo3')).toContain('北塔的规矩不可违');
        expect(section('worldinfo3')).toContain('灯亮着。');
        expect(prompt()).not.toContain('写得太长');
        expect(prompt()).not.toContain('雾从海上来');
        expect(await tab()).toContain('太长的必需');
        await config('worldbook.budget', 0);
    });

    it('keeps sticky and cooldown over turns, swipes and deletions', async () => {
        const { player } = stand;
        await book([
            { comment: '黏', key: ['石桥'], sticky: 3, content: '石桥下有水鬼。' },
            { comment: '冷', key: ['石桥'], cooldown: 3, content: '石桥刚修过。' },
        ]);
        await config('pipeline.recentTurnsForPlanning', 1);
        await config('pipeline.planningGrowthMargin', 0);
        await config('pipeline.recentTurnsForWriting', 1);
        await config('pipeline.writingGrowthMargin', 0);
        await player.turn('我去石桥。');
        expect(section('worldinfo3')).toContain('水鬼');
        expect(section('worldinfo3')).toContain('刚修过');
        // The same turn again: neither effect has begun.
        await player.swipeRight();
        expect(section('worldinfo3')).toContain('水鬼');
        expect(section('worldinfo3')).toContain('刚修过');
        await player.turn('我等着。');
        expect(section('worldinfo3')).toContain('水鬼');
        expect(prompt()).not.toContain('刚修过');
        // Deleted down to before the turn: as if it had never been.
        await player.deleteFrom(1);
        await player.turn('我坐下。');
        expect(prompt()).not.toContain('水鬼');
        await player.turn('我去石桥。');
        expect(section('worldinfo3')).toContain('刚修过');
        for (const [path, value] of [['recentTurnsForPlanning', 4], ['planningGrowthMargin', 4], ['recentTurnsForWriting', 3], ['writingGrowthMargin', 4]] as const) await config(`pipeline.${path}`, value);
    });

    it('follows recursion, what others force in, and a disabled [initvar]', async () => {
        const { player } = stand;
        await book([
            { comment: '起头', key: ['灯塔'], content: '灯塔由哑叔看守。' },
            { comment: '哑叔', key: ['哑叔'], content: '哑叔只听铃声。' },
            { comment: '铃', key: ['铃声'], excludeRecursion: true, content: '铃在井里。' },
            { comment: '向量', vectorized: true, content: '潮水每夜涨两次。' },
            { comment: '[InitVar]初始', disable: true, content: '主角:\n  体力: 77\n' },
        ]);
        await page().evaluate(async (name) => {
            const { eventSource, eventTypes } = window.SillyTavern.getContext() as unknown as { eventSource: { emit(event: string, data: unknown): Promise<void> }; eventTypes: Record<string, string> };
            await eventSource.emit(eventTypes.WORLDINFO_FORCE_ACTIVATE ?? '', [{ world: name, uid: 3 }]);
        }, world);
        await player.turn('我望向灯塔。');
        for (const text of ['灯塔由哑叔看守', '哑叔只听铃声', '潮水每夜涨两次']) expect(section('worldinfo3')).toContain(text);
        expect(prompt()).not.toContain('铃在井里');
        expect(section('state_summary')).toContain('77');
        expect(prompt()).not.toContain('InitVar');
        await tab();
        expect(await reasonOf(1)).toBe('recursion');
        expect(await reasonOf(3)).toBe('forced');
        await player.turn('再等等。');
        expect(prompt()).not.toContain('潮水每夜');
    });

    it('loads what each source names, and says what is missing', async () => {
        const { player } = stand;
        await book([{ comment: '角色书', constant: true, content: '世界书库里的一条。' }]);
        for (const [name, text] of [['全局书', '全局的一条。'], ['聊天书', '聊天的一条。'], ['人设书', '人设的一条。']] as const) await book([{ comment: name, constant: true, content: text }], name);
        await page().evaluate(async () => {
            const context = window.SillyTavern.getContext() as unknown as { executeSlashCommandsWithOptions(text: string): Promise<unknown>; chatMetadata: Record<string, unknown>; powerUserSettings: Record<string, unknown> };
            await context.executeSlashCommandsWithOptions('/world state=on silent=true 全局书');
            context.chatMetadata.world_info = '聊天书';
            context.powerUserSettings.persona_description_lorebook = '人设书';
        });
        await player.turn('一');
        expect(section('worldinfo3')).toBe('世界书库里的一条。');
        await config('worldbookSource', 'card');
        const putBack = await embedBook(page(), '卡内书', [{ id: 0, keys: [], comment: '卡内', content: '卡内的一条。', constant: true, enabled: true, position: 'before_char', extensions: { position: 0 } }]);
        await player.turn('二');
        expect(section('worldinfo2')).toBe('卡内的一条。');
        expect(prompt()).not.toContain('世界书库里的一条');
        await putBack();
        await config('worldbookSource', 'all');
        await player.turn('三');
        for (const text of ['世界书库里', '全局的', '聊天的', '人设的']) expect(section('worldinfo3')).toContain(text);
        await page().evaluate(async () => {
            const context = window.SillyTavern.getContext() as unknown as { executeSlashCommandsWithOptions(text: string): Promise<unknown>; chatMetadata: Record<string, unknown>; powerUserSettings: Record<string, unknown> };
            await context.executeSlashCommandsWithOptions('/world state=off silent=true 全局书');
            context.chatMetadata.world_info = '不见了的书';
            context.powerUserSettings.persona_description_lorebook = '';
        });
        await player.turn('四');
        expect(section('worldinfo3')).toContain('世界书库里');
        expect(prompt()).not.toContain('聊天的一条');
        expect(await tab()).toContain('不见了的书');
    });

    it('applies the user\'s regex scripts for world info as SillyTavern does', async () => {
        await book([{ comment: '改', constant: true, content: '守卫叫<甲>，<注>作者的话</注>。' }, { comment: '空', constant: true, content: '<注>只有注</注>' }]);
        const setScripts = (scripts: unknown[]) => page().evaluate((list) => {
            (window.SillyTavern.getContext().extensionSettings as Record<string, unknown>).regex = list;
        }, scripts);
        const script = (id: string, findRegex: string, replaceString: string, placement: number) => ({ id, scriptName: id, findRegex, replaceString, trimStrings: [], placement: [placement], disabled: false, markdownOnly: false, promptOnly: true, runOnEdit: false, substituteRegex: 0, minDepth: null, maxDepth: null });
        await setScripts([script('a', '/<注>.*?<\\/注>/g', '', 5), script('b', '/<甲>/g', '沈眠', 5), script('c', '/守卫/g', '士兵', 2)]);
        await stand.player.turn('走');
        await setScripts([]);
        expect(section('worldinfo3')).toBe('守卫叫沈眠，。');
        await tab();
        await side('未入选');
        expect(await reasonOf(1)).toBe('empty');
    });

    it('goes on whatever is wrong with a book, and says so', async () => {
        const { player } = stand;
        const on = (entry: Record<string, unknown>, id: number) => ({ id, enabled: true, position: 'after_char', extensions: {}, ...entry });
        // In the card alone: SillyTavern's own scan would hang on the second entry.
        const putBack = await embedBook(page(), '坏书', [
            { comment: '巨', keys: ['巨塔'], content: `巨塔${'很高'.repeat(250_000)}` },
            { comment: '灾', keys: ['/(a+)+$/', '/((雾+)+)+晴/'], content: '灾难。' },
            { comment: '坏', keys: ['/(未闭合/'], content: '坏正则。' },
            { comment: '白', keys: ['   '], content: '空白。' },
            { comment: '重', id: 0, keys: ['北塔'], content: '重复编号的一条。' },
            { comment: '环甲', constant: true, content: '@@requires 环乙\n环甲。' },
            { comment: '环乙', content: '@@requires 环甲\n环乙。' },
            { comment: '怪', keys: ['北塔'], content: '@@unheard_of 1\n怪指令照样进入。' },
            { comment: '破', keys: '北塔,雾', insertion_order: 'x', content: '破字段照样进入。' },
            null,
        ].map((entry, id) => (entry === null ? null : on(entry, id))) as Record<string, unknown>[]);
        await config('worldbookSource', 'card');
        const started = Date.now();
        await player.turn(`北塔在雾里。${'a'.repeat(3000)}!${'雾'.repeat(2000)}`);
        expect(Date.now() - started).toBeLessThan(15_000);
        for (const text of ['重复编号的一条', '怪指令照样进入', '破字段照样进入', '环乙']) expect(section('worldinfo3')).toContain(text);
        expect(prompt()).not.toContain('很高很高');
        const shown = await tab();
        await putBack();
        for (const text of ['未闭合', '空白', 'unheard_of', '编号', '成环', '不是条目', '无法识别的字段']) expect(shown).toContain(text);
    });

    it('tells no snapshot from nothing selected, and a text that has changed since', async () => {
        const { player } = stand;
        await book([{ comment: '一条', key: ['南港'], content: '南港每周三有商船。' }]);
        await player.openPanel('worldbook');
        await expect.poll(() => page().locator('[data-testid="no-snapshot"]').count()).toBe(1);
        await player.turn('走');
        await expect.poll(() => page().locator('[data-testid="nothing-selected"]').count()).toBe(1);
        await player.turn('去南港。');
        await book([{ comment: '一条', key: ['南港'], content: '南港封了。' }]);
        await page().locator('[data-testid="refresh-worldbook"]').click();
        await expect.poll(() => page().locator(`[data-entry="${world}#0"]`).first().innerText()).toContain('已改动');
        await page().locator(`[data-entry="${world}#0"] .na-entry-head`).first().click();
        expect(await page().locator(`[data-entry="${world}#0"]`).first().innerText()).toContain('南港封了。');
        await page().locator('#narrative_agent_tabpanel input[type="search"]').fill('不相干');
        expect(await page().locator(`[data-entry="${world}#0"]`).count()).toBe(0);
    });
});
