import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium as playwright, type Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'chrome.exe', 'msedge.exe'];
const wellKnown = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of a Chromium-like browser on this machine; throws a message that says how to get one. */
export function chromium(): string {
    const given = process.env.CHROMIUM_PATH;
    if (given) {
        if (existsSync(given)) return given;
        throw new Error(`CHROMIUM_PATH names ${given}, which does not exist`);
    }
    const inPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
    const found = [...inPath, ...wellKnown].find((file) => existsSync(file));
    if (found) return found;
    throw new Error('No Chromium found. Install one (Debian and Ubuntu: sudo apt-get update && sudo apt-get install -y chromium; elsewhere Chrome, Chromium or Edge), or name it in CHROMIUM_PATH.');
}

/** Starts a headless browser. It ends with this process. */
export function launchBrowser(options: { headless?: boolean } = {}): Promise<Browser> {
    return playwright.launch({
        executablePath: chromium(),
        headless: options.headless ?? true,
        // The sandbox needs kernel rights that containers and root do not have; only local pages are opened.
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
    });
}
