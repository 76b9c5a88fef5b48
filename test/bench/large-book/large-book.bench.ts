/**
 * What books of 2,000 and 20,000 entries cost in a real SillyTavern: time from Send to the first LLM request beside plain SillyTavern's, and
 * the longest time our code holds the main thread. Turns with and without the extension alternate, so that a busy machine weighs on both.
 * `npx vite build && npx vitest run --config test/bench/large-book/vitest.config.ts`
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStand, type Stand } from '../../tavern/stand';
import { northTowerMerged } from '../../tavern/world';
import { configure, embedBook } from '../../tavern/world-files';
import { watchMainThread, type HeldTask } from './our-share';

let state = 7;
const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
};
const word = (length: number): string => Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.floor(random() * 2000))).join('');
const prose = (length: number): string => Array.from({ length: Math.ceil(length / 9) }, () => `${word(8)}，`).join('');

/** Entries of a card's own book: only we read it, so that SillyTavern's own scan does not blur the figures. */
function entries(size: number): Record<string, unknown>[] {
    return Array.from({ length: size }, (_, id) => ({
        id, keys: [word(3), word(4), `name${id}`], secondary_keys: id % 10 === 0 ? [word(3)] : [], selective: true, comment: `条目${id}`, enabled: id % 50 !== 7,
        content: prose(300) + (id % 3 === 0 ? ` name${(id * 7 + 1) % size} ` : ''), constant: id % 200 === 0, insertion_order: id % 100, position: 'after_char',
        extensions: { position: [0, 1, 4][id % 3], depth: 4, role: 0, selectiveLogic: 0, probability: 100, useProbability: true, prevent_recursion: id % 3 !== 0 },
    }));
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe.each([2_000, 20_000])('a book of %i entries', (size) => {
    let stand: Stand;
    const page = () => stand.player.page;
    /** Ms from pressing Send to the request's arrival, and of that from the finished prompt to the finished request: the part that we are in. */
    const toRequest = async (line: string): Promise<{ whole: number; ours: number }> => {
        stand.server.clearLog();
        await page().evaluate(() => { (window as unknown as { between: number[] }).between = []; });
        await stand.player.type(line);
        const pressed = await page().evaluate(() => {
            document.querySelector<HTMLElement>('#send_but')?.click();
            return Date.now();
        });
        await expect.poll(() => stand.server.requests.length, { interval: 20, timeout: 30_000 }).toBeGreaterThan(0);
        const arrived = stand.server.requests[0]?.startedAt ?? 0;
        await stand.player.waitTurnDone();
        const [between = 0] = await page().evaluate(() => (window as unknown as { between: number[] }).between);
        return { whole: arrived - pressed, ours: between };
    };
    const line = (turn: number): string => `我去找 name${turn * 31} 和 name${turn * 17 + 3}。`;

    beforeAll(async () => {
        stand = await startStand({ cards: [northTowerMerged] });
        await page().evaluate(() => {
            const { eventSource, eventTypes } = window.SillyTavern.getContext() as unknown as { eventSource: Record<'makeFirst' | 'makeLast', (event: string, listener: () => void) => void>; eventTypes: Record<string, string> };
            let began = 0;
            eventSource.makeFirst(eventTypes.CHAT_COMPLETION_PROMPT_READY ?? '', () => { began = performance.now(); });
            eventSource.makeLast(eventTypes.CHAT_COMPLETION_SETTINGS_READY ?? '', () => (window as unknown as { between?: number[] }).between?.push(performance.now() - began));
        });
    });
    afterAll(() => stand?.stop());

    it('costs little before the first request, and never holds the page', async () => {
        await configure(page(), 'worldbookSource', 'card');
        const list = entries(size);
        // SillyTavern may fetch the card anew for a new chat; then it has lost the book that only the page knows.
        const opened = async (): Promise<void> => {
            await stand.player.newChat();
            await embedBook(page(), '大书', list);
            await page().evaluate(async () => {
                const { eventSource, eventTypes } = window.SillyTavern.getContext() as unknown as { eventSource: { emit(event: string): Promise<void> }; eventTypes: Record<string, string> };
                await eventSource.emit(eventTypes.WORLDINFO_SETTINGS_UPDATED ?? '');
            });
            await page().waitForTimeout(500 + size / 10);
        };
        const opening = await watchMainThread(page(), opened);
        await opened();
        const turns = await watchMainThread(page(), async () => {
            for (let turn = 0; turn < 3; turn++) await toRequest(line(turn));
            await stand.player.openPanel('worldbook');
            await page().locator('#narrative_agent_tabpanel [data-value="out"]').click();
            await page().locator('#narrative_agent_tabpanel input[type="search"]').pressSequentially('name77');
            await page().waitForTimeout(300);
            await stand.player.closePanel();
        });
        const plain: { whole: number; ours: number }[] = [];
        const own: { whole: number; ours: number }[] = [];
        for (let round = 0; round < 4; round++) {
            for (const enabled of [false, true]) {
                await configure(page(), 'enabled', enabled);
                // A chat for each: a turn played without us would be caught up with by the next.
                await opened();
                for (let turn = 0; turn < 4; turn++) {
                    const taken = await toRequest(line(8 * round + 2 * turn + Number(enabled)));
                    if (enabled) expect((await stand.player.records()).at(-1)?.snapshot).toMatchObject({ counts: [size, expect.any(Number)] });
                    if (turn > 0) (enabled ? own : plain).push(taken);
                }
            }
        }
        const middle = (list: typeof own, part: 'whole' | 'ours'): number => median(list.map((each) => each[part]));
        const overhead = middle(own, 'ours') - middle(plain, 'ours');
        const worst = (tasks: HeldTask[]): string => {
            const most = [...tasks].sort((a, b) => b.ours - a.ours).slice(0, 3);
            return most.map((task) => `${task.ours.toFixed(0)} of ${task.duration.toFixed(0)} (${Object.entries(task.inside).sort((a, b) => b[1] - a[1]).slice(0, 4).map(([name, ms]) => `${name} ${ms.toFixed(0)}`).join(', ')})`).join('; ') || 'none over 50';
        };
        process.stdout.write(`${size} entries, ms. Own overhead before the first request: ${overhead.toFixed(1)} (${own.map((each) => each.ours.toFixed(0)).join(' ')} against plain ${plain.map((each) => each.ours.toFixed(0)).join(' ')}); `
            + `Send to first request: plain ${middle(plain, 'whole')}, ours ${middle(own, 'whole')}\n`
            + `  long tasks, our share: on opening ${worst(opening)}\n  in turns and panel ${worst(turns)}\n`);
        for (const task of [...opening, ...turns]) expect(task.ours, JSON.stringify(task)).toBeLessThan(100);
        expect(overhead).toBeLessThan(size === 2_000 ? 100 : 400);
    });
});
