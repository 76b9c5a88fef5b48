import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { staleFiles } from './build-freshness';
import { rootFolder } from './install';

/** Counts of one check. */
interface Tally {
    passed: number;
    failed: number;
}

const reportSchema = z.object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    testResults: z.array(z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.unknown()) })),
});

let running: ReturnType<typeof spawn> | null = null;

/** Runs a command with its output on the screen; resolves with its exit code. */
function show(command: string, args: string[]): Promise<number> {
    return new Promise((resolve, reject) => {
        const child = spawn(command, args, { cwd: rootFolder, stdio: 'inherit', shell: process.platform === 'win32' });
        running = child;
        child.on('error', reject);
        child.on('close', (code) => {
            running = null;
            resolve(code ?? 1);
        });
    });
}

async function check(command: string, args: string[]): Promise<Tally> {
    return (await show(command, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs vitest and counts its tests. A file that did not even load counts as one failure, and so does a run without a report. */
async function tests(folder: string, args: string[]): Promise<Tally> {
    const report = join(folder, `${args.length}.json`);
    const code = await show('npx', ['vitest', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
    if (!existsSync(report)) return { passed: 0, failed: 1 };
    const { numPassedTests, numFailedTests, testResults } = reportSchema.parse(JSON.parse(await readFile(report, 'utf8')));
    const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    const failed = numFailedTests + unloaded;
    // Vitest also fails for errors outside of any test.
    return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/**
 * `npm test`: types, lint, unit tests, freshness of dist, and the end-to-end tests in a real SillyTavern. All of them
 * run, whatever failed before; the last line counts them all.
 */
export async function main(): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), 'narrative-agent-test-'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => running?.kill(signal));
    const total: Tally = { passed: 0, failed: 0 };
    const steps: [string, () => Promise<Tally>][] = [
        ['Types', () => check('npx', ['tsc', '--noEmit'])],
        ['Lint', () => check('npx', ['eslint', '.'])],
        ['Unit tests', () => tests(folder, [])],
        ['Build freshness', async () => {
            const stale = await staleFiles();
            console.log(stale.join('\n') || 'dist is what a fresh build makes.');
            return stale.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
        }],
        ['End-to-end tests', () => tests(folder, ['--config', 'test/tavern/vitest.e2e.config.ts'])],
    ];
    try {
        for (const [name, run] of steps) {
            console.log(`\n── ${name} ──`);
            const startedAt = Date.now();
            let tally: Tally;
            try {
                tally = await run();
            } catch (error) {
                console.error(error instanceof Error ? error.message : error);
                tally = { passed: 0, failed: 1 };
            }
            total.passed += tally.passed;
            total.failed += tally.failed;
            console.log(`${name}: ${tally.failed === 0 ? 'ok' : 'FAILED'} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
        }
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
    console.log(`\n${total.passed} passed, ${total.failed} failed`);
    return total.failed === 0 ? 0 : 1;
}
