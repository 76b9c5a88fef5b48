import { describe, expect, it } from 'vitest';
import { splitPreset } from '../../src/prompt/split-preset';

const chat = ['你醒了。<context>空屋。</context>', '我看看四周。', '<context>“有人吗？”没有回答。</context>'];
const worldInfo = ['北塔午夜后禁止开门。', '{"type":"code","function":{"name":"roll_dice"}}'];

describe('the preset in the host\'s prompt', () => {
    it('is its system and user messages without chat, lore and assistant messages', () => {
        expect(splitPreset([
            { role: 'system', content: '你是小说家。' },
            { role: 'system', content: worldInfo.join('\n') },
            { role: 'user', content: '以下要求务必遵守：文风克制。' },
            { role: 'system', content: '[Start a new Chat]' },
            { role: 'assistant', content: chat[0] ?? '' },
            { role: 'user', content: '旅人: 我看看四周。' },
            { role: 'assistant', content: '好的。' },
            { role: 'user', content: '最后再检查一遍。' },
        ], { chat, worldInfo })).toEqual({
            planningContext: '你是小说家。\n\n[Start a new Chat]',
            writingSystemContext: '你是小说家。\n\n[Start a new Chat]',
            writingUserContext: '以下要求务必遵守：文风克制。\n\n最后再检查一遍。',
        });
    });

    it('loses only the lore where the host squashed messages', () => {
        expect(splitPreset([{ role: 'system', content: `你是小说家。\n${worldInfo[0]}\n旅人是信使。\n\n文风克制。` }], { chat: [], worldInfo, others: ['旅人是信使。'] }).planningContext).toBe('你是小说家。\n\n文风克制。');
    });

    it('does not mistake what regexes changed for preset text', () => {
        expect(splitPreset([{ role: 'user', content: '“有人吗？”没有回答。' }, { role: 'user', content: '*我看看四周。*' }], { chat, worldInfo: [] }).writingUserContext).toBe('');
    });

    it('keeps a preset message that quotes a short chat line', () => {
        expect(splitPreset([{ role: 'user', content: '用户若说“走”，就描写路上的风景，不要省略。' }], { chat: ['走'], worldInfo: [] }).writingUserContext).toContain('风景');
    });
});
