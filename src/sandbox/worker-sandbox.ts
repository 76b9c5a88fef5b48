import type { SandboxJob, SandboxPort, SandboxResult } from '../ports';
import { toJson, toResult } from './job-json';
import { sandboxLimits } from './limits';
import { workerResponseSchema, type SandboxOutcome, type WorkerRequest } from './protocol';
import { spawnSandboxWorker } from './spawn-worker';

/** What the sandbox needs of a worker. */
export type SandboxWorkerHandle = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

type Answer = { outcome: SandboxOutcome; broken: boolean };

interface LiveWorker {
    /** Resolves when it can take requests, rejects when it cannot be had. */
    ready: Promise<void>;
    ask(request: WorkerRequest): Promise<Answer>;
    terminate(): void;
}

/**
 * The sandbox in a Worker: spawned by the first job, one job at a time, each under two clocks: the engine's own
 * deadline, and a watchdog that kills the worker when it has not answered `watchdogGrace` ms past it. Aborting the
 * signal kills the worker too. Jobs never reject. `dispose` ends the worker.
 */
export function createWorkerSandbox(spawn: () => SandboxWorkerHandle = spawnSandboxWorker): SandboxPort & { dispose(): void } {
    let live: LiveWorker | null = null;
    let tail: Promise<unknown> = Promise.resolve();
    let idle: ReturnType<typeof setTimeout> | undefined;
    let nextId = 0;

    function drop(): void {
        clearTimeout(idle);
        live?.terminate();
        live = null;
    }

    function exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
        const mine = tail.then(work);
        tail = mine.then(() => undefined, () => undefined);
        return mine;
    }

    async function perform(makeRequest: (id: number) => WorkerRequest, deadline: number, signal?: AbortSignal): Promise<SandboxOutcome> {
        const started = performance.now();
        const failed = (kind: 'error' | 'timeout' | 'aborted', message: string): SandboxOutcome =>
            ({ ok: false, kind, message, log: [], ms: Math.round(performance.now() - started) });
        if (signal?.aborted === true) return failed('aborted', 'aborted');
        clearTimeout(idle);
        let stop: (() => void) | undefined;
        const aborted = new Promise<'aborted'>((resolve) => {
            stop = () => resolve('aborted');
            signal?.addEventListener('abort', stop, { once: true });
        });
        try {
            live ??= openWorker(spawn);
            const worker = live;
            const begun = await Promise.race([worker.ready.then(() => 'ready' as const), aborted, late(sandboxLimits.start)]);
            if (begun !== 'ready') {
                drop();
                return begun === 'aborted' ? failed('aborted', 'aborted') : failed('error', 'the sandbox did not start');
            }
            const answer = await Promise.race([worker.ask(makeRequest(nextId++)), aborted, late(deadline + sandboxLimits.watchdogGrace)]);
            if (typeof answer === 'string') {
                drop();
                return answer === 'aborted' ? failed('aborted', 'aborted') : failed('timeout', `stopped after ${deadline} ms`);
            }
            if (answer.broken) drop();
            return answer.outcome;
        } catch (error) {
            drop();
            return failed('error', error instanceof Error ? error.message : String(error));
        } finally {
            if (stop !== undefined) signal?.removeEventListener('abort', stop);
            if (live !== null) idle = setTimeout(drop, sandboxLimits.idle);
        }
    }

    return {
        async run(job: SandboxJob, signal?: AbortSignal): Promise<SandboxResult> {
            const deadline = Math.min(Math.max(1, job.deadline), sandboxLimits.deadline);
            const task = { ...job, deadline, params: toJson(job.params), state: toJson(job.state) };
            return toResult(await exclusive(() => perform((id) => ({ id, type: 'run', task }), deadline, signal)));
        },
        async checkSyntax(code: string) {
            const outcome = await exclusive(() => perform((id) => ({ id, type: 'check', code }), sandboxLimits.check));
            if (outcome.ok || outcome.kind !== 'syntax') return null;
            return { message: outcome.message, ...(outcome.line === undefined ? {} : { line: outcome.line }) };
        },
        dispose: drop,
    };
}

function late(ms: number): Promise<'late'> {
    return new Promise((resolve) => { setTimeout(() => resolve('late'), ms); });
}

function openWorker(spawn: () => SandboxWorkerHandle): LiveWorker {
    const worker = spawn();
    const waiting = new Map<number, (answer: Answer) => void>();
    const ready = new Promise<void>((resolve, reject) => {
        worker.addEventListener('message', (event) => {
            const response = workerResponseSchema.safeParse((event as MessageEvent<unknown>).data);
            if (!response.success) return;
            if (response.data.type === 'ready') resolve();
            else if (response.data.type === 'failed') reject(new Error(response.data.message));
            else {
                waiting.get(response.data.id)?.(response.data);
                waiting.delete(response.data.id);
            }
        });
        worker.addEventListener('error', (event) => {
            const message = (event as ErrorEvent).message || 'the sandbox stopped';
            reject(new Error(message));
            for (const answer of waiting.values()) answer({ outcome: { ok: false, kind: 'error', message, log: [], ms: 0 }, broken: true });
            waiting.clear();
        });
    });
    return {
        ready,
        ask: (request) => new Promise((resolve) => {
            waiting.set(request.id, resolve);
            worker.postMessage(request);
        }),
        terminate: () => worker.terminate(),
    };
}
