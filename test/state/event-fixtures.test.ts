import { describe, expect, it } from 'vitest';
import cases from '../fixtures/cases.json';
import { applyEvent } from '../../src/state/apply-event';
import { readGameState } from '../../src/state/game-state-schema';

interface EventCase {
    id: string;
    kind: string;
    input: { state: unknown; events: { type: string; params: Record<string, unknown> }[] };
    expected: { state: Record<string, unknown>; rejected_min?: number; object_prototype_clean?: boolean };
}

const closed = new Set(['inventory', 'relationships', 'quests', 'stat_data']);

/** The markers of the fixtures' README. Returns the paths that differ. */
function differences(expected: unknown, actual: unknown, present: boolean, path: string, strict: boolean): string[] {
    if (typeof expected === 'object' && expected !== null && !Array.isArray(expected)) {
        const wanted = expected as Record<string, unknown>;
        if ('$ignore' in wanted) return [];
        if ('$absent' in wanted) return present ? [`${path} should be absent`] : [];
        if (Array.isArray(wanted.$any)) return wanted.$any.some((option) => differences(option, actual, present, path, strict).length === 0) ? [] : [`${path}: ${JSON.stringify(actual)}`];
        if (typeof actual !== 'object' || actual === null) return [`${path}: ${JSON.stringify(actual)}`];
        const record = actual as Record<string, unknown>;
        const found = Object.entries(wanted).flatMap(([key, value]) => differences(value, record[key], Object.hasOwn(record, key), `${path}.${key}`, strict || closed.has(key)));
        const extra = strict ? Object.keys(record).filter((key) => key !== '__proto__' && !Object.hasOwn(wanted, key)).map((key) => `${path}.${key} is extra`) : [];
        return [...found, ...extra];
    }
    return present && JSON.stringify(expected) === JSON.stringify(actual) ? [] : [`${path}: ${JSON.stringify(actual)}`];
}

describe('events of the shared fixtures', () => {
    const all = (cases as unknown as EventCase[]).filter((one) => one.kind === 'events');
    it('has cases', () => expect(all.length).toBeGreaterThan(3));
    it.each(all.map((one) => [one.id, one] as const))('%s', (_id, { input, expected }) => {
        const before = Object.getOwnPropertyNames(Object.prototype).join();
        const start = readGameState(input.state);
        if (!start) throw new Error('unreadable state');
        expect(start.dropped).toBe(0);
        let { state } = start;
        let rejected = 0;
        for (const event of input.events) {
            const applied = applyEvent(state, event, { turn: 1, by: 'analysis' });
            if (!applied.record.accepted) rejected += 1;
            state = applied.state;
        }
        expect(differences(expected.state, state, true, 'state', false)).toEqual([]);
        expect(rejected).toBeGreaterThanOrEqual(expected.rejected_min ?? 0);
        expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    });
});
