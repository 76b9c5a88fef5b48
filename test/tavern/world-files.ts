import type { Page } from 'playwright-core';

/** An entry of a world file as a test states it; what it leaves out is what a new entry has in SillyTavern. */
export type WorldEntry = Record<string, unknown> & { comment?: string; content?: string };

/** Saves a world through SillyTavern's own function, as its editor does; its entries are numbered as they come. */
export async function saveWorld(page: Page, name: string, entries: readonly WorldEntry[]): Promise<void> {
    const whole = entries.map((entry, uid) => ({
        uid, key: [], keysecondary: [], comment: `entry ${uid}`, content: '', constant: false, selective: true, selectiveLogic: 0, order: 100, position: 1, disable: false,
        depth: 4, role: 0, probability: 100, useProbability: true, excludeRecursion: false, preventRecursion: false, delayUntilRecursion: false, group: '', ...entry,
    }));
    await page.evaluate(async ([world, list]) => {
        const context = window.SillyTavern.getContext() as unknown as { saveWorldInfo(name: string, data: unknown, immediately: boolean): Promise<void>; updateWorldInfoList(): Promise<void> };
        await context.saveWorldInfo(world, { entries: Object.fromEntries(list.map((entry, at) => [String(at), entry])) }, true);
        await context.updateWorldInfoList();
    }, [name, whole] as const);
}

/** Sets one value of our settings in the running page, as if another part of the page had written them. */
export async function configure(page: Page, path: string, value: unknown): Promise<void> {
    await page.evaluate(([dotted, given]) => {
        const own = (window.SillyTavern.getContext().extensionSettings['narrative-agent'] ??= {});
        const config = structuredClone(own.config ?? {}) as Record<string, unknown>;
        let at = config;
        const keys = String(dotted).split('.');
        for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Record<string, unknown>;
        at[keys.at(-1) ?? ''] = given;
        own.config = config;
    }, [path, value] as const);
}

/**
 * Gives the open card another book of its own, in the page alone, and takes its linked world away: SillyTavern itself scans no
 * embedded book. Entries are in the shape of a card's book. Resolves to what puts the card back.
 */
export async function embedBook(page: Page, name: string, entries: readonly Record<string, unknown>[]): Promise<() => Promise<void>> {
    const before = await page.evaluate(([bookName, list]) => {
        const context = window.SillyTavern.getContext();
        const card = context.characters[Number(context.characterId)] as unknown as { data: { character_book: unknown; extensions: { world?: string } } };
        const { character_book: book, extensions: { world } } = card.data;
        card.data.character_book = { name: bookName, entries: list };
        card.data.extensions.world = '';
        return { book, world };
    }, [name, entries] as const);
    return () => page.evaluate(({ book, world }) => {
        const context = window.SillyTavern.getContext();
        const card = context.characters[Number(context.characterId)] as unknown as { data: { character_book: unknown; extensions: { world?: string } } };
        card.data.character_book = book;
        card.data.extensions.world = world;
    }, before);
}
