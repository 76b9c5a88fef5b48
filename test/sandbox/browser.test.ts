// @vitest-environment node
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxJob, SandboxPort, SandboxResult } from '../../src/ports';

/**
 * The real thing: the bundle as it ships (one ES module), its inlined worker, in a real Chromium. Skipped only where there
 * is no browser; CHROMIUM_PATH names another one.
 */
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const out = mkdtempSync(join(tmpdir(), 'narrative-agent-sandbox-'));

declare global {
    interface Window { sandbox: SandboxPort & { dispose(): void }; maximumGap: number }
}

describe.skipIf(!existsSync(executablePath))('the sandbox in a browser', () => {
    let browser: Browser;
    let page: Page;
    let server: Server;
    const requested: string[] = [];

    beforeAll(async () => {
        await build({
            logLevel: 'error',
            build: { outDir: out, emptyOutDir: true, sourcemap: false, lib: { entry: 'src/sandbox/worker-sandbox.ts', formats: ['es'], fileName: () => 'index.js' } },
        });
        server = createServer((request, response) => {
            requested.push(request.url ?? '');
            const isScript = request.url === '/index.js';
            response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
            response.setHeader('set-cookie', 'session=secret');
            response.end(isScript ? readFileSync(join(out, 'index.js')) : '<!doctype html><title>host</title><script type="module">import { createWorkerSandbox } from "/index.js"; window.sandbox = createWorkerSandbox();</script>');
        });
        await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
        const address = server.address();
        const port = typeof address === 'object' && address !== null ? address.port : 0;
        browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
        page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${port}/`);
        await page.waitForFunction(() => window.sandbox !== undefined);
        await page.evaluate(() => {
            localStorage.setItem('api_key', 'sk-secret');
            window.maximumGap = 0;
            let last = performance.now();
            setInterval(() => {
                const now = performance.now();
                window.maximumGap = Math.max(window.maximumGap, now - last);
                last = now;
            }, 5);
        });
    }, 120_000);

    afterAll(async () => {
        await browser?.close();
        server?.close();
        rmSync(out, { recursive: true, force: true });
    });

    function run(code: string, more: Partial<SandboxJob> = {}): Promise<SandboxResult> {
        return page.evaluate((job) => window.sandbox.run(job), { code, params: {}, state: {}, seed: 's', now: 1_700_000_000_000, deadline: 500, memory: 32 * 1024 * 1024, ...more });
    }

    it('ships as one file', () => {
        expect(readdirSync(out)).toEqual(['index.js']);
    });

    it('computes, logs, checks syntax', async () => {
        expect(await run('console.log("你好"); return { dmg: Math.max(1, params.a - state.b), day: new Date().getUTCFullYear() };', { params: { a: 9 }, state: { b: 2 } }))
            .toMatchObject({ ok: true, value: { dmg: 7, day: 2023 }, log: ['你好'] });
        expect(await page.evaluate(() => window.sandbox.checkSyntax('const a = 1;\nreturn a +;'))).toMatchObject({ line: 2 });
        expect(await page.evaluate(() => window.sandbox.checkSyntax('return 1;'))).toBeNull();
        expect(requested).toEqual(expect.arrayContaining(['/', '/index.js']));
        expect(requested.filter((url) => !['/', '/index.js', '/favicon.ico'].includes(url))).toEqual([]);
    });

    it('the same seed, the same numbers', async () => {
        const code = 'return [Math.random(), Math.random()];';
        expect(await run(code)).toMatchObject({ value: (await run(code) as { value: unknown }).value });
    });

    it.each([
        'for (;;);',
        'for (;;) { try { for (;;); } catch {} }',
        'const f = () => Promise.resolve().then(f); return f();',
        'return /(a+)+b/.test("a".repeat(60));',
        'const a = []; for (;;) a.push(new Uint8Array(1 << 20));',
        'let s = "x"; for (;;) s += s;',
        'const a = []; for (;;) a.push({});',
        'return new Array(1e9).fill(0).length;',
        'function f() { return f() + 1; } return f();',
        'return eval("[".repeat(1e5) + "]".repeat(1e5));',
        'return JSON.parse("[".repeat(2e5) + "]".repeat(2e5));',
        'let o = []; for (let i = 0; i < 1e5; i++) o = [o]; return o;',
        'return "x".repeat(1e6).split("").sort(() => 0).length;',
        'return new Promise(() => {});',
    ])('is cut within a second, the page goes on: %s', async (code) => {
        await page.evaluate(() => { window.maximumGap = 0; });
        const started = Date.now();
        const result = await run(code);
        expect(result.ok, JSON.stringify(result).slice(0, 300)).toBe(false);
        expect(Date.now() - started).toBeLessThan(1_500);
        expect(result.ms).toBeLessThan(1_000);
        expect(await page.evaluate(() => window.maximumGap)).toBeLessThan(250);
        expect(await run('return 2;')).toMatchObject({ ok: true, value: 2 });
    });

    it('no page, no network, no storage, no cookies, no key', async () => {
        const names = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'importScripts', 'Worker', 'window', 'self', 'document', 'parent', 'top', 'postMessage', 'onmessage', 'localStorage', 'indexedDB', 'caches', 'navigator', 'location', 'cookieStore', 'BroadcastChannel', 'setTimeout', 'WebAssembly', 'close'];
        expect(await run(`return ${JSON.stringify(names)}.filter((name) => name in globalThis);`)).toMatchObject({ ok: true, value: [] });
        for (const code of [
            'return localStorage.getItem("api_key");', 'return document.cookie;', 'return parent.SillyTavern;', 'postMessage({ type: "done", id: 0 });', 'return (await fetch("/")).status;',
            'return await import("/index.js");', 'importScripts("/index.js");', 'return this.constructor.constructor("return fetch")();', 'return (await (async () => {}).constructor("return import(\'/index.js\')")());',
        ]) expect(await run(code), code).toMatchObject({ ok: false });
        expect(requested.filter((url) => !['/', '/index.js', '/favicon.ico'].includes(url))).toEqual([]);
        expect(requested.filter((url) => url === '/index.js')).toHaveLength(1);
    });

    it('nothing outside is changed', async () => {
        await run('Object.prototype.polluted = 1; Array.prototype.map = null; params.list.push(2); return JSON.parse(\'{"__proto__":{"polluted":1}}\');', { params: { list: [1] } });
        expect(await page.evaluate(() => [Reflect.get({}, 'polluted') === undefined, typeof [].map])).toEqual([true, 'function']);
    });

    it('abort ends a running job', async () => {
        const kind = await page.evaluate(async () => {
            const controller = new AbortController();
            setTimeout(() => controller.abort(), 50);
            const started = performance.now();
            const result = await window.sandbox.run({ code: 'for (;;);', params: {}, state: {}, seed: '', now: 0, deadline: 5_000, memory: 1 << 25 }, controller.signal);
            return [result.ok ? 'ok' : result.kind, performance.now() - started < 400];
        });
        expect(kind).toEqual(['aborted', true]);
        expect(await run('return 3;')).toMatchObject({ value: 3 });
    });
});
