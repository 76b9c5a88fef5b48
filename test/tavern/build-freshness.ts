import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder, runCommand } from './install';

async function files(folder: string): Promise<string[]> {
    if (!existsSync(folder)) return [];
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
}

/**
 * Builds once more and compares with the committed `dist`, byte for byte: SillyTavern installs what is committed.
 * Returns what differs, nothing when the build is fresh.
 */
export async function staleFiles(): Promise<string[]> {
    // Beside dist, because the source map names its sources relative to itself.
    const name = `.dist-check-${process.pid}`;
    const fresh = join(rootFolder, name);
    const committed = join(rootFolder, 'dist');
    try {
        await runCommand('npx', ['vite', 'build', '--outDir', name, '--emptyOutDir', '--logLevel', 'error'], rootFolder);
        const built = await files(fresh);
        const there = await files(committed);
        const differing: string[] = [];
        for (const file of new Set([...built, ...there])) {
            if (!there.includes(file)) differing.push(`dist/${file} is missing`);
            else if (!built.includes(file)) differing.push(`dist/${file} is no longer built`);
            else if (!(await readFile(join(fresh, file))).equals(await readFile(join(committed, file)))) differing.push(`dist/${file} differs from a fresh build`);
        }
        return differing;
    } finally {
        await rm(fresh, { recursive: true, force: true });
    }
}

/** `npm run fresh`. */
export async function main(): Promise<number> {
    const stale = await staleFiles();
    console.log(stale.length === 0 ? 'dist is what a fresh build makes.' : `${stale.join('\n')}\nRun "npm run build" and commit dist.`);
    return stale.length === 0 ? 0 : 1;
}
