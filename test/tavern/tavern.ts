import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installTavern, pinnedVersion, tavernFolder } from './install';
import { prepareData, serverConfig, type Preparation } from './prepare';
import { northTower } from './world';

/** What to start; everything but the API has a default. */
export type TavernOptions = Partial<Omit<Preparation, 'server'>> & Pick<Preparation, 'apiUrl'> & {
    /** 0 or absent = any free port. */
    port?: number;
    /** Folder to keep; a throw-away folder when absent. */
    dataRoot?: string;
    /** Told what happens (installation, start). */
    say?: (line: string) => void;
};

/** A running SillyTavern. */
export interface Tavern {
    url: string;
    port: number;
    version: string;
    dataRoot: string;
    /** `<dataRoot>/default-user`. */
    userRoot: string;
    /** Process id of the server. */
    pid: number;
    /** Ms from the spawn to the first answered request. */
    bootMs: number;
    /** The server's own output. */
    logFile: string;
    /** Ends the server and removes the folder when it is a throw-away one. Safe to call twice. */
    stop(): Promise<void>;
    /** Resolves when the server has ended, for whatever reason, with its exit code. */
    ended: Promise<number | null>;
}

/** A free port on 127.0.0.1. */
export function freePort(): Promise<number> {
    return new Promise((resolve, reject) => {
        const probe = createServer();
        probe.once('error', reject);
        probe.listen(0, '127.0.0.1', () => {
            const address = probe.address();
            const port = typeof address === 'object' && address ? address.port : 0;
            probe.close(() => resolve(port));
        });
    });
}

async function answers(url: string): Promise<boolean> {
    try {
        const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
        await response.arrayBuffer();
        return response.ok;
    } catch (error) {
        if (error instanceof Error) return false;
        throw error;
    }
}

/** Starts a real SillyTavern on 127.0.0.1 as a child process and waits until it answers. */
export async function startTavern(options: TavernOptions): Promise<Tavern> {
    const version = options.version ?? pinnedVersion;
    const server = await installTavern(version, options.say);
    const throwAway = options.dataRoot === undefined;
    const dataRoot = options.dataRoot ?? (await mkdtemp(join(tmpdir(), 'narrative-agent-')));
    await mkdir(dataRoot, { recursive: true });
    const preparation: Preparation = {
        version,
        server,
        model: 'storyteller',
        streaming: true,
        cards: [northTower],
        importBooks: false,
        extension: 'enabled',
        userName: '旅人',
        persona: '{{user}}，二十四岁，灰港城外来的抄书人，随身带着一枚祖母留下的铜钥匙。',
        ...options,
    };
    const userRoot = join(dataRoot, 'default-user');
    if (!existsSync(join(userRoot, 'settings.json'))) await prepareData(dataRoot, preparation);
    const configPath = join(dataRoot, 'config.yaml');
    await writeFile(configPath, serverConfig(dataRoot));

    // The page's libraries are compiled at the first start only: later starts find them in the cache.
    const compiled = join(tavernFolder, '.cache', version, 'compiled');
    const compiledHere = join(dataRoot, '_webpack');
    if (existsSync(compiled) && !existsSync(compiledHere)) await cp(compiled, compiledHere, { recursive: true });

    const port = options.port || (await freePort());
    const url = `http://127.0.0.1:${port}/`;
    if (await answers(url)) throw new Error(`port ${port} is already in use; give another one with --port`);
    const logFile = join(dataRoot, 'server.log');
    const startedAt = performance.now();
    const child = spawn(
        process.execPath,
        ['--import', pathToFileURL(join(tavernFolder, 'guard.mjs')).href, 'server.js', '--configPath', configPath, '--dataRoot', dataRoot, '--port', String(port), '--listen', 'false', '--whitelist', 'false', '--browserLaunchEnabled', 'false'],
        {
            cwd: server,
            stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
            env: {
                ...process.env,
                NODE_ENV: 'production',
                // The server asks git for its revision; it must not find the repository around it.
                GIT_CEILING_DIRECTORIES: tavernFolder,
                ...(throwAway ? { NARRATIVE_AGENT_THROW_AWAY: dataRoot } : {}),
            },
        },
    );
    const log = createWriteStream(logFile);
    let tail = '';
    for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
            tail = (tail + chunk.toString()).slice(-3000);
            log.write(chunk);
        });
    }
    let exited = false;
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => {
        exited = true;
        log.end();
        resolve(code);
    }));

    let stopping: Promise<void> | null = null;
    const stop = (): Promise<void> => {
        stopping ??= (async () => {
            if (!exited) {
                child.kill('SIGTERM');
                const hard = setTimeout(() => child.kill('SIGKILL'), 5000);
                await ended;
                clearTimeout(hard);
            }
            if (throwAway) await rm(dataRoot, { recursive: true, force: true, maxRetries: 3 });
        })();
        return stopping;
    };

    try {
        while (!(await answers(`${url}csrf-token`))) {
            if (exited) throw new Error(`SillyTavern ${version} ended while starting:\n${tail}`);
            if (performance.now() - startedAt > 180_000) throw new Error(`SillyTavern ${version} did not answer within three minutes:\n${tail}`);
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
    } catch (error) {
        await stop();
        throw error;
    }
    if (!existsSync(compiled) && existsSync(compiledHere)) await cp(compiledHere, compiled, { recursive: true });
    return { url, port, version, dataRoot, userRoot, pid: child.pid ?? -1, bootMs: performance.now() - startedAt, logFile, stop, ended };
}
