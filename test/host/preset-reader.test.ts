import { describe, expect, it } from 'vitest';
import { readPreset, readPresetMessages } from '../../src/host/preset-reader';
import { withoutSilentMacros } from '../../src/host/silent-macros';
import type { TavernPrompt } from '../../src/host/context';
import { installTavern } from './fake-tavern';

const prompts: TavernPrompt[] = [
    { identifier: 'main', role: 'system', content: '写 {{char}}', system_prompt: true },
    { identifier: 'charDescription', marker: true },
    { identifier: 'style', role: 'system', content: '{{setvar::style::冷}}文风' },
    { identifier: 'voice', role: 'user', content: '{{user}} 的要求' },
    { identifier: 'off', role: 'system', content: '关' },
    { identifier: 'inside', role: 'user', content: '楼层 {{incvar::n}}', injection_position: 1 },
    { identifier: 'swipeOnly', role: 'system', content: '只在重写', injection_trigger: ['swipe'] },
    { identifier: 'prefill', role: 'assistant', content: '好的' },
    { identifier: 'chatHistory', marker: true },
];
const order = prompts.map(({ identifier }) => ({ identifier, enabled: identifier !== 'off' }));
const settings = { chat_completion_source: 'custom', openai_max_context: 1, openai_max_tokens: 1, prompts, prompt_order: [{ character_id: 100000, order: [] }, { character_id: 100001, order }] };
const group = (identifier: string, ...collection: object[]) => ({ identifier, collection });

describe('the preset of a split prompt', () => {
    it('takes named prompts as ST sends them and leaves out everything else', async () => {
        installTavern({ chatCompletionSettings: settings });
        const collection = [
            group('main', { identifier: 'authorsNote', role: 'system', content: '作者注' }, { identifier: 'main', role: 'system', content: '写兰（卡内）' }),
            group('charDescription', { identifier: 'charDescription', role: 'system', content: '兰是向导' }),
            group('style', { identifier: 'style', role: 'system', content: '文风' }),
            group('voice', { identifier: 'voice', role: 'user', content: '旅人 的要求' }),
            group('chatHistory', { identifier: 'chatHistory-1', role: 'user', content: '走' }),
        ];
        const importModule = async () => ({ promptManager: { activeCharacter: { id: 100001 }, messages: { collection } } });
        expect(await readPreset('normal', importModule)).toEqual({ planningContext: '写兰（卡内）\n\n文风', writingSystemContext: '写兰（卡内）\n\n文风', writingUserContext: '旅人 的要求\n\n楼层 {{getvar::n}}' });
    });

    it('reads the settings where names are lost to squashing', async () => {
        installTavern({ chatCompletionSettings: settings });
        const importModule = async () => ({ promptManager: { messages: { collection: [{ identifier: 'main', role: 'system', content: '写兰\n兰是向导\n文风' }] } } });
        expect(await readPresetMessages('swipe', importModule)).toEqual([
            { role: 'system', content: '写 兰' },
            { role: 'system', content: '文风' },
            { role: 'user', content: '旅人 的要求' },
            { role: 'user', content: '楼层 {{getvar::n}}' },
            { role: 'system', content: '只在重写' },
            { role: 'assistant', content: '好的' },
        ]);
    });

    it('lets the card override the main prompt unless the preset forbids it', async () => {
        const fields = { system: '卡：{{original}}！', jailbreak: '', description: '', personality: '', persona: '', scenario: '' };
        installTavern({ chatCompletionSettings: { ...settings, prompts: [{ identifier: 'main', content: '原' }] }, getCharacterCardFields: () => fields });
        const none = () => Promise.reject(new Error('none'));
        expect(await readPresetMessages('normal', none)).toEqual([{ role: 'system', content: '卡：原！' }]);
        installTavern({ chatCompletionSettings: { ...settings, prompts: [{ identifier: 'main', content: '原', forbid_overrides: true }] }, getCharacterCardFields: () => fields });
        expect(await readPresetMessages('normal', none)).toEqual([{ role: 'system', content: '原' }]);
    });

    it('is the system prompt on text completion', async () => {
        installTavern({ mainApi: 'textgenerationwebui', powerUserSettings: { sysprompt: { enabled: true, content: '你是 {{char}}' } } });
        expect(await readPreset(undefined)).toMatchObject({ planningContext: '你是 兰', writingUserContext: '' });
    });
});

describe('macros that act', () => {
    it.each([
        ['甲{{setvar::a::{{user}}\n多行}}乙', '甲乙'],
        ['{{// 注}}甲\n\n{{trim}}\n\n乙', '甲乙'],
        ['{{SetVar::a}}值{{/setvar}}乙', '乙'],
        ['{{incvar::n}}{{getvar::n}}{{user}}', '{{getvar::n}}{{getvar::n}}{{user}}'],
        ['{{setvar::a::没有关', '{{setvar::a::没有关'],
        ['{"a":{"b":1}} {{char}}', '{"a":{"b":1}} {{char}}'],
    ])('%j becomes %j', (text, expected) => expect(withoutSilentMacros(text)).toBe(expected));
});
