import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core';
import seedrandom from 'seedrandom';
import { guestLineOffset, guestPrelude } from './guest-prelude';
import { isDeeperThan } from './json-depth';
import { sandboxLimits } from './limits';
import type { SandboxOutcome, SandboxTask } from './protocol';

const neverSettles = 'the returned promise never settles';

/** Jobs between two looks at the clock while promises are pending. */
const jobsPerSlice = 64;

/**
 * Runs one task in a fresh QuickJS runtime and context: no host objects, no modules, no clock and no randomness of its
 * own. The result is text. `broken` tells that the engine itself failed and must be thrown away: its stack overflowed
 * beyond what QuickJS counts, or it aborted. Never throws. `clock` is in ms; it measures, the code does not see it.
 */
export function runInQuickJs(
    module: QuickJSWASMModule,
    task: SandboxTask,
    options: { clock?: () => number; checkOnly?: boolean } = {},
): { outcome: SandboxOutcome; broken: boolean } {
    const clock = options.clock ?? (() => performance.now());
    const started = clock();
    const end = started + Math.min(task.deadline, sandboxLimits.deadline);
    const log: string[] = [];
    let interrupted = false;
    const elapsed = () => Math.round(clock() - started);
    const fail = (kind: 'error' | 'timeout' | 'memory' | 'syntax', message: string, line?: number): SandboxOutcome =>
        ({ ok: false, kind, message, ...(line === undefined ? {} : { line }), log, ms: elapsed() });
    const overdue = () => {
        if (clock() > end) interrupted = true;
        return interrupted;
    };

    let runtime: QuickJSRuntime | undefined;
    let context: QuickJSContext | undefined;
    const handles: QuickJSHandle[] = [];
    let outcome: SandboxOutcome;
    try {
        runtime = module.newRuntime();
        runtime.setMemoryLimit(Math.min(task.memory, sandboxLimits.memory));
        runtime.setMaxStackSize(sandboxLimits.stack);
        runtime.setInterruptHandler(overdue);
        context = runtime.newContext();
        const settled = drive(runtime, context, task, handles, log, overdue, options.checkOnly === true);
        if (interrupted) outcome = fail('timeout', `stopped after ${Math.round(end - started)} ms`);
        else if (!settled.ok) outcome = fail(settled.kind, settled.message);
        else outcome = read(settled.text, fail, () => ({ ok: true, text: settled.text.slice(1), log, ms: elapsed() }));
        if (outcome.ok) outcome.memory = memoryOf(runtime, context);
        else if (outcome.kind === 'error' && mayBeNoMemory(outcome.message) && isExhausted(module)) outcome = fail('memory', 'out of memory');
    } catch (error) {
        // The host side threw: the engine ran out of the host's stack, or aborted. Disposing it would abort again.
        const stack = error instanceof RangeError;
        return { outcome: interrupted ? fail('timeout', 'stopped') : fail(stack ? 'error' : 'memory', stack ? 'stack overflow' : String(error).slice(0, 300)), broken: true };
    }
    try {
        for (const handle of handles.reverse()) handle.dispose();
        context.dispose();
        runtime.dispose();
        return { outcome, broken: false };
    } catch {
        // A leak inside the engine (after an interrupt or an exhausted memory): the result stands, the engine goes.
        return { outcome, broken: true };
    }
}

type Settled = { ok: true; text: string } | { ok: false; kind: 'error' | 'memory'; message: string };

/** Loads the prelude, starts the driver and runs pending jobs until its promise settles or time is up. */
function drive(runtime: QuickJSRuntime, context: QuickJSContext, task: SandboxTask, handles: QuickJSHandle[], log: string[], overdue: () => boolean, checkOnly: boolean): Settled {
    const keep = (handle: QuickJSHandle) => {
        handles.push(handle);
        return handle;
    };
    const random = seedrandom(task.seed);
    const randomHandle = keep(context.newFunction('random', () => context.newNumber(random())));
    const writeHandle = keep(context.newFunction('write', (line) => {
        if (log.length > sandboxLimits.logLines) return;
        if (log.length === sandboxLimits.logLines) log.push('…');
        else log.push(shortText(context, line));
    }));
    const failure = (error: QuickJSHandle): Settled => {
        const message = shortText(context, keep(error));
        return { ok: false, kind: isMemoryMessage(message) ? 'memory' : 'error', message };
    };

    const prelude = context.evalCode(guestPrelude, 'prelude.js');
    if (prelude.error) return failure(prelude.error);
    const driver = context.callFunction(keep(prelude.value), context.undefined, randomHandle, writeHandle, keep(context.newNumber(task.now)));
    if (driver.error) return failure(driver.error);
    const promise = context.callFunction(
        keep(driver.value), context.undefined,
        keep(context.newString(task.code)), keep(context.newString(task.params)), keep(context.newString(task.state)),
        checkOnly ? context.false : context.true,
    );
    if (promise.error) return failure(promise.error);
    keep(promise.value);

    for (;;) {
        const state = context.getPromiseState(promise.value);
        if (state.type === 'fulfilled') return { ok: true, text: resultText(context, keep(state.value)) };
        if (state.type === 'rejected') return failure(state.error);
        if (overdue()) return { ok: false, kind: 'error', message: 'timeout' };
        if (!runtime.hasPendingJob()) return { ok: false, kind: 'error', message: neverSettles };
        const jobs = runtime.executePendingJobs(jobsPerSlice);
        if (jobs.error) keep(jobs.error);
    }
}

/** Judges the driver's text by its mark (see guest-prelude). */
function read(text: string, fail: (kind: 'error' | 'memory' | 'syntax', message: string, line?: number) => SandboxOutcome, succeed: () => SandboxOutcome): SandboxOutcome {
    if (text === '') return fail('error', `the result is longer than ${sandboxLimits.resultLength} characters`);
    if (text.startsWith('v')) {
        if (isDeeperThan(text, sandboxLimits.resultDepth)) return fail('error', `the result nests deeper than ${sandboxLimits.resultDepth}`);
        return succeed();
    }
    const { name, message, stack } = readGuestError(text.slice(1));
    const line = /<input>:(\d+)/.exec(stack)?.[1];
    const kind = text.startsWith('s') ? 'syntax' : isMemoryMessage(message) ? 'memory' : 'error';
    return fail(kind, name === '' || name === 'Error' ? message : `${name}: ${message}`, line === undefined ? undefined : Math.max(1, Number(line) - guestLineOffset));
}

/** The error as the driver described it. The code may have bent the guest's JSON: what is no text reads as ''. */
function readGuestError(json: string): { name: string; message: string; stack: string } {
    let parsed: Record<string, unknown> = {};
    try {
        const value: unknown = JSON.parse(json);
        if (typeof value === 'object' && value !== null) parsed = { ...value };
    } catch {
        parsed = { message: 'unreadable error' };
    }
    const textOf = (key: string) => {
        const value = parsed[key];
        return typeof value === 'string' ? value : '';
    };
    return { name: textOf('name'), message: textOf('message') || 'error', stack: textOf('stack') };
}

/** With no memory left for an error object the engine throws a bare null, and for a promise job it drops the job: code may do both too. */
function mayBeNoMemory(message: string): boolean {
    return message === 'object' || message === neverSettles || message.includes('no memory was left');
}

function isExhausted(module: QuickJSWASMModule): boolean {
    return module.getWasmMemory().buffer.byteLength >= 0.9 * sandboxLimits.memory;
}

function isMemoryMessage(message: string): boolean {
    return /out of memory|string too long|too large to allocate|invalid array buffer length/i.test(message);
}

/** A guest value as a short text; only strings are read, and not past the cap. */
function shortText(context: QuickJSContext, handle: QuickJSHandle): string {
    if (context.typeof(handle) !== 'string') return context.typeof(handle);
    if (lengthOf(context, handle) > 100_000) return '…';
    const text = context.getString(handle);
    return text.length > sandboxLimits.logLineLength ? `${text.slice(0, sandboxLimits.logLineLength)}…` : text;
}

/** The driver's text, or '' where it is too long to take over. */
function resultText(context: QuickJSContext, handle: QuickJSHandle): string {
    return context.typeof(handle) === 'string' && lengthOf(context, handle) <= sandboxLimits.resultLength ? context.getString(handle) : '';
}

function lengthOf(context: QuickJSContext, text: QuickJSHandle): number {
    return context.getProp(text, 'length').consume((length) => context.getNumber(length));
}

function memoryOf(runtime: QuickJSRuntime, context: QuickJSContext): number | undefined {
    const usage: unknown = runtime.computeMemoryUsage().consume((handle) => context.dump(handle));
    const used: unknown = typeof usage === 'object' && usage !== null ? Reflect.get(usage, 'memory_used_size') : undefined;
    return typeof used === 'number' ? used : undefined;
}
