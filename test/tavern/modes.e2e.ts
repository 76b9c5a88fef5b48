import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { configure, systemOf, tagsOf, turnsShown, userOf, wholeOf, windowsByTheSeed } from './seed-prompt';
import { keepPicture, startStand, type Stand } from './stand';
import { block } from './storyteller/request';
import { analysisAnswer, planningAnswer } from './storyteller/script';
import type { LoggedRequest } from './storyteller/server';
import { towerOfPanels, towerOfTools } from './tools-card';
import { northTowerMerged } from './world';

const preset = {
    prompts: [
        { identifier: 'main', name: 'Main', role: 'system', system_prompt: true, content: '预设系统甲：与{{char}}的故事。' },
        { identifier: 'style', name: 'Style', role: 'system', system_prompt: false, content: '预设系统乙：文风冷峻。' },
        { identifier: 'wish', name: 'Wish', role: 'user', system_prompt: false, content: '预设用户丙：请写给{{user}}看。' },
        { identifier: 'off', name: 'Off', role: 'system', system_prompt: false, content: '预设关闭丁。' },
        { identifier: 'worldInfoBefore', name: 'WI', marker: true, system_prompt: true },
        { identifier: 'charDescription', name: 'Char', marker: true, system_prompt: true },
        { identifier: 'chatHistory', name: 'History', marker: true, system_prompt: true },
    ],
    prompt_order: [{ character_id: 100001, order: [
        { identifier: 'main', enabled: true }, { identifier: 'worldInfoBefore', enabled: true }, { identifier: 'charDescription', enabled: true },
        { identifier: 'style', enabled: true }, { identifier: 'wish', enabled: true }, { identifier: 'off', enabled: false }, { identifier: 'chatHistory', enabled: true },
    ] }],
};

/** Which tool asks. */
const toolOf = (request: LoggedRequest): string => /【(谶语|状态面板|流言|天气)】/.exec(systemOf(request))?.[1] ?? request.agent;

/** Whole prompts of every call, in a real SillyTavern, against the seed's tables. */
describe('the modes', () => {
    let stand: Stand;
    const of = (agent: string): LoggedRequest[] => stand.server.requests.filter((request) => toolOf(request) === agent);
    const open = async (name: string): Promise<void> => {
        const current = await stand.player.page.evaluate(() => {
            const context = window.SillyTavern.getContext();
            return context.characters[Number(context.characterId)]?.name;
        });
        if (current !== name) await stand.player.openCharacter(name);
    };
    const begin = async (card: string, config: Record<string, unknown> = {}): Promise<void> => {
        await configure(stand, config);
        await open(card);
        await stand.freshChat();
        await stand.player.waitTurnDone();
        stand.script.always('tool', (request) => {
            switch (toolOf(request)) {
                case '谶语': return '谶语：海鸟将合。';
                case '状态面板': return `<state_panel>面板第${request.id}号</state_panel>`;
                case '天气': return '天气：雾。';
                default: return '流言：钟楼有鬼。';
            }
        });
        stand.server.clearLog();
    };

    beforeAll(async () => {
        stand = await startStand({ cards: [towerOfTools, towerOfPanels, northTowerMerged], settings: { oai_settings: preset } });
    });
    afterAll(() => stand?.stop());
    afterEach(({ task }) => keepPicture(stand, task));

    it('planning mode: twelve turns with tools, recall and a panel', async () => {
        const { player, script, server } = stand;
        await begin(towerOfTools.name, { pipeline: { enableTextRecall: true } });
        const told = (n: number): string => `你到了地点${n}，编号甲${n}乙。`;
        const perTurn: LoggedRequest[][] = [];
        const play = async (n: number, act: () => Promise<unknown>, text = told(n)): Promise<void> => {
            const calls = [{ tool: 'roll_dice', params: { expr: '1d20+3', dc: 12 } }, { tool: 'reckon_damage', params: { base: 7, armor: 2 } }, ...(n % 2 === 1 ? [{ tool: 'oracle', params: {} }] : [])];
            script.queue('planning', planningAnswer(n === 4 ? [] : calls, n >= 9 ? [1, n - 1] : []));
            script.queue('writing', text);
            script.queue('mergedAnalysis', analysisAnswer([{ type: 'move', params: { location: `地点${n}` } }], `用户意图：第${n}句 | 叙事要点：到了地点${n}`));
            const from = server.requests.length;
            await act();
            perTurn.push(server.requests.slice(from));
        };
        // The greeting is told in our form: it is analysed once, beside the first turn.
        script.queue('mergedAnalysis', analysisAnswer([], '用户意图：（开场） | 叙事要点：沈眠拦住了你'));
        for (let n = 1; n <= 12; n += 1) await play(n, () => player.turn(`第${n}句，北塔的铜钥匙。`));

        const planning = of('planning');
        const writing = of('writing');
        const analysis = of('mergedAnalysis').slice(1);
        expect([planning.length, writing.length, analysis.length]).toEqual([12, 12, 12]);
        expect(perTurn.slice(1).map((calls) => calls.length)).toEqual(Array.from({ length: 11 }, (_, at) => 6 + ((at + 2) % 2 === 1 && at + 2 !== 4 ? 1 : 0)));

        const planningWindows = windowsByTheSeed(12, 4, 4);
        const writingWindows = windowsByTheSeed(12, 3, 4);
        for (let n = 1; n <= 12; n += 1) {
            const [plan, write, analyse] = [planning[n - 1], writing[n - 1], analysis[n - 1]];
            // System prompts: worldinfo1, engine, and the tool list / the binding only where there is something to bind.
            expect(tagsOf(systemOf(plan))).toEqual(['worldinfo1']);
            expect(systemOf(plan)).toMatch(/^<worldinfo1>\n以第二人称[\s\S]*死亡不能被魔法逆转[\s\S]*<\/worldinfo1>\n\n你是叙事规划引擎[\s\S]*roll_dice[\s\S]*reckon_damage[\s\S]*oracle/);
            expect(systemOf(plan)).not.toMatch(/state_panel|rumour|weather/);
            expect(systemOf(write)).toMatch(/^<worldinfo1>\n[\s\S]*<\/worldinfo1>\n\n你是叙事写作引擎/);
            expect(systemOf(write).includes('工具执行结果已由系统确定')).toBe(n !== 4);

            const expectedPlan = ['worldinfo2', 'story_summary', 'user_persona', 'recent_turns', 'worldinfo3', 'state_summary', 'user_input'];
            expect(tagsOf(userOf(plan)).filter((tag) => n > 1 || tag !== 'story_summary'), `planning ${n}`).toEqual(n > 1 ? expectedPlan : expectedPlan.filter((tag) => tag !== 'story_summary'));
            expect(userOf(plan).endsWith('</user_input>\n\n请生成写作指导。')).toBe(true);
            const expectedWrite = ['worldinfo2', 'user_persona', 'recent_turns', 'worldinfo3', ...(n >= 9 ? ['text_recall'] : []), 'writing_guide', ...(n !== 4 ? ['tool_results'] : []), 'user_input'];
            expect(tagsOf(userOf(write)), `writing ${n}`).toEqual(expectedWrite);
            expect(userOf(write).endsWith('</user_input>')).toBe(true);
            const expectedAnalysis = ['story_summary', 'state_summary', 'user_input', 'narrative_text'];
            expect(tagsOf(userOf(analyse)).filter((tag) => n > 1 || tag !== 'story_summary'), `analysis ${n}`).toEqual(n > 1 ? expectedAnalysis : expectedAnalysis.slice(1));
            expect(wholeOf(analyse)).not.toMatch(/worldinfo|抄书人|灰港城建在海雾里|谶语|检定/);
            for (const request of [plan, write]) expect(wholeOf(request)).not.toMatch(/面板第|流言：|天气：|<summary>|<context>/);
            expect(wholeOf(analyse)).not.toMatch(/面板第|流言：|天气：/);

            // Windows: the opening stands first while the window begins at turn 1.
            const shown = (window: number[]): number[] => (window[0] === undefined || window[0] === 1 ? [0, ...window] : window);
            expect(turnsShown(block(userOf(plan), 'recent_turns')), `planning window ${n}`).toEqual(shown(planningWindows[n - 1] ?? []));
            expect(turnsShown(block(userOf(write), 'recent_turns')), `writing window ${n}`).toEqual(shown(writingWindows[n - 1] ?? []));
            expect(block(userOf(plan), 'user_input')).toBe(`第${n}句，北塔的铜钥匙。`);
            if (n > 1) {
                expect(block(userOf(plan), 'state_summary')).toContain(`地点${n - 1}`);
                const lines = block(userOf(plan), 'story_summary').split('\n');
                expect(lines.at(-1)).toBe(`[第${n - 1}轮] 用户意图：第${n - 1}句 | 叙事要点：到了地点${n - 1}`);
            }
            expect(block(userOf(analyse), 'state_summary').includes(`地点${n}`)).toBe(false);
            expect(block(userOf(analyse), 'narrative_text')).toBe(told(n));
        }
        // What the planner asked for reached the writer.
        const fifth = block(userOf(writing[4]), 'tool_results');
        expect(fifth).toMatch(/1d20[^\n]*DC 12[^\n]*(成功|失败)[\s\S]*伤害=5 地点=地点4[\s\S]*海鸟将合/);
        expect(block(userOf(writing[4]), 'writing_guide')).toMatch(/叙事方向：[\s\S]*场景设置：[\s\S]*要点：[\s\S]*基调：克制，节奏：中[\s\S]*延续细节：/);
        // Recall: the far turn in its own words, the near one is in the window anyway.
        expect(block(userOf(writing[11]), 'text_recall')).toBe('[第1轮]\n你到了地点1，编号甲1乙。');
        // Its own history is the panel's alone, three turns back.
        const histories = of('状态面板').map((request) => [...block(userOf(request), 'tool_history').matchAll(/面板第(\d+)号/g)].map((match) => Number(match[1])));
        const ids = of('状态面板').map((request) => request.id);
        expect(histories).toEqual(ids.map((_, at) => ids.slice(Math.max(0, at - 3), at)));
        expect(of('流言').every((request) => !wholeOf(request).includes('tool_history') && !wholeOf(request).includes('state_summary'))).toBe(true);
        const last = (await player.chat()).at(-1)?.mes ?? '';
        expect(last).toMatch(/^<context>\s*你到了地点12，编号甲12乙。\s*<\/context>\n\n<summary>\s*\[第12轮\][^\n]*\s*<\/summary>\n\n天气：雾。\n\n<state_panel>面板第\d+号<\/state_panel>\n\n流言：钟楼有鬼。$/);

        // A reply is never in a prompt of its own.
        await play(12, () => player.swipeRight(), '换一种写法，编号丙12丁。');
        await play(12, () => player.regenerate(), '再换一种写法，编号戊12己。');
        for (const calls of perTurn.slice(12)) {
            for (const request of calls.filter((each) => ['planning', 'writing', '谶语'].includes(toolOf(each)))) expect(wholeOf(request)).not.toMatch(/甲12乙|丙12丁|地点12/);
            const analyse = calls.find((each) => each.agent === 'mergedAnalysis');
            expect(wholeOf(analyse)).not.toMatch(/甲12乙|到了地点12/);
            expect(block(userOf(calls.find((each) => each.agent === 'planning')), 'state_summary')).toContain('地点11');
        }
        expect(wholeOf(perTurn[13]?.find((each) => each.agent === 'mergedAnalysis'))).not.toContain('丙12丁');
        expect(player.complaints).toEqual([]);
    }, 240_000);

    it('merged mode: twelve turns, with tools after the reply', async () => {
        const { player, script } = stand;
        await begin(towerOfPanels.name);
        script.queue('mergedAnalysis', analysisAnswer([], '用户意图：（开场） | 叙事要点：沈眠拦住了你'));
        for (let n = 1; n <= 12; n += 1) {
            script.queue('mergedWriting', `你到了地点${n}，编号甲${n}乙。`);
            script.queue('mergedAnalysis', analysisAnswer([{ type: 'move', params: { location: `地点${n}` } }], `用户意图：第${n}句 | 叙事要点：到了地点${n}`));
            await player.turn(`第${n}句，北塔的铜钥匙。`);
        }
        const writing = of('mergedWriting');
        expect(writing).toHaveLength(12);
        expect(of('planning')).toHaveLength(0);
        const windows = windowsByTheSeed(12, 3, 4);
        writing.forEach((request, at) => {
            const n = at + 1;
            expect(systemOf(request)).toMatch(/^<worldinfo1>\n[\s\S]*<\/worldinfo1>\n\n/);
            expect(systemOf(request)).not.toMatch(/tool_calls|roll_dice|预设/);
            const tags = ['worldinfo2', 'user_persona', 'story_summary', 'recent_turns', 'worldinfo3', 'state_summary', 'user_input'];
            expect(tagsOf(userOf(request)).filter((tag) => n > 1 || tag !== 'story_summary'), `merged ${n}`).toEqual(n > 1 ? tags : tags.filter((tag) => tag !== 'story_summary'));
            expect(userOf(request)).toMatch(/<\/user_input>\n\n【思维模式要求】[^<]*$/);
            const window = windows[at] ?? [];
            expect(turnsShown(block(userOf(request), 'recent_turns'))).toEqual(window[0] === undefined || window[0] === 1 ? [0, ...window] : window);
        });
        expect(player.complaints).toEqual([]);
    }, 180_000);

    it('split puts the preset where the seed says, and none nowhere', async () => {
        const { player, script } = stand;
        await begin(towerOfTools.name, { presetMode: 'split', characterCard: 'both' });
        await player.turn('走，北塔。');
        const system = '预设系统甲：与北塔·工具的故事。\n\n预设系统乙：文风冷峻。';
        for (const agent of ['planning', 'writing']) expect(systemOf(of(agent)[0]).slice(0, system.length + 15), agent).toBe(`${system}\n\n<worldinfo1>\n`);
        expect(userOf(of('planning')[0])).not.toContain('预设用户丙');
        expect(tagsOf(userOf(of('writing')[0]))[0]).toBe('user_preset');
        expect(block(userOf(of('writing')[0]), 'user_preset')).toBe('预设用户丙：请写给旅人看。');
        for (const agent of ['planning', 'writing']) {
            expect(tagsOf(userOf(of(agent)[0])).slice(agent === 'writing' ? 1 : 0, agent === 'writing' ? 3 : 2)).toEqual(['worldinfo2', 'character_card']);
            expect(wholeOf(of(agent)[0])).not.toMatch(/预设关闭丁|Write the|\[Start a new/);
            expect(block(userOf(of(agent)[0]), 'character_card')).toContain('旧王忌日的夜里，旅人带着');
        }
        expect(wholeOf(of('mergedAnalysis').at(-1))).not.toMatch(/预设|守着一扇午夜后不许打开的门/);

        await begin(towerOfPanels.name, { presetMode: 'split' });
        script.always('mergedWriting', '雾更浓了。');
        await player.turn('先有一句。');
        await player.turn('走，北塔。');
        const merged = of('mergedWriting')[1];
        expect(systemOf(merged).startsWith('预设系统甲：与北塔·面板的故事。\n\n预设系统乙：文风冷峻。\n\n<worldinfo1>')).toBe(true);
        expect(tagsOf(userOf(merged)).slice(0, 2)).toEqual(['user_preset', 'worldinfo2']);
        expect(wholeOf(merged)).not.toContain('character_card');
        await player.swipeRight();
        expect(systemOf(of('mergedWriting')[2])).toBe(systemOf(merged));
        expect(userOf(of('mergedWriting')[2])).toBe(userOf(merged));
    }, 120_000);

    it('the shared layout gives planner and writer one beginning', async () => {
        const { player } = stand;
        await begin(towerOfTools.name, { layout: 'shared' });
        for (let n = 1; n <= 3; n += 1) await player.turn(`第${n}句，北塔。`);
        const flat = (request: LoggedRequest | undefined): string => JSON.stringify(request?.body.messages ?? []);
        const [plan, write] = [of('planning')[2], of('writing')[2]];
        const [a, b] = [flat(plan), flat(write)];
        let same = 0;
        while (a[same] === b[same]) same += 1;
        expect(same / b.length).toBeGreaterThan(0.6);
        expect(a.slice(0, same)).toContain('第3句，北塔。');
        expect(userOf(plan)).toMatch(/请生成写作指导。$/);
        expect(tagsOf(userOf(write))).toContain('writing_guide');
    }, 120_000);

    it('parallel: independent tools run beside the analysis, and stand in declaration order', async () => {
        const { player, script } = stand;
        await begin(towerOfPanels.name, { pipeline: { parallelExecutionEnabled: true } });
        let asked: () => void = () => undefined;
        const rumourAsked = new Promise<void>((resolve) => {
            asked = resolve;
        });
        await player.turn('先有一句。');
        stand.server.clearLog();
        // The analysis is answered only after an independent tool has been asked.
        script.queue('mergedAnalysis', { text: analysisAnswer([{ type: 'move', params: { location: '盐仓' } }]), until: rumourAsked.then(() => new Promise((resolve) => setTimeout(resolve, 60))) });
        script.always('tool', (request) => {
            const name = toolOf(request);
            if (name === '流言') asked();
            return { text: name === '状态面板' ? '<state_panel>面板</state_panel>' : `${name}。`, delayMs: name === '天气' ? 400 : 0 };
        });
        const reply = await player.turn('走，北塔。');
        const [analysis, independent, dependent] = [of('mergedAnalysis')[0], of('流言')[0], of('状态面板')[0]];
        expect(independent?.startedAt).toBeLessThan(analysis?.finishedAt ?? 0);
        expect(of('天气')[0]?.startedAt).toBeLessThan(analysis?.finishedAt ?? 0);
        expect(dependent?.startedAt).toBeGreaterThanOrEqual(analysis?.finishedAt ?? Infinity);
        expect(block(userOf(dependent), 'state_summary')).toContain('盐仓');
        expect(reply.mes).toMatch(/天气。\n\n<state_panel>面板<\/state_panel>\n\n流言。$/);
    }, 120_000);
});
