import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { actionKinds, walk, type Action, type WalkOptions } from './walker';

/** A store that behaves as the browser's, without its cost. */
function memoryStorage(): Storage {
    const store: Record<string, string> = {};
    const methods = {
        getItem: (key: string) => store[key] ?? null,
        setItem: (key: string, value: string) => void (store[key] = value),
        removeItem: (key: string) => void Reflect.deleteProperty(store, key),
    };
    return new Proxy(store, { get: (_, key) => (key in methods ? methods[key as keyof typeof methods] : store[key as string]) }) as unknown as Storage;
}

const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);

beforeEach(() => {
    vi.stubGlobal('localStorage', memoryStorage());
    rejections.length = 0;
    process.on('unhandledRejection', onRejection);
});
afterEach(() => {
    process.off('unhandledRejection', onRejection);
    vi.unstubAllGlobals();
});

const action: fc.Arbitrary<Action> = fc.tuple(fc.constantFrom(...actionKinds), fc.nat(30), fc.nat(30), fc.constantFrom(-1, -1, 0, 1, 2, 3, 4, 6));
const options: fc.Arbitrary<WalkOptions> = fc.record({
    streaming: fc.boolean(),
    panel: fc.boolean(),
    config: fc.record({
        pipeline: fc.record({ enableTextRecall: fc.boolean(), parallelExecutionEnabled: fc.boolean(), reanalyseEdits: fc.boolean(), summaryTokenLimit: fc.constantFrom(0, 0, 120) }),
        state: fc.record({ persistToLocalStorage: fc.boolean() }),
    }),
});

const config = (pipeline: Record<string, unknown> = {}) => ({ config: { pipeline } });

/** What random walks have found, each shrunk to its core. */
const found: [string, Action[], WalkOptions][] = [
    ['a stream that breaks off in a swipe keeps what had come as a turn to be analysed', [['send', 0, 0, -1], ['swipeNew', 0, 10, -1], ['send', 0, 0, -1]], { streaming: true }],
    ['a reply stopped while it streams is analysed before the next turn', [['send', 0, 0, 2], ['stop', 0, 0, -1], ['send', 0, 0, -1], ['send', 0, 0, -1]], { streaming: true }],
    ['a reply stopped before its first word is no turn to catch up', [['send', 0, 0, 1], ['stop', 0, 0, -1], ['send', 0, 0, -1]], { streaming: true }],
    ['Stop in the panel ends the writing too', [['send', 0, 1, 2], ['stopPanel', 0, 0, -1], ['send', 0, 0, -1]], {}],
    ['no stage is shown for ever after a failed call', [['send', 0, 10, -1], ['editPlain', 0, 0, -1]], config({ reanalyseEdits: true })],
    ['a continued reply is analysed when its chat is opened again', [['send', 0, 1, -1], ['continue', 0, 1, 4], ['switch', 0, 0, -1], ['send', 0, 0, -1]], { panel: true }],
    ['a chat opened again while its turn still ends in the background resumes it', [['send', 0, 0, 4], ['switch', 0, 0, -1]], config({ enableTextRecall: true })],
    ['a reply continued while the last continuation is being analysed loses none of it', [['send', 0, 0, -1], ['continue', 0, 0, 4], ['continue', 0, 0, -1], ['send', 0, 0, -1]], { streaming: true, panel: true, ...config({ parallelExecutionEnabled: true }) }],
    ['a reply that lost its line and is continued twice loses nothing', [['send', 0, 0, -1], ['deleteMiddle', 1, 0, -1], ['continue', 0, 0, -1], ['continue', 0, 0, -1], ['send', 0, 0, -1]], { panel: true }],
    ['a reply that is moved while its analysis begins is analysed by its own text', [['send', 0, 0, -1], ['editPlain', 2, 0, 0], ['move', 1, 0, -1], ['send', 0, 0, -1]], config({ reanalyseEdits: true })],
    ['a tool run again leaves an edited turn stale', [['send', 0, 0, -1], ['edit', 2, 0, -1], ['rerun', 2, 0, -1]], { panel: true }],
    ['a correction made while its turn is analysed holds', [['send', 0, 0, 4], ['correct', 0, 9, -1], ['reload', 0, 0, -1]], {}],
    ['a chat left in the middle of a turn leaves nothing once it has been opened again', [['branch', 0, 0, -1], ['branch', 0, 0, -1], ['send', 0, 0, 4], ['switch', 0, 0, -1]], { streaming: false, panel: true }],
    ['a swipe shown again in the middle of its analysis is analysed', [['send', 0, 0, 4], ['swipeNew', 0, 0, 3], ['switch', 0, 0, -1], ['swipeTo', 0, 0, -1]], {}],
];

describe('what random walks have found', () => {
    it.each(found)('%s', async (_, actions, chosen) => {
        await walk(actions, chosen);
        expect(rejections).toEqual([]);
    });
});

/** More for a longer look: `WALKS=20000 WALK_MS=600000`. */
const runs = Number(process.env['WALKS'] ?? 3000);
const limit = Number(process.env['WALK_MS'] ?? 15_000);

describe('whatever the user does', () => {
    it('shows the state of the story as it then is', async () => {
        let walks = 0;
        let steps = 0;
        await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 24, size: 'max' }), options, async (actions, chosen) => {
            vi.stubGlobal('localStorage', memoryStorage());
            await walk(actions, chosen);
            walks += 1;
            steps += actions.length;
        }), { numRuns: runs, interruptAfterTimeLimit: limit });
        expect(rejections).toEqual([]);
        // A slow machine walks less in its time.
        expect(walks).toBeGreaterThan(50);
        console.info(`${walks} walks, ${steps} actions`);
    }, 300_000 + limit);
});
