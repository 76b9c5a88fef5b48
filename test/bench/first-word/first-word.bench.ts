/**
 * How soon the first word of a reply shows, beside plain SillyTavern in the same run: merged mode should be no more than 100 ms behind.
 * Plain and merged blocks alternate, so that a busy machine weighs on both.
 * `npx vite build && npx vitest run --config test/bench/first-word/vitest.config.ts`
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configure } from '../../tavern/seed-prompt';
import { startStand, type Stand } from '../../tavern/stand';
import type { Answer } from '../../tavern/storyteller/server';
import { northTowerMerged } from '../../tavern/world';

const median = (values: number[]): number => Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);

describe('the first word of a reply', () => {
    let stand: Stand;
    beforeAll(async () => {
        stand = await startStand({ cards: [northTowerMerged] });
    });
    afterAll(() => stand?.stop());

    /** Ms from pressing Send to the first text of a new message. */
    const firstWord = async (line: string): Promise<number> => {
        const { player } = stand;
        await player.type(line);
        const ms = await player.page.evaluate(() => new Promise<number>((resolve) => {
            const known = document.querySelectorAll('#chat .mes').length;
            const started = performance.now();
            const look = (): void => {
                // The user's own line comes first, then the reply, which begins as an ellipsis.
                const messages = document.querySelectorAll('#chat .mes');
                const text = messages.length >= known + 2 ? messages[messages.length - 1]?.querySelector('.mes_text')?.textContent?.trim() : '';
                if (text !== undefined && text !== '' && text !== '...') resolve(performance.now() - started);
                else setTimeout(look, 4);
            };
            document.querySelector<HTMLElement>('#send_but')?.click();
            look();
        }));
        await player.waitTurnDone();
        return ms;
    };

    it('plain and merged', async () => {
        const answer: Answer = { text: '首字在此，后面还有许多字。', pieceLength: 2, pieceMs: 60 };
        const times: Record<'plain' | 'merged', number[]> = { plain: [], merged: [] };
        for (const mode of ['plain', 'merged', 'plain', 'merged'] as const) {
            // A chat of its own: a reply without a record would be analysed before the next turn.
            await stand.freshChat();
            await configure(stand, { enabled: mode === 'merged' });
            stand.script.always('mergedWriting', answer);
            stand.script.always('chat', answer);
            for (let n = 0; n < 6; n += 1) {
                const ms = await firstWord(`第${n}句`);
                if (n > 0) times[mode].push(ms);
            }
        }
        console.log(`first word: plain ${median(times.plain)} ms, merged ${median(times.merged)} ms, ${median(times.merged) - median(times.plain)} ms behind (${JSON.stringify(times)})`);
        expect(times.plain.length).toBe(times.merged.length);
    }, 600_000);
});
