import { notice, type Notice } from '../notice';
import type { BookIndex, IndexedEntry } from './book-index';
import type { Config } from '../config';
import type { Verdict } from './eligibility';

export interface SelectionInput {
    index: BookIndex;
    /** Active entries with text, in activation order. */
    active: Map<IndexedEntry, Verdict>;
    /** Why an entry that is not active could not be pulled in either; null when it may. */
    unavailable(item: IndexedEntry): Verdict | null;
    /** Tokens of the rendered content. */
    tokens(item: IndexedEntry): number;
    config: Pick<Config['worldbook'], 'budget' | 'constantRatio'>;
}

export interface Selection {
    /** In activation order; entries pulled in by others at the end. */
    chosen: Map<IndexedEntry, Verdict>;
    dropped: Map<IndexedEntry, Verdict>;
    used: number;
    constants: number;
    notices: Notice[];
}

/** Requirements of requirements are followed this far. */
const deepestChain = 2000;

/** An entry with all it requires, or what is missing. */
interface Bundle {
    members: IndexedEntry[];
    missing: { name: string; verdict: Verdict | null } | null;
}

/**
 * From active to selected (second seed, section 4): an entry and its requirements stand or fall whole; one entry per conflict group; a
 * token budget that takes required entries first, then plain constants up to their share, then the rest, each by priority and order;
 * never half a text. With neither directives nor budget everything active is selected.
 */
export function select(input: SelectionInput): Selection {
    const { active, config } = input;
    const chosen = new Map<IndexedEntry, Verdict>();
    const dropped = new Map<IndexedEntry, Verdict>();
    const notices: Notice[] = [];
    const holders = new Map<string, IndexedEntry>();
    const bundles = bundler(input, notices);
    const total = config.budget > 0 ? config.budget : Infinity;
    const cap = config.budget > 0 ? config.budget * config.constantRatio : Infinity;
    let used = 0;
    let constants = 0;

    const refuse = (item: IndexedEntry, verdict: Verdict): void => {
        dropped.set(item, verdict);
        if (item.directives?.required) {
            const code = verdict.by === 'budget' ? 'worldbook.required-over-budget' : 'worldbook.required-left-out';
            notices.push(notice('error', code, { book: item.entry.book, title: item.title, reason: verdict.by, ...verdict.because }));
        }
    };

    for (const item of inTurn(active)) {
        if (chosen.has(item)) continue;
        const { members, missing } = bundles(item);
        if (missing) {
            refuse(item, { by: 'requirement', because: { required: missing.name, reason: missing.verdict?.by ?? 'unknown' } });
            continue;
        }
        const added = members.filter((member) => !chosen.has(member));
        const clash = findClash(added, holders);
        if (clash) {
            refuse(item, { by: 'conflict', because: clash });
            continue;
        }
        const cost = added.reduce((sum, member) => sum + input.tokens(member), 0);
        const plain = isPlainConstant(item, active);
        if (!item.entry.ignoreBudget) {
            if (used + cost > total) {
                refuse(item, { by: 'budget', because: { tokens: cost, used, budget: total } });
                continue;
            }
            if (plain && constants + cost > cap) {
                refuse(item, { by: 'budget', because: { variant: 'constants', tokens: cost, used: constants, budget: Math.floor(cap) } });
                continue;
            }
        }
        used += cost;
        if (plain) constants += cost;
        for (const member of added) {
            chosen.set(member, active.get(member) ?? { by: 'dependency', because: { of: item.title } });
            dropped.delete(member);
            for (const group of member.directives?.conflicts ?? []) holders.set(group, member);
        }
    }
    const inOrder = new Map<IndexedEntry, Verdict>();
    for (const item of [...active.keys(), ...chosen.keys()]) {
        const verdict = chosen.get(item);
        if (verdict) inOrder.set(item, verdict);
    }
    return { chosen: inOrder, dropped, used, constants, notices };
}

function isPlainConstant(item: IndexedEntry, active: Map<IndexedEntry, Verdict>): boolean {
    return item.entry.constant && active.get(item)?.by === 'constant';
}

/** Who is served first. */
function inTurn(active: Map<IndexedEntry, Verdict>): IndexedEntry[] {
    const rankOf = (item: IndexedEntry): number => (item.directives?.required ? 0 : isPlainConstant(item, active) ? 1 : 2);
    return [...active.keys()].map((item, at) => ({ item, at, rank: rankOf(item), priority: item.directives?.priority ?? 0 }))
        .sort((a, b) => a.rank - b.rank || b.priority - a.priority || b.item.entry.order - a.item.entry.order || a.at - b.at)
        .map(({ item }) => item);
}

function findClash(added: readonly IndexedEntry[], holders: ReadonlyMap<string, IndexedEntry>): { group: string; winner: string } | null {
    const own = new Map<string, IndexedEntry>();
    for (const member of added) {
        for (const group of new Set(member.directives?.conflicts)) {
            const holder = holders.get(group) ?? own.get(group);
            if (holder) return { group, winner: holder.title };
            own.set(group, member);
        }
    }
    return null;
}

function bundler(input: SelectionInput, notices: Notice[]): (item: IndexedEntry) => Bundle {
    const { index, active } = input;
    const circles = new Set<string>();

    return (item) => {
        const members: IndexedEntry[] = [];
        const path: IndexedEntry[] = [];
        let missing: Bundle['missing'] = null;
        const visit = (member: IndexedEntry): void => {
            if (path.includes(member)) {
                const circle = path.slice(path.indexOf(member)).map(({ title }) => title);
                const name = [...circle].sort().join('\u0000');
                if (!circles.has(name)) {
                    circles.add(name);
                    notices.push(notice('warning', 'worldbook.circular-requirement', { book: member.entry.book, titles: [...circle, member.title].join(' → ') }));
                }
                return;
            }
            if (missing || members.includes(member)) return;
            if (path.length >= deepestChain) {
                missing = { name: member.title, verdict: null };
                return;
            }
            members.push(member);
            path.push(member);
            for (const name of member.directives?.requires ?? []) {
                const required = findRequired(index, member, name);
                const verdict = required === null ? null : active.has(required) ? null : input.unavailable(required);
                if (required === null) {
                    if (!circles.has(`?${member.entry.id}${name}`)) {
                        circles.add(`?${member.entry.id}${name}`);
                        notices.push(notice('warning', 'worldbook.missing-requirement', { book: member.entry.book, title: member.title, required: name }));
                    }
                    missing ??= { name, verdict: null };
                } else if (verdict !== null) missing ??= { name: required.title, verdict };
                else visit(required);
            }
            path.pop();
        };
        if (item.directives && item.directives.requires.length > 0) visit(item);
        else members.push(item);
        return { members, missing };
    };
}

const bare = (text: string): string => text.replace(/[[【][^\]】]*[\]】]/g, '').trim();

/** Entries by comment, with and without bracket marks; made when a requirement first names one. */
const titles = new WeakMap<BookIndex, Map<string, IndexedEntry[]>>();

/** By uid (`12`, `#12`), by id (`book#12`), or by comment, with or without its bracket marks; the entry's own book first. */
function findRequired(index: BookIndex, item: IndexedEntry, name: string): IndexedEntry | null {
    const byId = index.byId.get(name) ?? index.byId.get(`${item.entry.book}#${name.replace(/^#/, '')}`);
    if (byId) return byId;
    let table = titles.get(index);
    if (!table) {
        table = new Map();
        for (const other of index.items) {
            for (const title of new Set([other.entry.comment.trim(), bare(other.entry.comment)])) {
                if (title !== '') table.set(title, [...table.get(title) ?? [], other]);
            }
        }
        titles.set(index, table);
    }
    const titled = table.get(name) ?? [];
    return titled.find((other) => other.entry.book === item.entry.book) ?? titled[0] ?? null;
}
