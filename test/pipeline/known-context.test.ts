import { describe, expect, it } from 'vitest';
import { openHost } from './memory-host';

const entry = (uid: number, comment: string, content: string) => ({ uid, key: [], keysecondary: [], comment, content, constant: true, position: 0, order: uid, selective: false });
const book = {
    name: '书', origin: 'card' as const, shape: 'world' as const,
    data: {
        entries: {
            0: entry(0, '[LOCATION] 北塔', '塔门午夜关闭。'),
            1: entry(1, '[NPC] 沈眠', '守夜人。'),
            2: entry(2, '[QUEST] 取得手令', '找摄政官。'),
            3: entry(3, '[TOOL:note]', JSON.stringify({ type: 'llm', trigger: 'post_pipeline', function: { name: 'note', description: '记', parameters: { type: 'object', properties: {} } }, context: ['known_context'], system_prompt: '记' })),
        },
    },
};
const row = { name: '兰', is_user: false, is_system: false, mes: '雾很浓。', extra: {}, swipe_id: 0, swipes: ['雾很浓。'], swipe_info: [{ extra: {} }] };

async function toolPrompt(autoSyncWorldInfo: boolean): Promise<string> {
    const host = await openHost({ server: { files: new Map([['main', JSON.stringify([{ chat_metadata: {} }, row])]]), active: 'main' }, book, config: { state: { autoSyncWorldInfo } } });
    const prompts: string[] = [];
    const { call } = host.model;
    host.model.call = (request, signal) => {
        if (request.purpose === 'tool:note') prompts.push(request.messages.map((message) => message.content).join('\n'));
        return call(request, signal);
    };
    const told = host.tavern.send('走');
    await host.clock.settle();
    await told;
    host.leave();
    return prompts.join('\n');
}

describe('known places, people and quests of the worldbook', () => {
    it('reach the known_context of tools while they are synchronised', async () => {
        const prompt = await toolPrompt(true);
        expect(/<known_context>([\s\S]*?)<\/known_context>/.exec(prompt)?.[1]).toMatch(/北塔[\s\S]*沈眠[\s\S]*取得手令/);
    });

    it('and not where the setting is off', async () => {
        const prompt = await toolPrompt(false);
        expect(/<known_context>([\s\S]*?)<\/known_context>/.exec(prompt)?.[1]).not.toMatch(/北塔|沈眠|取得手令/);
    });
});
