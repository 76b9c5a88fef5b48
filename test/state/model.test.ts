import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFolder, foldTurns } from '../../src/state/fold';
import { extractTurns } from '../../src/text/extract-turns';
import type { ProposedEvent } from '../../src/state/event';
import { createFakeChat } from './fake-chat';
import type { Job, Outcome } from './fake-chat';

/**
 * The oracle: what a reader of the chat would say. Each swipe is one object that knows its own prose and what was found in
 * it; nothing is copied but by a branch. It counts coins, minutes and places by itself and knows no record, no extra, no fold.
 */
interface Swipe { prose: string; job: Job | null; found: (Outcome & { prose: string; corrections: ProposedEvent[] }) | null }
interface Line { user: boolean; hidden: boolean; prose: string; swipes: Swipe[]; shown: number }

const shownSwipe = (line: Line): Swipe | undefined => line.swipes[line.shown];

function expected(lines: Line[]): { coins: number; minutes: number; place: string; summaries: string[]; status: string[] } {
    let coins = 0;
    let minutes = 0;
    let place = '起点';
    let turn = 0;
    let asked = false;
    let askedHidden = false;
    const summaries: string[] = [];
    const status: string[] = [];
    const take = (event: ProposedEvent): void => {
        const number = Number(event.params.quantity ?? event.params.amount);
        if (event.type === 'add_item') coins += number;
        else if (event.type === 'remove_item') coins -= number <= coins ? number : 0;
        else if (event.type === 'set_item') coins = number;
        else if (event.type === 'pass_time') minutes += number > 0 ? number : 0;
        else place = String(event.params.location);
    };
    for (const line of lines) {
        if (line.user) {
            if (line.hidden) askedHidden = true;
            else {
                asked = true;
                askedHidden = false;
            }
            continue;
        }
        const found = shownSwipe(line)?.found ?? null;
        if (line.hidden && !found) {
            askedHidden = false;
            continue;
        }
        if (asked || askedHidden) turn += 1;
        asked = false;
        askedHidden = false;
        const stale = found !== null && found.prose !== shownSwipe(line)?.prose;
        status.push(`${turn}:${found === null ? 'none' : found.status === 'complete' ? (stale ? 'stale' : 'complete') : found.status}`);
        if (!found) continue;
        found.events.forEach(take);
        found.corrections.forEach(take);
        if (found.summary) summaries.push(`[第${turn}轮] ${found.summary}`);
    }
    return { coins, minutes, place, summaries, status };
}

const kinds = [
    'turn', 'turn', 'turn', 'stopped', 'userOnly', 'member', 'finish', 'finish', 'finish', 'fail', 'swipeNew', 'swipeNew', 'swipeStopped', 'swipeTo', 'swipeTo', 'deleteSwipe', 'regenerate', 'deleteLast',
    'deleteMiddle', 'deleteMany', 'edit', 'editUser', 'continue', 'hide', 'unhide', 'move', 'branch', 'switch', 'reload', 'reanalyse', 'correct',
] as const;
type Action = readonly [(typeof kinds)[number], number, number];

interface OracleJob { job: Job; swipe: Swipe; lines: Line[] }

function play(actions: readonly Action[]): void {
    const chat = createFakeChat();
    const folder = createFolder();
    const books = new Map<string, Line[]>([['main', []]]);
    const jobs: OracleJob[] = [];
    /** What each job was given to read: a later job may have read something else meanwhile. */
    const jobProse = new Map<Job, string>();
    let count = 0;
    const lines = (): Line[] => books.get(chat.key()) ?? [];
    const prose = (): string => `第${(count += 1)}段，有人走过`;
    const start = (swipe: Swipe, job: Job | null): void => {
        swipe.job = job;
        if (!job) return;
        jobProse.set(job, swipe.prose);
        swipe.found = { status: 'incomplete', events: [], prose: swipe.prose, corrections: swipe.found?.corrections ?? [] };
        Object.assign(swipe.found, { status: 'pending' });
        jobs.push({ job, swipe, lines: lines() });
    };
    const newReply = (own: boolean): void => {
        const swipe: Swipe = { prose: prose(), job: null, found: null };
        lines().push({ user: false, hidden: false, prose: '', swipes: [swipe], shown: 0 });
        start(swipe, chat.reply(swipe.prose, own));
    };
    const newUser = (): void => {
        const text = prose();
        chat.send(text);
        lines().push({ user: true, hidden: false, prose: text, swipes: [], shown: 0 });
    };
    const finish = (pick: number, size: number, fail: boolean): void => {
        const [one] = jobs.length === 0 ? [] : jobs.splice(pick % jobs.length, 1);
        if (!one) return;
        const events: ProposedEvent[] = [
            { type: 'add_item', params: { item: '币', quantity: size % 7 + 1 } }, { type: 'remove_item', params: { item: '币', quantity: size % 5 + 1 } },
            { type: 'pass_time', params: { amount: size % 3 } }, { type: 'move', params: { location: `地${size}` } },
        ].slice(size % 4, size % 4 + 2);
        const outcome: Outcome = fail ? { status: 'incomplete', events: [] } : { status: 'complete', events, summary: `要点${count}-${size}` };
        const done = chat.finish(one.job, outcome);
        const there = one.lines === lines() && one.lines.some((line) => line.swipes.includes(one.swipe)) && one.swipe.job?.recordId === one.job.recordId;
        expect(done).toBe(there);
        if (!there) return;
        one.swipe.found = { ...outcome, summary: outcome.summary ?? one.swipe.found?.summary, prose: jobProse.get(one.job) ?? '', corrections: one.swipe.found?.corrections ?? [] };
    };
    for (const [kind, a, b] of actions) {
        const here = lines();
        const last = here.at(-1);
        const at = here.length === 0 ? 0 : a % here.length;
        const line = here[at];
        switch (kind) {
            case 'turn': newUser(); newReply(true); break;
            case 'stopped': newUser(); newReply(false); break;
            case 'userOnly': newUser(); break;
            case 'member': newReply(true); break;
            case 'finish': finish(a, b, false); break;
            case 'fail': finish(a, b, true); break;
            case 'swipeNew':
            case 'swipeStopped': {
                if (!last || last.user) break;
                const swipe: Swipe = { prose: prose(), job: null, found: null };
                last.swipes.push(swipe);
                last.shown = last.swipes.length - 1;
                start(swipe, chat.swipeNew(swipe.prose, kind === 'swipeNew'));
                break;
            }
            case 'swipeTo': if (last && !last.user) { chat.swipeTo(a); last.shown = a % last.swipes.length; } break;
            case 'deleteSwipe': {
                if (!last || last.swipes.length < 2) break;
                const gone = a % last.swipes.length;
                chat.deleteSwipe(a);
                last.swipes.splice(gone, 1);
                if (gone < last.shown || last.shown === last.swipes.length) last.shown -= 1;
                break;
            }
            case 'regenerate': if (last && !last.user) { chat.deleteAt(here.length - 1, 1); here.pop(); newReply(true); } break;
            case 'deleteLast': if (last) { chat.deleteAt(here.length - 1, 1); here.pop(); } break;
            case 'deleteMiddle': if (line) { chat.deleteAt(at, 1); here.splice(at, 1); } break;
            case 'deleteMany': if (line) { chat.deleteAt(at, b % 4 + 1); here.splice(at, b % 4 + 1); } break;
            case 'edit':
            case 'continue': {
                const target = kind === 'continue' ? last : line;
                const swipe = target && shownSwipe(target);
                if (!target || !swipe) break;
                swipe.prose = kind === 'continue' ? `${swipe.prose}，${prose()}` : prose();
                chat.edit(here.indexOf(target), swipe.prose);
                break;
            }
            case 'editUser': if (line?.user) { line.prose = prose(); chat.edit(at, line.prose); } break;
            case 'hide': if (line) { line.hidden = true; chat.hide(at, true); } break;
            case 'unhide': if (line) { line.hidden = false; chat.hide(at, false); } break;
            case 'move': if (at + 1 < here.length) { chat.swap(at); const [one] = here.splice(at, 1); if (one) here.splice(at + 1, 0, one); } break;
            case 'branch': {
                if (!line) break;
                const name = `branch${(count += 1)}`;
                books.set(name, structuredClone(here.slice(0, at + 1)));
                chat.branch(at, name);
                break;
            }
            case 'switch': { const keys = chat.keys(); chat.open(keys[a % keys.length] ?? 'main'); break; }
            case 'reload': chat.reload(); break;
            case 'reanalyse': {
                const swipe = line && shownSwipe(line);
                const job = swipe ? chat.reanalyse(at) : null;
                if (!swipe || !job) break;
                if (!swipe.found) start(swipe, job);
                else jobs.push({ job, swipe, lines: here });
                jobProse.set(job, swipe.prose);
                break;
            }
            case 'correct': {
                const swipe = line && shownSwipe(line);
                const event: ProposedEvent = { type: 'set_item', params: { item: '币', quantity: b } };
                if (swipe) expect(chat.correct(at, event)).toBe(swipe.found !== null);
                swipe?.found?.corrections.push(event);
                break;
            }
        }
        const turns = extractTurns(chat.view());
        const fold = folder(turns);
        const want = expected(lines());
        const { day, hour, minute } = fold.state.time;
        expect({
            coins: fold.state.inventory['币'] ?? 0, minutes: (day - 1) * 1440 + hour * 60 + minute, place: fold.state.location,
            summaries: fold.summaries.map((entry) => entry.text),
        }).toEqual({ coins: want.coins, minutes: want.minutes, place: want.place, summaries: want.summaries });
        if (fold.turns.every((turn) => turn.replies.length < 2)) expect(fold.turns.map((turn) => `${turn.number}:${turn.status}`)).toEqual(want.status);
        // No narrative is ever lost or changed.
        expect(chat.view().map((message) => message.text.replace(/<\/?context>/g, '').trim())).toEqual(lines().map((one) => (one.user ? one.prose : (shownSwipe(one)?.prose ?? ''))));
    }
    const turns = extractTurns(chat.view());
    expect(folder(turns)).toEqual(foldTurns(turns));
}

describe('the state is the chat', () => {
    it('when two jobs on one edited reply end in either order', () => {
        play([['member', 0, 0], ['edit', 0, 0], ['reanalyse', 0, 0], ['finish', 1, 0], ['finish', 0, 0], ['turn', 0, 0], ['turn', 0, 0]]);
        play([['member', 0, 0], ['edit', 0, 0], ['reanalyse', 0, 0], ['finish', 0, 0], ['finish', 0, 0]]);
    });

    it('whatever the user does, in any order', () => {
        const action = fc.tuple(fc.constantFrom(...kinds), fc.nat(30), fc.nat(30)) as fc.Arbitrary<Action>;
        fc.assert(fc.property(fc.array(action, { minLength: 3, maxLength: 30, size: 'max' }), play), { numRuns: 5000 });
    }, 60_000);
});
