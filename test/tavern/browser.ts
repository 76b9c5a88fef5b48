import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium as playwright, type Browser } from 'playwright-core';
import { bundledBrowser } from './bundled-browser';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'chrome.exe', 'msedge.exe'];
const wellKnown = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of a Chromium-like browser on this machine, null when there is none. CHROMIUM_PATH goes first; `bundled` there asks for the one from the registry. */
export function installedChromium(): string | null {
    const given = process.env.CHROMIUM_PATH;
    if (given === 'bundled') return null;
    if (given) {
        if (existsSync(given)) return given;
        throw new Error(`CHROMIUM_PATH names ${given}, which does not exist`);
    }
    const inPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
    return [...inPath, ...wellKnown].find((file) => existsSync(file)) ?? null;
}

/** Starts a headless browser: the machine's own, or one fetched from the npm registry. Whoever starts it closes it. */
export async function launchBrowser(options: { headless?: boolean } = {}): Promise<Browser> {
    const installed = installedChromium();
    const bundled = installed ? null : await bundledBrowser(console.log);
    const executablePath = installed ?? bundled?.executable;
    if (!executablePath) {
        throw new Error('No Chromium found. Install one (Debian and Ubuntu: sudo apt-get update && sudo apt-get install -y chromium; elsewhere Chrome, Chromium or Edge), or name it in CHROMIUM_PATH.');
    }
    const env: Record<string, string> = {};
    for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
    if (bundled) env.LD_LIBRARY_PATH = [bundled.libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
    return playwright.launch({
        executablePath,
        headless: options.headless ?? true,
        env,
        // The sandbox needs kernel rights that containers and root do not have; only local pages are opened.
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
    });
}
