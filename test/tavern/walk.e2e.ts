import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { idsOf, expectedState, proseOf, shownSwipe, type Claim, type Line } from '../pipeline/oracle';
import { happeningsIn, segmentText } from '../pipeline/scripted-model';
import type { ChatFileMessage } from './page-context';
import { keepPicture, startStand, type Stand } from './stand';
import { block, promptText } from './storyteller/request';
import { northTowerMerged } from './world';

/** At least so many actions, in at most so many ms. `WALK_SEED` explores another walk. */
const actions = Number(process.env['WALK_ACTIONS'] ?? 200);
const seed = Number(process.env['WALK_SEED'] ?? 20261130);

const kinds = [
    ...Array<'send'>(6).fill('send'), 'fail', 'fail', 'swipe', 'swipe', 'swipe', 'swipe', 'swipeTo', 'swipeTo', 'swipeTo', 'swipeTo', 'deleteSwipe', 'deleteSwipe', 'regenerate', 'regenerate', 'continue', 'continue',
    'deleteLast', 'deleteLast', 'deleteMiddle', 'deleteMiddle', 'edit', 'edit', 'editUser', 'hide', 'hide', 'branch', 'switch', 'switch', 'correct', 'correct', 'reload',
] as const;

/** A small generator of numbers: the same seed walks the same way. */
function dice(start: number): (sides: number) => number {
    let state = start >>> 0;
    return (sides) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 4294967296 * sides);
    };
}

let stand: Stand;
beforeAll(async () => {
    stand = await startStand({ cards: [northTowerMerged] });
});
afterAll(() => stand?.stop());
afterEach(({ task }) => keepPicture(stand, task));

it(`shows the state of the story through ${actions} actions of a real SillyTavern (seed ${seed})`, async () => {
    const { player, script, server } = stand;
    const { page } = player;
    const roll = dice(seed);
    let count = 0;
    const nextProse = (): string => {
        count += 1;
        return segmentText({ id: count, coins: count % 7 + 1, minutes: count % 5 + 1, place: count });
    };
    script.reset();
    let failures = 0;
    script.always('mergedAnalysis', (request) => {
        if (failures > 0) {
            failures -= 1;
            return { status: 400, errorMessage: 'no analysis' };
        }
        const found = happeningsIn(block(promptText(request.body, 'user'), 'narrative_text'));
        return JSON.stringify({
            events: found.flatMap(({ coins, minutes, place }) => [
                { type: 'add_item', params: { item: '币', quantity: coins } },
                { type: 'pass_time', params: { amount: minutes, unit: 'minutes' } },
                { type: 'move', params: { location: `地${place}` } },
            ]),
            summary_entries: [`用户意图：走 | 叙事要点：#${found.map(({ id }) => id).join('+')}#`],
        });
    });
    await player.newChat();

    /** The story as this test tells it: chats by id, the open one among them. */
    const chats = new Map<string, Line[]>();
    let open = await player.chatId();
    chats.set(open, (await player.chat()).map((message) => ({ user: message.is_user, hidden: false, swipes: [{ proses: [message.mes], corrections: [], told: false }], shown: 0 })));
    const lines = (): Line[] => chats.get(open) ?? [];
    const told = (prose: string, user = false): Line => ({ user, hidden: false, swipes: [{ proses: [prose], corrections: [], told: !user }], shown: 0 });

    const check = async (what: string): Promise<void> => {
        const seen = await page.evaluate(() => JSON.parse(JSON.stringify(window.SillyTavern.getContext().chat)) as ChatFileMessage[]);
        const want = lines();
        expect(seen.map((message) => `${message.is_user}:${message.is_user ? 0 : message.swipe_id ?? 0}:${message.is_system === true}:${idsOf(message.mes)}`), what).toEqual(want.map((line) => `${line.user}:${line.user ? 0 : line.shown}:${line.hidden}:${idsOf(proseOf(shownSwipe(line)))}`));
        const claims = seen.map((message): Claim => {
            const record = message.extra?.['narrative_agent'] as { swipe?: number; summary?: string; status?: string } | undefined;
            const own = record !== undefined && record.swipe === (message.swipe_id ?? 0);
            if (own) expect(record.status, what).not.toBe('pending');
            return { own, found: own && record.summary !== undefined ? (/#([\d+]*)#/.exec(record.summary)?.[1] ?? null) : null };
        });
        const state = expectedState(want, claims);
        await expect.poll(async () => {
            const shown = await page.locator('#narrative_agent_tabpanel').evaluate((panel) => ({
                place: panel.querySelector('[data-field="location"]')?.textContent ?? '',
                time: panel.querySelector('[data-field="time"]')?.textContent ?? '',
                items: panel.querySelector('[data-field="inventory"] .na-items')?.textContent ?? '',
            }));
            const clock = state.minutes % 1440;
            const hour = `${String(Math.floor(clock / 60)).padStart(2, '0')}:${String(clock % 60).padStart(2, '0')}`;
            return shown.place.includes(state.place) && shown.time.includes(hour) && (state.coins === 0 ? !shown.items.includes('币') : shown.items.includes(`×${state.coins}`)) ? 'as it is' : JSON.stringify({ shown, state });
        }, { message: what, timeout: 5000 }).toBe('as it is');
    };

    const tell = async (): Promise<string> => {
        const prose = nextProse();
        script.queue('mergedWriting', prose);
        return prose;
    };
    /** Through the page's own functions where a click needs an animation: the same code runs. */
    const inPage = (code: string): Promise<unknown> => page.evaluate(code);
    const counts = new Map<string, number>();
    const startedAt = Date.now();
    await player.openPanel();
    let done = 0;
    while (done < actions) {
        const here = lines();
        const last = here.at(-1);
        const at = here.length === 0 ? 0 : roll(here.length);
        const line = here[at];
        const isReply = last !== undefined && !last.user && !last.hidden && here.length > 1;
        const kind = here.length < 4 ? 'send' : kinds[roll(kinds.length)] ?? 'send';
        const what = `action ${done + 1}: ${kind}`;
        // What cannot be done here and now is no action.
        let acted = true;
        const nothing = (): void => void (acted = false);
        switch (kind) {
            case 'fail':
            case 'send': {
                failures = kind === 'fail' ? 2 : 0;
                const prose = await tell();
                here.push(told(`走${done}`, true), told(prose));
                await player.turn(`走${done}`);
                failures = 0;
                break;
            }
            case 'swipe': if (isReply) {
                const prose = await tell();
                await inPage(`(async () => { const { swipe } = await import('/script.js'); const c = SillyTavern.getContext().chat; const m = c[c.length - 1]; await swipe(null, 'right', { forceMesId: c.length - 1, forceSwipeId: m.swipes.length, forceDuration: 0, source: 'slash_command' }); })()`);
                last.swipes.push({ proses: [prose], corrections: [], told: true });
                last.shown = last.swipes.length - 1;
                await player.waitTurnDone();
            } else nothing();
                break;
            case 'swipeTo': if (isReply) {
                const to = roll(last.swipes.length);
                if (to === last.shown) {
                    nothing();
                    break;
                }
                await inPage(`(async () => { const { swipe } = await import('/script.js'); const c = SillyTavern.getContext().chat; await swipe(null, '${to > last.shown ? 'right' : 'left'}', { forceMesId: c.length - 1, forceSwipeId: ${to}, forceDuration: 0, source: 'slash_command' }); })()`);
                last.shown = to;
                await player.waitTurnDone();
            } else nothing();
                break;
            case 'deleteSwipe': if (isReply && last.swipes.length > 1) {
                const gone = roll(last.swipes.length);
                await inPage(`(async () => { const { deleteSwipe } = await import('/script.js'); await deleteSwipe(${gone}); })()`);
                last.swipes.splice(gone, 1);
                if (gone < last.shown || last.shown === last.swipes.length) last.shown -= 1;
                await player.waitTurnDone();
            } else nothing();
                break;
            case 'regenerate': if (isReply) {
                const prose = await tell();
                here.pop();
                here.push(told(prose));
                await player.regenerate();
            } else nothing();
                break;
            case 'continue': if (isReply) {
                const added = nextProse();
                script.queue('chat', added);
                shownSwipe(last).proses.push(proseOf(shownSwipe(last)) + added);
                await player.continueReply();
            } else nothing();
                break;
            case 'deleteLast': case 'deleteMiddle': {
                const from = kind === 'deleteLast' ? here.length - 1 : at;
                await inPage(`SillyTavern.getContext().executeSlashCommandsWithOptions('/cut ${from}')`);
                here.splice(from, 1);
                await player.waitTurnDone();
                break;
            }
            case 'edit': if (line && !line.user && at > 0) {
                const prose = nextProse();
                const whole = (await player.chat())[at]?.mes ?? '';
                await player.closePanel();
                await player.editMessage(at, whole.includes('<context>') ? whole.replace(/<context>[\s\S]*<\/context>/, `<context>${prose}</context>`) : prose);
                await player.openPanel();
                shownSwipe(line).proses.push(prose);
            } else nothing();
                break;
            case 'editUser': if (line?.user) {
                await player.closePanel();
                await player.editMessage(at, `改${done}`);
                await player.openPanel();
            } else nothing();
                break;
            case 'hide': if (line) {
                await inPage(`SillyTavern.getContext().executeSlashCommandsWithOptions('/${line.hidden ? 'unhide' : 'hide'} ${at}')`);
                line.hidden = !line.hidden;
                await player.waitTurnDone();
            } else nothing();
                break;
            case 'branch': if (line && chats.size < 5) {
                await inPage(`SillyTavern.getContext().executeSlashCommandsWithOptions('/branch-create ${at}')`);
                await expect.poll(() => player.chatId()).not.toBe(open);
                await page.waitForFunction((length) => window.SillyTavern.getContext().chat.length === length, at + 1);
                open = await player.chatId();
                chats.set(open, structuredClone(here.slice(0, at + 1)));
                await player.waitTurnDone();
            } else nothing();
                break;
            case 'switch': {
                const ids = [...chats.keys()];
                const to = ids[roll(ids.length)] ?? open;
                if (to === open) {
                    nothing();
                    break;
                }
                // A deletion is saved a second after it was made.
                await page.evaluate(() => window.SillyTavern.getContext().saveChat());
                await inPage(`(async () => { const { openCharacterChat } = await import('/script.js'); await openCharacterChat(${JSON.stringify(to)}); })()`);
                open = to;
                await player.waitTurnDone();
                break;
            }
            case 'reload':
                await page.evaluate(() => window.SillyTavern.getContext().saveChat());
                await player.reload();
                await player.openPanel();
                break;
            case 'correct': {
                const index = here.findLastIndex((each) => !each.user && !each.hidden);
                const target = here[index];
                if (!target || index < 1 || index !== here.length - 1) {
                    nothing();
                    break;
                }
                const coins = roll(30) + 1;
                const shown = page.locator('#narrative_agent_tabpanel [data-field="inventory"] .na-quantity');
                if ((await shown.count()) === 0 || (await shown.first().innerText()).includes(`×${coins}`)) {
                    nothing();
                    break;
                }
                await shown.first().click();
                await page.locator('#narrative_agent_tabpanel [data-field="inventory"] input').first().fill(String(coins));
                await page.locator('#narrative_agent_tabpanel [data-field="inventory"] input').first().press('Enter');
                shownSwipe(target).corrections.push(coins);
                await expect.poll(async () => JSON.stringify((await player.records())[index] ?? {})).toContain(`"quantity":${coins}`);
                break;
            }
        }
        if (!acted) continue;
        done += 1;
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        await check(what);
    }
    console.info(`${actions} actions in ${Math.round((Date.now() - startedAt) / 1000)} s, seed ${seed}, ${server.requests.length} requests: ${[...counts].map(([kind, times]) => `${kind} ${times}`).join(', ')}`);
    expect(player.complaints.filter((complaint) => complaint.startsWith('uncaught'))).toEqual([]);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('narrative-agent')))).toEqual([]);
}, 600_000);
