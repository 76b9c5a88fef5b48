import { spawn } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this harness: `test/tavern`. */
export const tavernFolder = dirname(fileURLToPath(import.meta.url));

/** The repository's root folder. */
export const rootFolder = join(tavernFolder, '..', '..');

/** The SillyTavern version that the lock file pins. */
export const pinnedVersion = '1.18.0';

/** Runs a command to its end and rejects with its last output when it fails. */
export function runCommand(command: string, args: string[], cwd: string): Promise<void> {
    return new Promise((resolve, reject) => {
        const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
        let output = '';
        const keep = (chunk: Buffer): void => {
            output = (output + chunk.toString()).slice(-4000);
        };
        child.stdout.on('data', keep);
        child.stderr.on('data', keep);
        child.on('error', reject);
        child.on('close', (code) => {
            if (code === 0) resolve();
            else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`));
        });
    });
}

/**
 * Makes sure that a SillyTavern version is installed under `.cache/<version>/` and returns the server's folder.
 * The pinned version comes from this folder's own lock file; any other one from the registry as it is today.
 * Install scripts are not run: the server writes no file into its own folder in this harness.
 */
export async function installTavern(version: string, say: (line: string) => void = () => undefined): Promise<string> {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`"${version}" is not a SillyTavern version; give one like ${pinnedVersion}`);
    const folder = join(tavernFolder, '.cache', version);
    const server = join(folder, 'node_modules', 'sillytavern');
    const done = join(folder, 'installed');
    const lock = await readFile(join(tavernFolder, 'package-lock.json'), 'utf8');
    const stamp = version === pinnedVersion ? lock : version;
    if (existsSync(done) && (await readFile(done, 'utf8')) === stamp && existsSync(join(server, 'server.js'))) return server;

    say(`Installing SillyTavern ${version} (once, about 430 MB) …`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await copyFile(join(tavernFolder, '.npmrc'), join(folder, '.npmrc'));
    if (version === pinnedVersion) {
        await copyFile(join(tavernFolder, 'package.json'), join(folder, 'package.json'));
        await copyFile(join(tavernFolder, 'package-lock.json'), join(folder, 'package-lock.json'));
        await runCommand('npm', ['ci', '--ignore-scripts', '--prefer-offline'], folder);
    } else {
        await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'narrative-agent-tavern', private: true, dependencies: { sillytavern: version } }));
        // Old versions read files below their own folder only, so their packages must be there.
        await runCommand('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-package-lock', '--install-strategy=shallow'], folder);
    }
    await writeFile(done, stamp);
    return server;
}
