import { expect } from 'vitest';
import { turnRecordSchema, type TurnRecord } from '../../src/turn-record';
import type { Book } from '../../src/worldbook/entry';
import { emptyBook, openHost, panelBook, type MemoryHost } from './memory-host';
import type { Server, Writing } from './memory-tavern';
import { createOracle, expectedState, idsOf, proseOf, shownSwipe, type Claim, type Line } from './oracle';
import { happeningsIn, segmentText, type Mood } from './scripted-model';

export const actionKinds = [
    'send', 'send', 'send', 'send', 'swipeNew', 'swipeNew', 'swipeTo', 'swipeTo', 'deleteSwipe', 'regenerate', 'continue', 'continue', 'deleteLast', 'deleteMiddle', 'deleteMany',
    'edit', 'edit', 'editPlain', 'editUser', 'hide', 'unhide', 'move', 'branch', 'switch', 'switch', 'reload', 'stop', 'stop', 'stopPanel', 'reanalyse', 'correct', 'undo', 'rerun', 'mood', 'mood', 'rest',
] as const;
/** What is done, two numbers that choose how, and how many moments pass before the next; -1 = until all is quiet. */
export type Action = readonly [(typeof actionKinds)[number], number, number, number];

export interface WalkOptions {
    streaming?: boolean;
    panel?: boolean;
    config?: Record<string, unknown>;
}

const moods: Mood[][] = [['http'], ['http', 'http'], ['unreadable'], ['unreadable', 'unreadable'], ['hang'], ['hang', 'hang'], ['http', 'hang', 'unreadable'], ['ok', 'http', 'http']];
const greeting = segmentText({ id: 0, coins: 1, minutes: 1, place: 0 });

const rows = (text: string): string => JSON.stringify([{ chat_metadata: {} }, { name: '兰', is_user: false, is_system: false, mes: text, extra: {}, swipe_id: 0, swipes: [text], swipe_info: [{ extra: {} }] }]);

/** Walks a page through actions and holds what it shows against the oracle at every quiet moment and at the end. */
export async function walk(actions: readonly Action[], options: WalkOptions = {}): Promise<MemoryHost> {
    const oracle = createOracle();
    const server: Server = { files: new Map([['main', rows('雾很浓。')], ['other', rows(`<context>${greeting}</context>`)]]), active: 'main' };
    oracle.branched([oracle.line('雾很浓。')], 'main');
    oracle.branched([oracle.line(greeting)], 'other');
    const book: Book = options.panel ? panelBook : emptyBook;
    let count = 0;
    let end: Writing['end'] = 'whole';
    const nextProse = (): string => {
        count += 1;
        return segmentText({ id: count, coins: count % 7 + 1, minutes: count % 5 + 1, place: count });
    };
    const write = (): Writing => {
        const prose = nextProse();
        return { pieces: [prose.slice(0, 6), prose.slice(6)], end };
    };
    const open = (): Promise<MemoryHost> => openHost({ server, config: { structuredOutput: 'off', ...options.config }, streaming: options.streaming, book, witness: oracle.witness, write });
    let host = await open();

    const running: Promise<unknown>[] = [];
    const begin = (work: Promise<unknown>): void => void running.push(work);
    const rest = async (): Promise<void> => {
        await host.clock.settle();
        // SillyTavern waits for its own call as long as it takes: the user gives up.
        if (host.tavern.generating()) {
            host.tavern.stop();
            await host.clock.settle();
        }
        await Promise.all(running.splice(0));
    };
    const recordAt = (index: number): TurnRecord | null => {
        const message = host.tavern.context.chat[index];
        const parsed = turnRecordSchema.safeParse(message?.extra?.['narrative_agent']);
        return parsed.success && parsed.data.swipe === (message?.swipe_id ?? 0) ? parsed.data : null;
    };
    const claims = (): Claim[] => oracle.lines().map((_, index) => {
        const record = recordAt(index);
        return { own: record !== null, found: record?.summary === undefined ? null : (/#([\d+]*)#/.exec(record.summary)?.[1] ?? null) };
    });
    const lastCounted = (): { line: Line; index: number } | null => {
        const index = oracle.lines().findLastIndex((line, place) => !line.user && !(line.hidden && !recordAt(place)));
        const line = oracle.lines()[index];
        return line ? { line, index } : null;
    };

    const check = (): void => {
        const { chat } = host.tavern.context;
        const lines = oracle.lines();
        // No narrative is ever lost, none is changed, none stands elsewhere.
        expect(chat.map((message) => `${message.is_user}:${message.swipe_id ?? 0}:${happeningsIn(message.mes).map(({ id }) => id).join('+')}`)).toEqual(lines.map((line) => `${line.user}:${line.user ? 0 : line.shown}:${idsOf(proseOf(shownSwipe(line)))}`));
        for (const message of chat) {
            expect(message.mes.match(/<context>/g)?.length ?? 0).toBeLessThan(2);
            expect(message.mes.match(/<summary>/g)?.length ?? 0).toBeLessThan(2);
            if (!message.is_user) expect(message.swipes?.[message.swipe_id ?? 0]).toBe(message.mes);
        }
        const { fold, turns } = host.core.reader.now();
        const { day, hour, minute } = fold.state.time;
        const coins = fold.state.inventory['币'] ?? 0;
        const want = expectedState(lines, claims());
        expect({ coins, minutes: (day - 1) * 1440 + hour * 60 + minute, place: fold.state.location }).toEqual({ coins: want.coins, minutes: want.minutes, place: want.place });
        // A chapter stands for the summaries it was made from.
        const marks = (texts: string[]): string => texts.flatMap((text) => text.match(/#[\d+]*#/g) ?? []).join();
        if (fold.summaries.some((entry) => entry.chapter)) expect(marks(fold.summaries.map((entry) => entry.text))).toBe(marks(want.summaries));
        else expect(fold.summaries.map((entry) => entry.text)).toEqual(want.summaries);
        expect(turns.flatMap((turn) => turn.replies).filter((reply) => reply.record?.status === 'pending').map((reply) => reply.index), 'pending though nothing runs').toEqual([]);
        for (const reply of turns.flatMap((turn) => turn.replies)) {
            if (reply.record?.status === 'complete' && reply.record.analysed && !reply.stale) expect(reply.record.summary).toContain(`#${idsOf(reply.narrative)}#`);
        }
        expect(host.orchestrator.working()).toBe(false);
        expect(host.session.progress(), 'a stage is shown though nothing runs').toBeNull();
        expect(host.errors).toEqual([]);
        const pendingElsewhere = [...server.files].filter(([id, file]) => id !== host.tavern.chatId() && file.includes('"pending"')).length;
        const hidden = JSON.stringify(chat).includes('"pending"');
        if (pendingElsewhere === 0 && !hidden) expect(Object.keys(localStorage)).toEqual([]);
    };

    const act = async ([kind, a, b]: Action): Promise<void> => {
        const { tavern } = host;
        if (kind === 'stop') return tavern.stop();
        if (kind === 'stopPanel') {
            tavern.stop();
            return host.orchestrator.stop();
        }
        if (kind === 'mood') return void host.model.moods.push(...(moods[a % moods.length] ?? []));
        if (kind === 'reload') {
            await host.clock.breathe();
            host.leave();
            running.length = 0;
            host = await open();
            return;
        }
        if (kind === 'rest') return rest();
        // SillyTavern allows nothing else while it generates.
        if (tavern.generating()) await rest();
        const lines = oracle.lines();
        const last = lines.at(-1);
        const at = lines.length === 0 ? 0 : a % lines.length;
        const line = lines[at];
        const isReply = last !== undefined && !last.user && !last.hidden && lines.length > 1;
        end = b % 11 === 10 ? 'fault' : b % 13 === 12 ? 'silence' : 'whole';
        switch (kind) {
            case 'send': begin(tavern.send(`用户${b}`)); break;
            case 'regenerate': if (last && lines.length > 1) begin(tavern.regenerate()); break;
            case 'swipeNew': if (isReply) begin(tavern.swipeNew()); break;
            case 'continue': if (isReply) begin(tavern.continueReply()); break;
            case 'swipeTo': if (isReply) {
                last.shown = a % last.swipes.length;
                await tavern.swipeTo(last.shown);
            } break;
            case 'deleteSwipe': if (isReply && last.swipes.length > 1) {
                const gone = a % last.swipes.length;
                last.swipes.splice(gone, 1);
                if (gone < last.shown || last.shown === last.swipes.length) last.shown -= 1;
                await tavern.deleteSwipe(gone);
            } break;
            case 'deleteLast': case 'deleteMiddle': case 'deleteMany': if (last) {
                const from = kind === 'deleteLast' ? lines.length - 1 : at;
                const many = kind === 'deleteMany' ? b % 4 + 1 : 1;
                lines.splice(from, many);
                await tavern.deleteAt(from, many);
            } break;
            case 'edit': case 'editPlain': if (line && !line.user) {
                const prose = nextProse();
                const whole = tavern.context.chat[at]?.mes ?? '';
                shownSwipe(line).proses.push(prose);
                await tavern.edit(at, kind === 'edit' && whole.includes('<context>') ? whole.replace(/<context>[\s\S]*<\/context>/, `<context>${prose}</context>`) : prose);
            } break;
            case 'editUser': if (line?.user) {
                line.swipes = [{ proses: [`改${b}`], corrections: [], told: false }];
                await tavern.edit(at, `改${b}`);
            } break;
            case 'hide': case 'unhide': if (line) {
                line.hidden = kind === 'hide';
                await tavern.hide(at, line.hidden);
            } break;
            case 'move': if (at + 1 < lines.length) {
                const [one] = lines.splice(at, 1);
                if (one) lines.splice(at + 1, 0, one);
                await tavern.move(at);
            } break;
            case 'branch': if (line) {
                const id = `branch${(count += 1)}`;
                oracle.branched(lines.slice(0, at + 1), id);
                await tavern.branch(at, id);
            } break;
            case 'switch': {
                const chats = tavern.chats();
                await tavern.open(chats[a % chats.length] ?? 'main');
                break;
            }
            case 'reanalyse': if (line && !line.user) begin(host.orchestrator.reanalyse(at, b % 2 === 0)); break;
            case 'rerun': if (line && !line.user) begin(host.orchestrator.rerunTool(at, 'panel')); break;
            case 'correct': {
                const target = lastCounted();
                if (!target) break;
                shownSwipe(target.line).corrections.push(b);
                await host.orchestrator.correct({ type: 'set_item', params: { item: '币', quantity: b } });
                break;
            }
            case 'undo': {
                const index = lines.findLastIndex((each, place) => recordAt(place) !== null && shownSwipe(each).corrections.length > 0);
                const target = lines[index];
                if (target) shownSwipe(target).corrections.pop();
                await host.orchestrator.undoCorrection();
                break;
            }
        }
    };

    for (const action of actions) {
        await act(action);
        if (action[3] < 0) {
            await rest();
            check();
        } else for (let moment = 0; moment < action[3]; moment += 1) await host.clock.step();
    }
    await rest();
    check();

    // All is well again: every chat is opened, told on, and read anew; then it is what its prose says.
    end = 'whole';
    host.model.moods.length = 0;
    // A chat left in the middle of a turn keeps what was paid for until it is opened again.
    const kept = Object.keys(localStorage).map((key) => localStorage.getItem(key) ?? '');
    const waiting = host.tavern.chats().filter((id) => kept.some((entry) => entry.includes(`/${id}"`)));
    for (const id of new Set([host.tavern.chatId(), ...host.tavern.chats().slice(0, 3), ...waiting])) {
        await host.tavern.open(id);
        await rest();
        check();
        begin(host.tavern.send('最后'));
        await rest();
        check();
        const before = host.core.reader.now().turns.flatMap((turn) => (turn.number === 0 ? [] : turn.replies)).filter((reply) => !reply.hidden && reply.narrative !== '' && reply.narrative !== '...');
        expect(before.filter((reply) => (reply.record ? reply.record.status !== 'complete' : oracle.lines()[reply.index]?.swipes[0]?.told === true)).map((reply) => reply.index), 'not caught up').toEqual([]);
        begin(host.orchestrator.reanalyse(0, true));
        await rest();
        check();
        const after = host.core.reader.now().turns.flatMap((turn) => turn.replies).filter((reply) => reply.narrative !== '');
        expect(after.filter((reply) => reply.stale || reply.record?.status !== 'complete').map((reply) => reply.index), 'not read anew').toEqual([]);
        claims().forEach((claim, index) => {
            const told = oracle.lines()[index];
            if (told && claim.own) expect(claim.found).toBe(idsOf(proseOf(shownSwipe(told))));
        });
    }
    expect(Object.keys(localStorage)).toEqual([]);
    host.leave();
    return host;
}
