// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { SandboxJob } from '../../src/ports';
import { createInProcessSandbox } from './in-process-sandbox';

const sandbox = createInProcessSandbox();
const now = Date.UTC(2024, 4, 6, 7, 8, 9);

function run(code: string, more: Partial<SandboxJob> = {}) {
    return sandbox.run({ code, params: {}, state: {}, seed: 'seed', now, deadline: 500, memory: 32 * 1024 * 1024, ...more });
}

async function value(code: string, more: Partial<SandboxJob> = {}): Promise<unknown> {
    const result = await run(code, more);
    if (!result.ok) throw new Error(`${result.kind}: ${result.message}`);
    return result.value;
}

async function failure(code: string, more: Partial<SandboxJob> = {}): Promise<{ kind: string; message: string }> {
    const result = await run(code, more);
    if (result.ok) throw new Error(`unexpected value ${JSON.stringify(result.value)}`);
    return { kind: result.kind, message: result.message };
}

describe('what an author gets', () => {
    it('runs the seed\'s example', async () => {
        const code = 'const dmg = params.base_damage - (params.armor || 0); return Math.max(1, dmg);';
        expect(await value(code, { params: { base_damage: 12, armor: 5 } })).toBe(7);
        expect(await value(code, { params: { base_damage: 2, armor: 5 } })).toBe(1);
    });

    it('reads the state by name', async () => {
        expect(await value('return state.location + state.inventory["铜钥匙"];', { state: { location: '矿洞', inventory: { 铜钥匙: 2 } } })).toBe('矿洞2');
    });

    it.each<[string, unknown]>([
        ['return { a: [1, "二", null, true] };', { a: [1, '二', null, true] }],
        ['return;', null],
        ['', null],
        ['return undefined;', null],
        ['return () => 1;', null],
        ['return NaN;', null],
        ['return new Date();', '2024-05-06T07:08:09.000Z'],
        ['return Promise.resolve(3);', 3],
        ['const a = await Promise.resolve(2); return a + 1;', 3],
        ['return new Promise((resolve) => resolve(Promise.resolve([1])));', [1]],
        ['return "a</script>\\u2028\\u0000é😀";', 'a</script>\u2028\u0000é😀'],
    ])('%s', async (code, expected) => {
        expect(await value(code)).toEqual(expected);
    });

    it('seeds Math.random and fixes Date', async () => {
        const code = 'return [Math.random(), Math.random(), Date.now(), new Date().getTime(), +new Date(0), typeof Date(), new Date() instanceof Date];';
        const first = await value(code);
        expect(await value(code)).toEqual(first);
        expect(await value(code, { seed: 'other' })).not.toEqual(first);
        expect(first).toEqual([expect.any(Number), expect.any(Number), now, now, 0, 'string', true]);
    });

    it('captures the console, capped', async () => {
        const result = await run('console.log("血量", { hp: 3 }, undefined); console.warn(new TypeError("x")); return 1;');
        expect(result.log).toEqual(['血量 {"hp":3} undefined', '[warn] TypeError: x']);
        const flood = await run('for (let i = 0; i < 10000; i++) console.log("y".repeat(5000)); return 1;');
        expect(flood.log.length).toBeLessThanOrEqual(101);
        expect(JSON.stringify(flood.log).length).toBeLessThan(60_000);
    });

    it('keeps the log of a failed run and names the line', async () => {
        const result = await run('console.log("before");\nconst a = 1;\nthrow new Error("没有弹药");');
        expect(result).toMatchObject({ ok: false, kind: 'error', message: '没有弹药 (line 3)', log: ['before'] });
        expect(await failure('null.x')).toMatchObject({ kind: 'error', message: expect.stringMatching(/^TypeError: .*line 1/) });
        expect(await failure('throw "text"')).toMatchObject({ kind: 'error', message: 'text' });
        expect(await failure('throw null')).toMatchObject({ kind: 'error', message: expect.stringContaining('null') });
        expect(await failure('return Promise.reject(new Error("later"))')).toMatchObject({ kind: 'error', message: expect.stringContaining('later') });
        expect(await failure('const a = {}; a.a = a; return a;')).toMatchObject({ kind: 'error' });
    });

    it('tells time and memory', async () => {
        const result = await run('return new Array(1000).fill("x").join("");');
        expect(result.ok && (result.memory ?? 0)).toBeGreaterThan(10_000);
        expect(result.ms).toBeGreaterThanOrEqual(0);
    });

    it('checks syntax with the line', async () => {
        expect(await sandbox.checkSyntax('const a = 1;\nreturn a;')).toBeNull();
        expect(await sandbox.checkSyntax('throw new Error("never run")')).toBeNull();
        expect(await sandbox.checkSyntax('for (;;);')).toBeNull();
        expect(await sandbox.checkSyntax('const a = 1;\nreturn a +;\n')).toMatchObject({ line: 2, message: expect.stringContaining('SyntaxError') });
        expect(await sandbox.checkSyntax('if (a) {')).toMatchObject({ message: expect.any(String) });
        expect(await sandbox.checkSyntax('} {')).toMatchObject({ message: expect.any(String) });
    });
});

describe('what an attacker does not get', () => {
    it.each([
        ['endless loop', 'for (;;);'],
        ['endless loop that catches', 'for (;;) { try { for (;;); } catch (e) {} }'],
        ['endless loop in finally', 'try { for (;;); } finally { for (;;); }'],
        ['endless promise chain', 'const again = () => Promise.resolve().then(again); return again();'],
        ['endless await loop', 'for (;;) await null;'],
        ['promise flood', 'const f = () => { Promise.resolve().then(f); Promise.resolve().then(f); }; f(); return new Promise(() => {});'],
        ['a regular expression that backtracks', 'return /(a+)+b/.test("a".repeat(60));'],
        ['endless getter in the error', 'throw { get message() { for (;;); } };'],
        ['endless toJSON', 'return { toJSON() { for (;;); } };'],
        ['endless sort', 'return Array.from({ length: 1e5 }, (_, i) => i).sort(() => { for (;;); });'],
        ['endless generator', 'const g = function* () { for (;;) yield 1; }; return [...g()].length;'],
    ])('cuts: %s', async (_name, code) => {
        const started = performance.now();
        const { kind } = await failure(code, { deadline: 200 });
        expect(['timeout', 'memory']).toContain(kind);
        expect(performance.now() - started).toBeLessThan(1_000);
    });

    it.each([
        ['doubling string', 'let s = "x"; for (;;) s += s;'],
        ['big array', 'return new Array(1e9).fill(0).length;'],
        ['big buffer', 'return new ArrayBuffer(2 ** 31 - 1).byteLength;'],
        ['many objects', 'const a = []; for (;;) a.push(new Array(1000).fill(a.length));'],
        ['repeat', 'return "x".repeat(2 ** 29);'],
        ['BigInt', 'let r = 3n; for (;;) r = r ** 2n;'],
        ['typed arrays', 'const a = []; for (;;) a.push(new Uint8Array(1 << 20));'],
    ])('refuses memory: %s', async (_name, code) => {
        const started = performance.now();
        const { kind } = await failure(code, { deadline: 500, memory: 16 * 1024 * 1024 });
        expect(['memory', 'timeout', 'error']).toContain(kind);
        expect(performance.now() - started).toBeLessThan(1_500);
    });

    it('says so where no memory is left even for an error', async () => {
        for (const code of ['let o = {}; for (;;) o = { o };', 'const s = new Set(); for (;;) s.add({});']) {
            const { kind, message } = await failure(code, { deadline: 3_000 });
            expect(['error', 'memory']).toContain(kind);
            expect(message).toMatch(/memory/);
        }
    });

    it.each([
        ['recursion', 'function f() { return f() + 1; } return f();'],
        ['native recursion', 'function f(n) { return [1].map(() => f(n + 1)); } return f(0);'],
        ['deep literal', 'return eval("[".repeat(1e5) + "]".repeat(1e5));'],
        ['deep JSON', 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5));'],
        ['deep result', 'let o = []; for (let i = 0; i < 5000; i++) o = [o]; return o;'],
        ['proxy recursion', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.a;'],
        ['endless nesting through toJSON', 'return { toJSON() { return { a: this }; } };'],
    ])('survives: %s', async (_name, code) => {
        expect(await failure(code)).toMatchObject({ kind: expect.stringMatching(/error|memory|timeout/) });
        expect(await value('return 1 + 1;')).toBe(2);
    });

    it.each([
        'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'importScripts', 'Worker', 'window', 'self', 'document', 'parent', 'top', 'opener', 'frames',
        'postMessage', 'localStorage', 'sessionStorage', 'indexedDB', 'caches', 'navigator', 'location', 'cookieStore', 'setTimeout', 'setInterval',
        'queueMicrotask', 'process', 'require', 'module', 'global', 'Deno', 'SillyTavern', 'Mvu', 'TavernHelper', 'extension_settings', 'performance',
        'crypto', 'WebAssembly', 'alert', 'structuredClone', 'jQuery', 'toastr',
    ])('has no %s', async (name) => {
        expect(await value(`return [typeof ${name}, ${JSON.stringify(name)} in globalThis];`)).toEqual(['undefined', false]);
    });

    it('imports nothing', async () => {
        expect(await failure('return (await import("https://example.com/x.js")).default;')).toMatchObject({ kind: 'error' });
        expect(await failure('return (await import("data:text/javascript,export default 1")).default;')).toMatchObject({ kind: 'error' });
        expect(await failure('import x from "y"; return x;')).toMatchObject({ kind: 'syntax' });
    });

    it.each([
        'return this.constructor.constructor("return typeof process")();',
        'return (() => {}).constructor("return typeof fetch")();',
        'return console.log.constructor("return typeof window")();',
        'return Math.random.constructor("return typeof document")();',
        'try { null.x } catch (e) { return e.constructor.constructor("return typeof require")(); }',
        'return (async () => {}).constructor("return typeof self")();',
        'return params.constructor.constructor("return typeof postMessage")();',
        'return Reflect.construct(Function, ["return typeof importScripts"])();',
        'return (0, eval)("typeof localStorage");',
    ])('a constructor leads nowhere: %s', async (code) => {
        const result = await run(code);
        expect(result.ok ? result.value : 'undefined').toBe('undefined');
    });

    it('pollutes no prototype outside', async () => {
        await run('Object.prototype.polluted = 1; Array.prototype.push = () => 0; params.__proto__.x = 1; state.constructor.prototype.y = 1; return JSON.parse("{\\"__proto__\\": {\\"polluted\\": 1}}");');
        const probe: Record<string, unknown> = {};
        expect(probe['polluted']).toBeUndefined();
        expect(probe['x']).toBeUndefined();
        expect(probe['y']).toBeUndefined();
        expect(await value('return [typeof ({}).polluted, [].push(1)];')).toEqual(['undefined', 1]);
    });

    it('an own __proto__ key in the result stays data', async () => {
        const result = await value('return JSON.parse("{\\"__proto__\\": {\\"polluted\\": 1}}");');
        expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    it('changes nothing of what it was given', async () => {
        const params = { list: [1] };
        const state = { location: '起点', inventory: { 剑: 1 } };
        await run('params.list.push(2); state.location = "别处"; delete state.inventory.剑; return 1;', { params, state });
        expect(params).toEqual({ list: [1] });
        expect(state).toEqual({ location: '起点', inventory: { 剑: 1 } });
    });

    it('bends its own JSON and globals without reaching the host', async () => {
        expect(await run('JSON.stringify = () => "{"; return { a: 1 };')).toMatchObject({ ok: true, value: { a: 1 } });
        expect(await run('Object.prototype.toJSON = function () { return "bent"; }; throw new Error("x");')).toMatchObject({ ok: false, kind: 'error' });
        expect(await run('String.prototype.slice = () => ({}); throw new Error("x");')).toMatchObject({ ok: false });
        expect(await run('Promise.prototype.then = () => { throw 1; }; return 5;')).toMatchObject({ ok: true, value: 5 });
        expect(await run('Object.defineProperty(Object.prototype, "then", { get() { throw 2; } }); return { a: 1 };')).toHaveProperty('ok');
        expect(await run('globalThis.Math = null; globalThis.Date = null; console = null; return 1;')).toMatchObject({ ok: true, value: 1 });
    });

    it('leaves nothing to the next tool', async () => {
        await run('globalThis.secret = params.key; Math.max = () => 99; return 1;', { params: { key: 'k' } });
        expect(await value('return [typeof secret, Math.max(1, 2)];')).toEqual(['undefined', 2]);
    });

    it('caps the result', async () => {
        expect(await failure('return "x".repeat(1e6);')).toMatchObject({ kind: 'error', message: expect.stringContaining('longer') });
    });

    it('a promise that never settles is an error, at once', async () => {
        const started = performance.now();
        expect(await failure('return new Promise(() => {});')).toMatchObject({ kind: 'error', message: expect.stringContaining('never settles') });
        expect(performance.now() - started).toBeLessThan(200);
    });
});
