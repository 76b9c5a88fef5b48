import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configure, wholeOf } from './seed-prompt';
import { keepPicture, startStand, type Stand } from './stand';
import { block } from './storyteller/request';
import { analysisAnswer, planningAnswer } from './storyteller/script';
import { northTower, northTowerMerged } from './world';

const chatMl = {
    enabled: true, preset: 'ChatML', name: 'ChatML', input_sequence: '<|im_start|>user', output_sequence: '<|im_start|>assistant', system_sequence: '<|im_start|>system',
    stop_sequence: '<|im_end|>', input_suffix: '<|im_end|>\n', output_suffix: '<|im_end|>\n', system_suffix: '<|im_end|>\n', wrap: true, macro: true, names_behavior: 'none',
    activation_regex: '', system_same_as_user: false, first_output_sequence: '', last_output_sequence: '', skip_examples: false, user_alignment_message: '', last_system_sequence: '', first_input_sequence: '', last_input_sequence: '', sequences_as_stop_strings: true, story_string_prefix: '', story_string_suffix: '',
};

/** A text-completion server and the user's ChatML template. */
describe('on a text-completion API', () => {
    let stand: Stand;
    const agents = () => stand.server.requests.map((request) => request.agent);
    const of = (agent: string) => stand.server.requests.filter((request) => request.agent === agent);

    beforeAll(async () => {
        stand = await startStand({
            cards: [northTowerMerged, northTower],
            settingsFor: (apiUrl) => ({
                main_api: 'textgenerationwebui',
                amount_gen: 300,
                max_length: 16000,
                textgenerationwebui_settings: { type: 'generic', server_urls: { generic: apiUrl.replace(/\/v1$/, '') }, streaming: true, generic_model: 'storyteller' },
                power_user: { instruct: chatMl, sysprompt: { enabled: true, name: 'x', content: '系统预设：与{{char}}。' } },
            }),
        });
    });
    afterAll(() => stand?.stop());
    beforeEach(async () => {
        await configure(stand, {});
        await stand.freshChat();
    });
    afterEach(({ task }) => keepPicture(stand, task));

    it('streams the narrative through the user\'s template, analyses, and says what is not there', async () => {
        const { player, script, server } = stand;
        script.queue('mergedWriting', { text: '守卫摇了摇头。', pieceLength: 2, pieceMs: 20 });
        script.queue('mergedAnalysis', analysisAnswer([{ type: 'move', params: { location: '石桥' } }], '用户意图：走 | 叙事要点：到石桥'));
        await player.openPanel();
        const reply = await player.turn('北塔的门为什么关着？');
        expect(agents()).toEqual(['mergedWriting', 'mergedAnalysis']);
        expect(server.requests.every((request) => request.textCompletion)).toBe(true);
        const prompt = wholeOf(server.requests[0]);
        expect(server.requests[0]?.body.stream).toBe(true);
        expect(prompt).toMatch(/^<\|im_start\|>system\n<worldinfo1>[\s\S]*<\|im_end\|>\n<\|im_start\|>user\n<worldinfo2>[\s\S]*<user_input>\n北塔的门为什么关着？\n<\/user_input>[\s\S]*<\|im_end\|>\n<\|im_start\|>assistant\n?$/);
        expect(prompt.match(/<\|im_start\|>/g)).toHaveLength(3);
        expect(prompt).not.toContain('系统预设');
        expect(wholeOf(server.requests[1])).toMatch(/^<\|im_start\|>system\n[\s\S]*<\|im_start\|>assistant\n?$/);
        expect(reply.mes).toMatch(/^<context>\s*守卫摇了摇头。\s*<\/context>\n\n<summary>\s*\[第1轮\]/);
        expect((await player.records()).at(-1)).toMatchObject({ status: 'complete', mode: 'merged', delivery: 'stream' });
        expect(await player.panelField('location')).toContain('石桥');
        expect(await player.page.locator('#narrative_agent_panel').innerText()).toContain('文本补全 API');
        await player.closePanel();
        expect(player.complaints).toEqual([]);
    });

    it('plans, swipes, applies the agents\' limits and the preset', async () => {
        const { player, script } = stand;
        await player.openCharacter(northTower.name);
        await stand.freshChat();
        await player.waitTurnDone();
        await configure(stand, { presetMode: 'split', agents: { planning: { maxTokens: 111, temperature: 0.1 }, writing: { maxTokens: 222, temperature: 0.2 }, mergedAnalysis: { maxTokens: 333 } } });
        script.always('planning', planningAnswer([{ tool: 'roll_dice', params: { expr: '1d20', dc: 5 } }]));
        await player.turn('走');
        expect(agents().filter((agent) => agent !== 'mergedAnalysis')).toEqual(['planning', 'writing']);
        expect(of('planning')[0]?.body).toMatchObject({ max_tokens: 111, temperature: 0.1 });
        expect(of('writing')[0]?.body).toMatchObject({ max_tokens: 222, temperature: 0.2 });
        expect(of('mergedAnalysis').at(-1)?.body.max_tokens).toBe(333);
        expect(wholeOf(of('planning')[0])).toContain(`系统预设：与${northTower.name}。\n\n<worldinfo1>`);
        expect(block(wholeOf(of('writing')[0]), 'tool_results')).toContain('1d20');
        stand.server.clearLog();
        script.queue('writing', '换了一种写法。');
        await player.swipeRight();
        expect(agents()).toEqual(['planning', 'writing', 'mergedAnalysis']);
        expect((await player.chat()).at(-1)).toMatchObject({ mes: expect.stringContaining('换了一种写法') as unknown, swipes: { length: 2 } });
        await player.openCharacter(northTowerMerged.name);
    });

    it('stops while writing, relays, and leaves raw calls alone', async () => {
        const { player, script } = stand;
        script.queue('mergedWriting', { hang: true });
        await player.send('走');
        await expect.poll(() => stand.server.open().map((request) => request.agent)).toEqual(['mergedWriting']);
        await player.stop();
        await player.waitTurnDone();
        await configure(stand, { pipeline: { delivery: 'relay' } });
        stand.server.clearLog();
        script.queue('mergedWriting', '中继写成的正文。');
        await player.turn('再走');
        expect(agents()).toEqual(['relay', 'mergedWriting', 'mergedAnalysis']);
        expect((await player.chat()).at(-1)?.mes).toContain('中继写成的正文');
        await configure(stand, {});
        script.queue('chat', '生的回答');
        expect(await player.page.evaluate(() => window.SillyTavern.getContext().generateRaw({ prompt: '你好' }))).toBe('生的回答');
        script.queue('chat', '安静的回答');
        expect(await player.page.evaluate(() => window.SillyTavern.getContext().generateQuietPrompt({ quietPrompt: '一句话概括' }))).toBe('安静的回答');
    });
});
