import variant from '@jitl/quickjs-singlefile-browser-release-sync';
import type { QuickJSWASMModule } from 'quickjs-emscripten-core';
import { loadEngine } from './engine';
import { hardenWorker } from './harden-worker';
import { sandboxLimits } from './limits';
import type { WorkerRequest, WorkerResponse } from './protocol';
import { runInQuickJs } from './run-in-quickjs';

/** The worker's entry: loads QuickJS, says `ready`, then answers one request at a time. */
interface WorkerScope {
    postMessage(message: WorkerResponse): void;
    onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;
const post = scope.postMessage.bind(scope);

function serve(module: QuickJSWASMModule): void {
    scope.onmessage = ({ data }) => {
        const task = data.type === 'run'
            ? data.task
            : { code: data.code, params: 'null', state: 'null', seed: '', now: 0, deadline: sandboxLimits.check, memory: sandboxLimits.memory };
        const { outcome, broken } = runInQuickJs(module, task, { checkOnly: data.type === 'check' });
        post({ type: 'done', id: data.id, outcome, broken });
    };
    post({ type: 'ready' });
}

loadEngine(variant).then(
    (module) => {
        hardenWorker(globalThis);
        serve(module);
    },
    (error: unknown) => post({ type: 'failed', message: String(error).slice(0, 300) }),
);
