/**
 * Cost of one turn's decisions against a naive scan of every key, in one run: `npx vitest bench test/bench/worldbook.bench.ts --run`.
 * Every iteration is another turn: the window moves on by one message nobody has seen before.
 */
import { bench, describe } from 'vitest';
import { buildIndex } from '../../src/worldbook/book-index';
import { decide } from '../../src/worldbook/decide';
import type { Entry } from '../../src/worldbook/entry';
import { bookFingerprint } from '../../src/worldbook/fingerprint';
import { readBook } from '../../src/worldbook/read-book';
import { makeContext } from '../worldbook/make';

// Two thousand characters, so that words meet by design and not by chance.
const character = (): string => String.fromCharCode(0x4e00 + Math.floor(random() * 2000));
let state = 1;
const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
};
const word = (length: number): string => Array.from({ length }, character).join('');
const prose = (length: number): string => Array.from({ length: Math.ceil(length / 9) }, () => `${word(8)}，`).join('');

function makeBook(size: number): { entries: Record<string, unknown> } {
    return { entries: Object.fromEntries(Array.from({ length: size }, (_, uid) => [uid, {
        uid, key: [word(3), word(4), `name${uid}`], keysecondary: uid % 10 === 0 ? [word(3)] : [], selective: true, selectiveLogic: 0, comment: `条目${uid}`,
        // Every third entry leads on to another by recursion.
        content: prose(300) + (uid % 3 === 0 ? ` name${(uid * 7 + 1) % size} ` : ''),
        constant: uid % 200 === 0, order: uid % 100, position: uid % 200 === 0 ? [0, 1, 4][uid % 3] : 4, disable: uid % 50 === 7,
    }])) };
}

const history = Array.from({ length: 16 }, () => prose(500));
let turn = 0;
/** The next turn's texts, newest first. */
function nextTexts(): string[] {
    history.push(`${prose(60)} name${turn++ % 2000} ${prose(60)} name${(turn * 31) % 2000}`);
    return history.slice(-16).reverse();
}

function naive(entries: readonly Entry[], texts: string[]): number {
    const text = texts.join('\n').toLowerCase();
    let active = 0;
    for (const entry of entries) {
        if (entry.disable) continue;
        if (entry.constant || entry.key.some((key) => text.includes(key.toLowerCase()))) active++;
    }
    return active;
}

function milliseconds(work: () => unknown): number {
    const start = performance.now();
    work();
    return performance.now() - start;
}

for (const size of [2_000, 20_000]) {
    const data = makeBook(size);
    const book = { name: 'book', origin: 'character', shape: 'world', data } as const;
    const { entries } = readBook(book);
    const index = buildIndex(entries);
    const plain = makeContext();
    const context = () => makeContext({ texts: nextTexts(), config: plain.config, estimate: plain.estimate, global: { ...plain.global, recursive: true } });
    const first = milliseconds(() => decide(index, context()));
    const second = milliseconds(() => decide(index, context()));
    const naiveOnce = milliseconds(() => naive(entries, nextTexts()));
    const snapshot = decide(index, context());
    process.stdout.write(`${size} entries: read ${milliseconds(() => readBook(book)).toFixed(1)} ms, index ${milliseconds(() => buildIndex(entries)).toFixed(1)} ms, fingerprint ${milliseconds(() => bookFingerprint(book)).toFixed(1)} ms; `
        + `first turn ${first.toFixed(1)} ms, second turn ${second.toFixed(1)} ms, naive scan ${naiveOnce.toFixed(1)} ms (${(naiveOnce / second).toFixed(1)}×); ${snapshot.counts[1]} of ${snapshot.counts[0]} in\n`);

    describe(`${size} entries, one turn`, () => {
        bench('decide (every rule, every entry explained)', () => void decide(index, context()));
        bench('naive scan (substrings only)', () => void naive(entries, nextTexts()));
    });
}
