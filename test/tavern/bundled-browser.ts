import { brotliDecompressSync } from 'node:zlib';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, tavernFolder } from './install';

const packageName = '@sparticuz/chromium';
/** The newest release that runs its own helpers on Node 20. */
const packageVersion = '138.0.2';

/** A headless Chromium and the libraries it brings along. */
export interface BundledBrowser {
    executable: string;
    libraries: string;
}

/**
 * For a machine without a browser: a headless Chromium from the npm registry, unpacked once into `.cache/browser/` with
 * the few libraries it needs. Linux on x86-64 only; null elsewhere.
 */
export async function bundledBrowser(say: (line: string) => void): Promise<BundledBrowser | null> {
    if (process.platform !== 'linux' || process.arch !== 'x64') return null;
    const folder = join(tavernFolder, '.cache', 'browser');
    const browser: BundledBrowser = { executable: join(folder, 'chromium'), libraries: join(folder, 'lib') };
    const done = join(folder, 'installed');
    if (existsSync(done) && (await readFile(done, 'utf8')) === packageVersion) return browser;

    say('No browser found: fetching a headless Chromium (once, about 70 MB) …');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'narrative-agent-browser', private: true, dependencies: { [packageName]: packageVersion } }));
    await runCommand('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-package-lock', '--no-audit', '--no-fund'], folder);
    const packed = join(folder, 'node_modules', packageName, 'bin');
    await writeFile(browser.executable, brotliDecompressSync(await readFile(join(packed, 'chromium.br'))));
    await chmod(browser.executable, 0o755);
    // The archive holds lib/: the libraries that a bare system lacks.
    const archive = join(folder, 'libraries.tar');
    await writeFile(archive, brotliDecompressSync(await readFile(join(packed, 'al2023.tar.br'))));
    await runCommand('tar', ['-xf', archive, '-C', folder], folder);
    await rm(archive);
    await rm(join(folder, 'node_modules'), { recursive: true, force: true });
    await writeFile(done, packageVersion);
    return browser;
}
