// @vitest-environment node
import { expect, it } from 'vitest';
import type { SandboxJob } from '../../src/ports';
import { createPageExecution } from '../../src/sandbox/page-execution';

const page = createPageExecution();
const job = (code: string, more: Partial<SandboxJob> = {}): SandboxJob => ({ code, params: {}, state: {}, seed: '', now: 0, deadline: 50, memory: 0, ...more });

it('runs the seed\'s way, with params and state', async () => {
    expect(await page.run(job('return params.a + state.b;', { params: { a: 1 }, state: { b: 2 } }))).toMatchObject({ ok: true, value: 3 });
    expect(await page.run(job('return await Promise.resolve(globalThis === undefined);'))).toMatchObject({ ok: true, value: false });
    expect(await page.run(job('1;'))).toMatchObject({ ok: true, value: null });
});

it('hands out copies', async () => {
    const state = { list: [1] };
    await page.run(job('state.list.push(2);', { state }));
    expect(state).toEqual({ list: [1] });
});

it('throws, syntax errors, late promises and aborts are results', async () => {
    expect(await page.run(job('throw new Error("x");'))).toMatchObject({ ok: false, kind: 'error', message: 'Error: x' });
    expect(await page.run(job('return a +;'))).toMatchObject({ ok: false, kind: 'syntax' });
    expect(await page.run(job('return new Promise(() => {});'))).toMatchObject({ ok: false, kind: 'timeout' });
    const controller = new AbortController();
    const run = page.run(job('return new Promise(() => {});', { deadline: 5_000 }), controller.signal);
    controller.abort();
    expect(await run).toMatchObject({ ok: false, kind: 'aborted' });
    expect(await page.checkSyntax('} {')).toMatchObject({ message: expect.stringContaining('SyntaxError') });
    expect(await page.checkSyntax('return 1;')).toBeNull();
});
