// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { recogniseAgent } from './agent';
import { startModelServer } from './server';
import { storyteller } from './storyteller';
import { readEvents, tell } from './story';
import { playLines } from '../world';

const request = (system: string, user: string) => ({ messages: [{ role: 'system', content: system }, { role: 'user', content: user }] });

describe('recogniseAgent', () => {
    it.each([
        ['planning', request('规划', '<user_input>\n走\n</user_input>\n\n请生成写作指导。')],
        ['mergedAnalysis', request('输出 {"events": [], "summary_entries": []}', '第3轮')],
        ['mvuExtract', request('【任务：变量状态提取】', '…')],
        ['mergedWriting', request('写作', '<user_input>\n走\n</user_input>\n\n【思维模式要求】先想再写')],
        ['writing', request('写作', '<writing_guide>\n叙事方向：…\n</writing_guide>\n<user_input>\n走\n</user_input>')],
        ['chat', request("Write the Guard's next reply", '你好')],
    ] as const)('knows %s by its prompt', (agent, body) => {
        expect(recogniseAgent(body)).toBe(agent);
    });
});

describe('the story', () => {
    it('tells what the analysing agent finds again', () => {
        const story = tell({ userLine: playLines[0] ?? '', lore: '北塔午夜后禁止开门；只有摄政官的书面命令可以解除禁令。', success: true, npc: '沈眠', turn: 0 });
        expect(story).toContain('北塔午夜后禁止开门');
        expect(readEvents(story, '').map((event) => event.type)).toEqual(['pass_time', 'add_item', 'remove_item', 'modify_relationship', 'start_quest']);
        const journey = tell({ userLine: playLines[2] ?? '', lore: '', success: null, npc: '沈眠', turn: 2 });
        expect(readEvents(journey, '任务：取得摄政官的手令')).toContainEqual({ type: 'move', params: { location: '钟楼' } });
        expect(readEvents(journey, '任务：取得摄政官的手令').map((event) => event.type)).toContain('advance_quest');
    });
});

describe('the server', () => {
    it('streams, logs, and knows when the other side went away', async () => {
        const server = await startModelServer(storyteller);
        try {
            const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: '我前往钟楼' }] });
            const post = (signal?: AbortSignal) => fetch(`${server.url}/chat/completions`, { method: 'POST', body, ...(signal ? { signal } : {}) });
            const text = await (await post()).text();
            expect(text).toContain('data: [DONE]');
            expect(text).toContain('"finish_reason":"stop"');
            expect(server.requests[0]).toMatchObject({ agent: 'chat', aborted: false, status: 200, rawBody: body });
            expect(server.requests[0]?.sent).toContain('你来到了钟楼。');

            server.setAnswerer(() => ({ hang: true }));
            const stop = new AbortController();
            const hanging = post(stop.signal);
            setTimeout(() => stop.abort(), 50);
            await expect(hanging).rejects.toThrow();
            await expect.poll(() => server.requests[1]?.aborted).toBe(true);

            server.setAnswerer(() => ({ status: 429, errorMessage: 'slow down' }));
            const refused = await post();
            expect(refused.status).toBe(429);
            expect(await refused.text()).toContain('slow down');
        } finally {
            await server.close();
        }
    });
});
