import { beforeEach, describe, expect, it } from 'vitest';
import { openHost, type MemoryHost } from './memory-host';
import type { Server } from './memory-tavern';

const config = { pipeline: { delivery: 'relay' } };
const fresh = (): Server => ({ files: new Map([['one', JSON.stringify([{ chat_metadata: {} }, { name: '兰', is_user: false, is_system: false, mes: '开场。', extra: {} }])], ['two', JSON.stringify([{ chat_metadata: {} }])]]), active: 'one' });
const page = (server: Server): Promise<MemoryHost> => openHost({ server, config, write: () => ({ pieces: ['…'], end: 'whole' }) });
const texts = (host: MemoryHost): string[] => host.tavern.context.chat.map((message) => message.mes);
const stored = (server: Server, chat: string): string[] => (JSON.parse(server.files.get(chat) ?? '[]') as { mes?: string }[]).slice(1).map((row) => row.mes ?? '');

/** Begins a turn whose narrative never comes. */
async function hangingTurn(host: MemoryHost): Promise<void> {
    host.model.moods.push('hang');
    void host.tavern.send('走');
    while (!host.model.calls.includes('mergedWriting')) if (!(await host.clock.step())) await host.clock.breathe();
    expect(texts(host)).toEqual(['开场。', '走', '…']);
}

describe('the placeholder of a relay', () => {
    let server: Server;
    beforeEach(() => {
        server = fresh();
        localStorage.clear();
    });

    it('is taken back when its chat is opened in a new page, and the user is told', async () => {
        const first = await page(server);
        await hangingTurn(first);
        expect(stored(server, 'one')).toEqual(['开场。', '走', '…']);
        first.leave();
        const second = await page(server);
        await second.clock.settle();
        expect(texts(second)).toEqual(['开场。', '走']);
        expect(stored(server, 'one')).toEqual(['开场。', '走']);
        expect(second.model.calls).toEqual([]);
        expect(second.session.notices().map((notice) => notice.code)).toEqual(['pipeline.relay-interrupted']);
        void second.tavern.send('再走');
        await second.clock.settle();
        expect(second.model.calls).toEqual(['mergedWriting', 'mergedAnalysis']);
        expect(texts(second).at(-1)).toContain('<context>');
        expect(second.errors).toEqual([]);
    });

    it('is taken back when its chat is opened again after another', async () => {
        const host = await page(server);
        await hangingTurn(host);
        await host.tavern.open('two');
        await host.clock.settle();
        expect(texts(host)).toEqual([]);
        await host.tavern.open('one');
        await host.clock.settle();
        expect(texts(host)).toEqual(['开场。', '走']);
        expect(host.errors).toEqual([]);
    });

    it('stays in no record when its writing fails for good, and a finished turn is none', async () => {
        const host = await page(server);
        host.model.moods.push('http', 'http');
        void host.tavern.send('走');
        await host.clock.settle();
        expect(texts(host)).toEqual(['开场。', '走']);
        expect(host.session.notices().map((notice) => notice.code)).toContain('pipeline.call-http');
        void host.tavern.send('再走');
        await host.clock.settle();
        const written = texts(host).at(-1);
        await host.tavern.open('two');
        await host.tavern.open('one');
        await host.clock.settle();
        expect(texts(host).at(-1)).toBe(written);
    });
});
