import { beforeEach, describe, expect, it } from 'vitest';
import { openHost, type MemoryHost } from './memory-host';

const page = (): Promise<MemoryHost> => openHost({
    server: { files: new Map([['one', JSON.stringify([{ chat_metadata: {} }, { name: '兰', is_user: false, is_system: false, mes: '<context>开场。</context>', extra: {} }])]]), active: 'one' },
    config: { pipeline: { enableTextRecall: true } },
});
const greetingStatus = (host: MemoryHost): unknown => (host.tavern.context.chat[0]?.extra?.['narrative_agent'] as { status?: string } | undefined)?.status;

/** Lets one agent's calls hang until the returned function is called. */
function hold(host: MemoryHost, purpose: string): () => void {
    const call = host.model.call;
    let letGo: () => void = () => undefined;
    const free = new Promise<void>((resolve) => {
        letGo = resolve;
    });
    host.model.call = async (request, signal) => {
        if (request.purpose === purpose) await free;
        return call(request, signal);
    };
    return letGo;
}

async function until(host: MemoryHost, reached: () => boolean): Promise<void> {
    for (let step = 0; step < 2000 && !reached(); step += 1) if (!(await host.clock.step())) await host.clock.breathe();
    expect(reached()).toBe(true);
}

describe('the progress line', () => {
    beforeEach(() => localStorage.clear());

    it('stays with the turn while the greeting is analysed behind it', async () => {
        const host = await page();
        const letGo = hold(host, 'planning');
        void host.tavern.send('走');
        await until(host, () => greetingStatus(host) === 'complete');
        expect(host.session.progress()).toMatchObject({ stage: 'planning', stoppable: true });
        letGo();
        await host.clock.settle();
        expect(host.session.progress()).toBeNull();
        expect(host.tavern.context.chat.at(-1)?.mes).toContain('<context>');
    });

    it('goes to what runs behind the turn when that is over', async () => {
        const host = await page();
        const letGo = hold(host, 'mergedAnalysis');
        void host.tavern.send('走');
        await until(host, () => !host.tavern.generating() && host.tavern.context.chat.length === 3);
        await host.clock.breathe();
        expect(host.session.progress()).toMatchObject({ stage: 'analysis', stoppable: true });
        letGo();
        await host.clock.settle();
        expect(host.session.progress()).toBeNull();
    });

    it('is empty after Stop, whatever ran', async () => {
        const host = await page();
        hold(host, 'planning');
        void host.tavern.send('走');
        await until(host, () => greetingStatus(host) === 'complete');
        host.tavern.stop();
        await host.clock.settle();
        expect(host.session.progress()).toBeNull();
    });
});
