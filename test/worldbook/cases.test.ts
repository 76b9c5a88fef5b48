import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildIndex } from '../../src/worldbook/book-index';
import { decide } from '../../src/worldbook/decide';
import { readBook } from '../../src/worldbook/read-book';
import { makeContext } from './make';

interface Case {
    id: string;
    kind: string;
    why: string;
    input: { source: 'world' | 'card'; book: { entries: unknown[] | Record<string, unknown> }; scan_text: string };
    expected: { routes: Record<string, string | { $any: (string | { $absent: true })[] }>; repeat?: number };
}

const cases = (JSON.parse(readFileSync('test/fixtures/cases.json', 'utf8')) as Case[]).filter((each) => each.kind === 'worldbook');

function routesOf({ input }: Case): Record<string, string> {
    const { entries } = readBook({ name: 'book', origin: input.source === 'card' ? 'card' : 'character', shape: input.source, data: input.book });
    const listed = Array.isArray(input.book.entries) ? input.book.entries : Object.values(input.book.entries);
    const snapshot = decide(buildIndex(entries), makeContext({ texts: [input.scan_text] }));
    const routes: Record<string, string> = {};
    let next = 0;
    listed.forEach((raw, position) => {
        if (raw === null) return;
        const decision = snapshot.decisions.find((each) => each.entry === entries[next]?.id);
        next++;
        if (!decision) return;
        routes[position] = decision.kind === 'ui' ? 'filtered' : decision.status === 'out' ? 'inactive' : decision.kind === 'lore' ? decision.section ?? '' : decision.kind;
    });
    return routes;
}

describe('what authors really write', () => {
    it('has its cases', () => expect(cases.length).toBeGreaterThan(3));
    it.each(cases.map((each) => [`${each.id}: ${each.why}`, each] as const))('%s', (_, each) => {
        for (let run = 0; run < (each.expected.repeat ?? 1); run++) {
            const routes = routesOf(each);
            for (const [position, expected] of Object.entries(each.expected.routes)) {
                if (typeof expected === 'string') expect([position, routes[position]]).toEqual([position, expected]);
                else expect([...expected.$any.filter((any) => typeof any === 'string'), ...(expected.$any.some((any) => typeof any !== 'string') ? [undefined] : [])]).toContain(routes[position]);
            }
        }
    });
});
