import type { SandboxJob, SandboxPort, SandboxResult } from '../ports';
import { toJson } from './job-json';

/**
 * The seed's way: `new Function("params", "state", code)` in the page itself, with all the page's powers. Used only for
 * books the user named after a warning (config.tools.codeExecution `page`, config.tools.pageBooks). Params and state are
 * copies. The deadline ends waiting for a promise; a synchronous endless loop cannot be cut here.
 */
export function createPageExecution(): SandboxPort {
    return { run, checkSyntax: (code) => Promise.resolve(checkSyntax(code)) };
}

type Body = (params: unknown, state: unknown) => Promise<unknown>;

/** Async, so that a tool may `await` here as it may in the sandbox. */
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (...parts: string[]) => Body;

function compile(code: string): Body {
    return new AsyncFunction('params', 'state', code);
}

function checkSyntax(code: string): { message: string } | null {
    try {
        compile(code);
        return null;
    } catch (error) {
        return { message: String(error) };
    }
}

async function run(job: SandboxJob, signal?: AbortSignal): Promise<SandboxResult> {
    const started = performance.now();
    const fail = (kind: 'error' | 'timeout' | 'syntax' | 'aborted', message: string): SandboxResult =>
        ({ ok: false, kind, message, log: [], ms: Math.round(performance.now() - started) });
    const fault = checkSyntax(job.code);
    if (fault !== null) return fail('syntax', fault.message);
    if (signal?.aborted === true) return fail('aborted', 'aborted');
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stop: (() => void) | undefined;
    const ended = new Promise<'timeout' | 'aborted'>((resolve) => {
        timer = setTimeout(() => resolve('timeout'), job.deadline);
        stop = () => resolve('aborted');
        signal?.addEventListener('abort', stop, { once: true });
    });
    try {
        const work = compile(job.code)(JSON.parse(toJson(job.params)), JSON.parse(toJson(job.state))).then((value) => ({ value }));
        const first = await Promise.race([work, ended]);
        if (typeof first === 'string') return fail(first, first === 'timeout' ? `stopped after ${job.deadline} ms` : 'aborted');
        return { ok: true, value: JSON.parse(toJson(first.value)) as unknown, log: [], ms: Math.round(performance.now() - started) };
    } catch (error) {
        return fail('error', String(error));
    } finally {
        clearTimeout(timer);
        if (stop !== undefined) signal?.removeEventListener('abort', stop);
    }
}
