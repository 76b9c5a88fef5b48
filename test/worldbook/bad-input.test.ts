import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildIndex } from '../../src/worldbook/book-index';
import { decide } from '../../src/worldbook/decide';
import { parseRegexKey } from '../../src/worldbook/regex-key';
import { buildAutomaton } from '../../src/worldbook/regex-automaton';
import { parseRegex } from '../../src/worldbook/regex-syntax';
import { makeContext, makeEntries } from './make';

const status = (entries: Parameters<typeof makeEntries>[0], texts: string[]) => {
    const snapshot = decide(buildIndex(makeEntries(entries)), makeContext({ texts }));
    return { status: Object.fromEntries(snapshot.decisions.map((each) => [each.entry.split('#')[1], each.status])), codes: snapshot.notices.map((each) => each.code) };
};
const timed = (work: () => void): number => {
    const start = performance.now();
    work();
    return performance.now() - start;
};

it('an invalid regular expression is plain text, with a note', () => {
    expect(status([{ key: ['/阿(丙/'] }, { key: ['/阿(乙/'] }], ['他写下 /阿(丙/ 四字'])).toEqual({ status: { 0: 'in', 1: 'out' }, codes: ['worldbook.invalid-regex', 'worldbook.invalid-regex'] });
});

it('a key of blanks matches nothing in the default scan and everything in the host\'s, with a note', () => {
    expect(status([{ key: ['   '] }, { key: [''] }], ['北 塔'])).toEqual({ status: { 0: 'out', 1: 'out' }, codes: ['worldbook.blank-key'] });
    const config = { ...makeContext().config, scan: 'sillytavern' as const };
    expect(decide(buildIndex(makeEntries([{ key: ['   '] }])), makeContext({ texts: ['x'], config })).counts).toEqual([1, 1]);
});

describe('a catastrophic regular expression', () => {
    const long = `${'a'.repeat(20_000)}b`;
    it.each([
        ['/(a+)+$/', 'out'], ['/(a|a)*c/', 'out'], ['/(a|aa)+$/', 'out'], ['/^(([a-z])+.)+[A-Z]([a-z])+$/', 'out'], ['/a*a*a*a*c/', 'out'], ['/(.*)*x/', 'out'], ['/(a+)+b/', 'in'], ['/(?:a|b)+$/', 'in'], ['/(x?a){1,8}b/', 'in'],
        ['/(?=(a+)+$)c/', 'out'],
    ])('%s is answered in time: %s', (key, expected) => {
        const ms = timed(() => expect(status([{ key: [key] }], [long]).status).toEqual({ 0: expected }));
        expect(ms).toBeLessThan(1000);
    });
    it('that cannot be searched safely is left out, with a note', () => {
        const ms = timed(() => expect(status([{ key: ['/(a+)+\\1$/'] }, { key: ['/(?<=(a|a)*)b/'] }], [long])).toEqual({ status: { 0: 'out', 1: 'out' }, codes: ['worldbook.regex-too-slow', 'worldbook.regex-too-slow'] }));
        expect(ms).toBeLessThan(1000);
    });
});

it('the safe matcher answers like the platform\'s', () => {
    const atom = fc.constantFrom('a', 'b', '北', '.', '[ab]', '[^a]', '\\w', '\\s', '\\b', '^', '$', '(?:a|b)', '(ab)', '(?=a)', '(?!b)', '\\.', '\\u5317', '|');
    const pattern = fc.array(fc.tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '*?')), { minLength: 1, maxLength: 6 }).map((parts) => parts.map(([part, times]) => (/^(?:\\b|\^|\$|\||\(\?[=!].*)$/.test(part) ? part : part + times)).join(''));
    const text = fc.array(fc.constantFrom('a', 'b', 'A', '北', '塔', ' ', '\n', '.', '\u0001'), { maxLength: 10 }).map((parts) => parts.join(''));
    fc.assert(fc.property(pattern, fc.constantFrom('', 'i', 'm', 's', 'u', 'im', 'y'), text, (source, flags, haystack) => {
        const tree = parseRegex(source, flags.includes('u'));
        const automaton = tree && buildAutomaton(tree, flags);
        if (!automaton) return;
        expect([source, flags, haystack, automaton.test(haystack, 1_000_000)]).toEqual([source, flags, haystack, new RegExp(source, flags).test(haystack)]);
        const key = parseRegexKey(`/${source}/${flags}`);
        if (key !== null && key !== 'invalid') expect(key.find(haystack, () => haystack.toLowerCase()) !== -1).toBe(new RegExp(source, flags).test(haystack));
    }), { numRuns: 1500 });
});

it('takes an entry of 1 MB and a book of 20,000 entries', () => {
    const big = '长'.repeat(1_000_000);
    expect(status([{ constant: true, content: big }, { key: ['甲'] }, { key: ['/长+尾/'] }], ['甲']).status).toEqual({ 0: 'in', 1: 'in', 2: 'out' });
    const many = Array.from({ length: 20_000 }, (_, uid) => ({ key: [`name${uid};`, '/x(/'], content: uid === 7 ? 'name19999;' : 'x' }));
    const result = status(many, ['name7; name77;']);
    expect(Object.entries(result.status).filter(([, each]) => each === 'in').map(([uid]) => uid)).toEqual(['7', '77', '19999']);
});

it('a thousand requirements in a circle, and a chain of a thousand recursions, end', () => {
    const circle = Array.from({ length: 1000 }, (_, uid) => ({ key: uid === 0 ? ['甲'] : [], content: `@@requires ${(uid + 1) % 1000}\nx` }));
    const ms = timed(() => expect(Object.values(status(circle, ['甲']).status).every((each) => each === 'in')).toBe(true));
    const deep = status([{ key: [`/${'('.repeat(900)}甲${')'.repeat(900)}/`] }], ['甲']);
    expect(deep.status).toEqual({ 0: 'in' });
    const chain = Array.from({ length: 300 }, (_, uid) => ({ key: [`k${uid}!`], content: `k${uid + 1}!` }));
    const more = timed(() => expect(Object.values(status(chain, ['k0!']).status).every((each) => each === 'in')).toBe(true));
    expect(ms + more).toBeLessThan(5000);
});
