// Builds the preview page into a temporary folder and takes its pictures: node test/ui/preview/shoot.mjs [out folder] [name filter]
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(tmpdir(), 'narrative-agent-preview');
const filter = process.argv[3] ?? '';
mkdirSync(out, { recursive: true });
const built = mkdtempSync(join(tmpdir(), 'na-preview-'));
const config = { configFile: false, root: here, logLevel: 'error', oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } }, build: { outDir: built, emptyOutDir: true, minify: false } };
await build(config);
const server = await preview({ ...config, preview: { host: '127.0.0.1', port: 0 } });
const address = server.resolvedUrls.local[0];

const wide = { width: 1280, height: 860 };
const narrow = { width: 390, height: 844 };
const shots = [
    ...['state', 'worldbook', 'tools', 'variables', 'calls'].flatMap((tab) => [
        { name: `${tab}-dark-zh`, query: `tab=${tab}`, size: wide },
        { name: `${tab}-light-en`, query: `tab=${tab}&theme=light&locale=en`, size: wide },
        { name: `${tab}-phone`, query: `tab=${tab}&theme=${tab === 'state' ? 'light' : 'dark'}`, size: narrow },
    ]),
    { name: 'closed-dark', query: 'closed', size: wide },
    { name: 'closed-phone', query: 'closed&theme=light', size: narrow },
    { name: 'settings-dark-zh', query: 'settings&closed&idle', size: wide },
    { name: 'settings-light-en', query: 'settings&closed&idle&theme=light&locale=en', size: wide },
];
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
    for (const { name, query, size } of shots.filter((shot) => shot.name.includes(filter))) {
        const page = await browser.newPage({ viewport: size });
        page.on('pageerror', (error) => console.error(name, error.message));
        await page.goto(`${address}?${query}`);
        await page.waitForTimeout(400);
        await page.screenshot({ path: join(out, `${name}.png`) });
        await page.close();
    }
} finally {
    await browser.close();
    await server.close();
    rmSync(built, { recursive: true, force: true });
}
console.log(out);
