// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { SandboxJob } from '../../src/ports';
import type { WorkerRequest, WorkerResponse } from '../../src/sandbox/protocol';
import { createWorkerSandbox, type SandboxWorkerHandle } from '../../src/sandbox/worker-sandbox';

const job: SandboxJob = { code: 'return 1;', params: { a: 1 }, state: {}, seed: 's', now: 0, deadline: 50, memory: 1 << 24 };

/** A worker that answers as told. */
function fakeWorkers(answer: (request: WorkerRequest, reply: (response: WorkerResponse) => void) => void, starts = true) {
    const live = { spawned: 0, terminated: 0, requests: [] as WorkerRequest[] };
    const spawn = (): SandboxWorkerHandle => {
        live.spawned++;
        let listener: (event: { data: unknown }) => void = () => undefined;
        const reply = (response: WorkerResponse) => { setTimeout(() => listener({ data: response }), 0); };
        return {
            addEventListener: (type: string, callback: unknown) => {
                if (type !== 'message') return;
                listener = callback as typeof listener;
                if (starts) reply({ type: 'ready' });
            },
            postMessage: (request: WorkerRequest) => {
                live.requests.push(request);
                answer(request, reply);
            },
            terminate: () => { live.terminated++; },
        } as unknown as SandboxWorkerHandle;
    };
    return { spawn, live };
}

const done = (id: number, text: string, broken = false): WorkerResponse => ({ type: 'done', id, outcome: { ok: true, text, log: [], ms: 1 }, broken });

describe('createWorkerSandbox', () => {
    it('spawns nothing before the first job, then one worker for all', async () => {
        const { spawn, live } = fakeWorkers((request, reply) => reply(done(request.id, '[1]')));
        const sandbox = createWorkerSandbox(spawn);
        expect(live.spawned).toBe(0);
        const results = await Promise.all([sandbox.run(job), sandbox.run(job), sandbox.run(job)]);
        expect(results).toEqual(results.map(() => ({ ok: true, value: [1], log: [], ms: 1 })));
        expect(live.spawned).toBe(1);
        expect(live.requests[0]).toMatchObject({ type: 'run', task: { params: '{"a":1}', state: '{}', deadline: 50 } });
        sandbox.dispose();
        expect(live.terminated).toBe(1);
    });

    it('kills a worker that does not answer, and the next job has a new one', async () => {
        let silent = true;
        const { spawn, live } = fakeWorkers((request, reply) => { if (!silent) reply(done(request.id, '2')); });
        const sandbox = createWorkerSandbox(spawn);
        const started = performance.now();
        const hung = sandbox.run(job);
        const next = sandbox.run(job);
        expect(await hung).toMatchObject({ ok: false, kind: 'timeout' });
        silent = false;
        expect(performance.now() - started).toBeLessThan(600);
        expect(live.terminated).toBe(1);
        expect(await sandbox.run(job)).toMatchObject({ ok: true, value: 2 });
        await next;
        sandbox.dispose();
    });

    it('a job asks for 5 s at most', async () => {
        const { spawn, live } = fakeWorkers((request, reply) => reply(done(request.id, '1')));
        const sandbox = createWorkerSandbox(spawn);
        await sandbox.run({ ...job, deadline: 999_999 });
        expect(live.requests[0]).toMatchObject({ task: { deadline: 5_000 } });
        sandbox.dispose();
    });

    it('abort kills the worker at once', async () => {
        const { spawn, live } = fakeWorkers(() => undefined);
        const sandbox = createWorkerSandbox(spawn);
        const controller = new AbortController();
        const run = sandbox.run({ ...job, deadline: 5_000 }, controller.signal);
        setTimeout(() => controller.abort(), 20);
        const started = performance.now();
        expect(await run).toMatchObject({ ok: false, kind: 'aborted' });
        expect(performance.now() - started).toBeLessThan(500);
        expect(live.terminated).toBe(1);
        expect(await sandbox.run(job, controller.signal)).toMatchObject({ kind: 'aborted' });
        expect(live.spawned).toBe(1);
    });

    it('replaces a broken engine', async () => {
        const { spawn, live } = fakeWorkers((request, reply) => reply(done(request.id, '1', true)));
        const sandbox = createWorkerSandbox(spawn);
        expect(await sandbox.run(job)).toMatchObject({ ok: true });
        expect(await sandbox.run(job)).toMatchObject({ ok: true });
        expect(live).toMatchObject({ spawned: 2, terminated: 2 });
    });

    it('says so when the engine cannot load or a worker cannot be had', async () => {
        const failing = fakeWorkers(() => undefined, false);
        const sandbox = createWorkerSandbox(() => {
            const worker = failing.spawn();
            const listen = worker.addEventListener.bind(worker) as (type: string, callback: unknown) => void;
            return { ...worker, addEventListener: ((type: string, callback: (event: { data: unknown }) => void) => {
                listen(type, callback);
                if (type === 'message') setTimeout(() => callback({ data: { type: 'failed', message: 'no wasm' } }), 0);
            }) as never };
        });
        expect(await sandbox.run(job)).toMatchObject({ ok: false, kind: 'error', message: 'no wasm' });
        const refused = createWorkerSandbox(() => { throw new Error('blocked by policy'); });
        expect(await refused.run(job)).toMatchObject({ ok: false, kind: 'error', message: 'blocked by policy' });
        expect(await refused.checkSyntax('return 1;')).toBeNull();
    });

    it('passes on the syntax fault with its line', async () => {
        const { spawn } = fakeWorkers((request, reply) => reply({ type: 'done', id: request.id, outcome: { ok: false, kind: 'syntax', message: 'SyntaxError: x', line: 3, log: [], ms: 0 }, broken: false }));
        const sandbox = createWorkerSandbox(spawn);
        expect(await sandbox.checkSyntax('return')).toEqual({ message: 'SyntaxError: x', line: 3 });
        expect(await sandbox.run(job)).toMatchObject({ ok: false, kind: 'syntax', message: 'SyntaxError: x (line 3)' });
        sandbox.dispose();
    });
});
