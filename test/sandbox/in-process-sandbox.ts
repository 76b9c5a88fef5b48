import variant from '@jitl/quickjs-singlefile-mjs-release-sync';
import type { QuickJSWASMModule } from 'quickjs-emscripten-core';
import type { SandboxJob, SandboxPort } from '../../src/ports';
import { loadEngine } from '../../src/sandbox/engine';
import { toJson, toResult } from '../../src/sandbox/job-json';
import { sandboxLimits } from '../../src/sandbox/limits';
import { runInQuickJs } from '../../src/sandbox/run-in-quickjs';

/** The sandbox without its worker, for tests in Node: the same evaluation, no hard kill. */
export function createInProcessSandbox(): SandboxPort {
    let module: Promise<QuickJSWASMModule> | null = null;
    async function perform(job: SandboxJob, checkOnly: boolean) {
        module ??= loadEngine(variant);
        const answer = runInQuickJs(await module, { ...job, params: toJson(job.params), state: toJson(job.state) }, { checkOnly });
        if (answer.broken) module = null;
        return answer.outcome;
    }
    return {
        run: async (job) => toResult(await perform(job, false)),
        async checkSyntax(code) {
            const outcome = await perform({ code, params: null, state: null, seed: '', now: 0, deadline: sandboxLimits.check, memory: sandboxLimits.memory }, true);
            return outcome.ok || outcome.kind !== 'syntax' ? null : { message: outcome.message, line: outcome.line };
        },
    };
}
