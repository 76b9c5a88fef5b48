import type { Stand } from './stand';
import { promptText } from './storyteller/request';
import type { LoggedRequest } from './storyteller/server';

/** The names of the tagged blocks of a text, in order: only blocks whose tags stand on lines of their own. */
export function tagsOf(text: string): string[] {
    const names: string[] = [];
    let open: string | null = null;
    for (const line of text.split('\n')) {
        const tag = /^<(\/?)([a-z_0-9]+)>$/.exec(line.trim());
        if (!tag) continue;
        if (open === null && tag[1] === '') {
            open = tag[2] ?? null;
            names.push(open ?? '');
        } else if (tag[1] === '/' && tag[2] === open) open = null;
    }
    return names;
}

export const systemOf = (request: LoggedRequest | undefined): string => (request ? promptText(request.body, 'system') : '');
export const userOf = (request: LoggedRequest | undefined): string => (request ? promptText(request.body, 'user') : '');
export const wholeOf = (request: LoggedRequest | undefined): string => (request ? promptText(request.body) : '');

/** The turns an n+m window shows before each of the turns 1 … `count`, played by the seed's words: it grows, and at n+m+1 it drops the earliest m+1. */
export function windowsByTheSeed(count: number, n: number, m: number): number[][] {
    const windows: number[][] = [];
    let window: number[] = [];
    for (let turn = 1; turn <= count; turn += 1) {
        windows.push([...window]);
        window.push(turn);
        if (window.length === n + m + 1) window = window.slice(m + 1);
    }
    return windows;
}

/** The numbers of the turns in a `<recent_turns>` text; 0 is the opening. */
export function turnsShown(recent: string): number[] {
    return [...recent.matchAll(/^\[轮(\d+)\]/gm)].map((match) => Number(match[1]));
}

/** Replaces our whole settings in the open page, without a reload. */
export async function configure(stand: Stand, config: Record<string, unknown>): Promise<void> {
    await stand.player.page.evaluate((given) => {
        const context = window.SillyTavern.getContext();
        const own = (context.extensionSettings['narrative-agent'] ??= {});
        own.config = given;
    }, config);
}
