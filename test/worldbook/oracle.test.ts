import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { activate } from '../../src/worldbook/activation';
import { buildIndex } from '../../src/worldbook/book-index';
import type { DecideContext } from '../../src/worldbook/context';
import { decide } from '../../src/worldbook/decide';
import type { Entry, GlobalScanSettings } from '../../src/worldbook/entry';
import { readBook } from '../../src/worldbook/read-book';
import { promptOrder } from '../../src/worldbook/route';
import { makeContext } from './make';

interface Placed {
    before: number[];
    after: number[];
    an_top: number[];
    an_bottom: number[];
    em: { at: string; uid: number }[];
    depth: { depth: number; role: number; uids: number[] }[];
    outlets: Record<string, number[]>;
}
interface Fixture {
    id: string;
    set: string;
    settings: Omit<GlobalScanSettings, 'includeNames' | 'characterStrategy'> & { trigger: string };
    names: { user: string; char: string };
    scan_data: { personaDescription: string; characterDescription: string; characterPersonality: string; characterDepthPrompt: string; scenario: string; creatorNotes: string };
    chat: string[];
    book: unknown;
    card_book: unknown;
    expected: number[] | number[][];
    placed?: Placed;
    steps?: number[];
}

const { fixtures } = JSON.parse(readFileSync('test/fixtures/worldinfo.json', 'utf8')) as { fixtures: Fixture[] };

function contextOf(fixture: Fixture, messages: number): DecideContext {
    const { scan_data: data, names } = fixture;
    const plain = makeContext();
    return makeContext({
        texts: fixture.chat.slice(0, messages).reverse(),
        messageCount: messages,
        global: { ...fixture.settings, includeNames: false, characterStrategy: 1 },
        trigger: fixture.settings.trigger,
        character: {
            fileName: '', tags: null, personaDescription: data.personaDescription, description: data.characterDescription, personality: data.characterPersonality,
            depthPrompt: data.characterDepthPrompt, scenario: data.scenario, creatorNotes: data.creatorNotes,
        },
        config: { ...plain.config, scan: 'sillytavern', keywordLogic: 'sillytavern' },
        substitute: (text) => text.replaceAll('{{user}}', names.user).replaceAll('{{char}}', names.char),
    });
}

/** The host's slots from our prompt order. */
function place(active: Entry[]): Placed {
    const placed: Placed = { before: [], after: [], an_top: [], an_bottom: [], em: [], depth: [], outlets: {} };
    const slots = [placed.before, placed.after, placed.an_top, placed.an_bottom];
    for (const entry of promptOrder(active, (each) => each)) {
        if (entry.position <= 3) slots[entry.position]?.push(entry.uid);
        else if (entry.position === 5 || entry.position === 6) placed.em.push({ at: entry.position === 5 ? 'top' : 'bottom', uid: entry.uid });
        else if (entry.position === 4) {
            const slot = placed.depth.find((each) => each.depth === entry.depth && each.role === entry.role);
            if (slot) slot.uids.push(entry.uid);
            else placed.depth.push({ depth: entry.depth, role: entry.role, uids: [entry.uid] });
        } else if (entry.outletName !== '') (placed.outlets[entry.outletName] ??= []).unshift(entry.uid);
    }
    return placed;
}
const byDepth = (placed: Placed) => ({ ...placed, depth: [...placed.depth].sort((a, b) => a.depth - b.depth || a.role - b.role) });

describe('agrees with the recorded decisions of SillyTavern', () => {
    it('has the fixtures it was made for', () => {
        expect(fixtures.length).toBeGreaterThanOrEqual(230);
    });
    for (const shape of ['world', 'card'] as const) {
        it.each(fixtures.map((fixture) => [fixture.id, fixture] as const))(`${shape} %s`, (_, fixture) => {
            const { entries } = readBook({ name: 'book', origin: 'character', shape, data: shape === 'world' ? fixture.book : fixture.card_book });
            const index = buildIndex(entries);
            let timed: DecideContext['timed'] = [];
            const steps = fixture.steps ?? [fixture.chat.length];
            const results = steps.map((messages) => {
                const context = { ...contextOf(fixture, messages), timed };
                const { active } = activate(index, context, new Map());
                const snapshot = decide(index, context);
                expect(new Set(snapshot.decisions.filter((each) => each.status === 'in').map((each) => each.entry))).toEqual(new Set([...active.keys()].map((item) => item.entry.id)));
                timed = snapshot.timed;
                return [...active.keys()].map((item) => item.entry);
            });
            const uids = results.map((active) => active.map((entry) => entry.uid));
            expect(fixture.steps ? uids : uids[0]).toEqual(fixture.expected);
            if (fixture.placed) expect(byDepth(place(results[0] ?? []))).toEqual(byDepth(fixture.placed));
        });
    }
});
