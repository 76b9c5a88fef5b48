import { notice } from '../notice';
import type { Notice } from '../notice';
import type { Baseline } from './baseline';
import { readGameState } from './game-state-schema';
import { initialState } from './state';
import { summaryBody } from '../text/summary-line';

/** What an installation of the original extension left behind, and the chat to look for. */
export interface OriginalData {
    /** `extensionSettings['narrative-agent'].chatStates`, unchecked. */
    chatStates: unknown;
    /** localStorage keys that start with `na:` and their values. */
    checkpoints: Record<string, string>;
    /** Names the chat may be filed under, best first: chat id, file name, `character/chat` … */
    chatKeys: string[];
    /** Turns of the chat as it is now. */
    turns: number;
}

export interface ImportedOriginal {
    baseline: Baseline | null;
    notices: Notice[];
    /** The keys that belong to this chat: to be offered for deletion. */
    found: { chatStates: string[]; checkpoints: string[] };
}

type Loose = Record<string, unknown>;

/** A record, also where it was stored as JSON text. */
function recordIn(value: unknown): Loose | null {
    if (typeof value === 'string') {
        try {
            return recordIn(JSON.parse(value));
        } catch (error) {
            if (error instanceof SyntaxError) return null;
            throw error;
        }
    }
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : null;
}

function first(record: Loose, names: string[]): unknown {
    const name = names.find((one) => Object.hasOwn(record, one) && record[one] !== undefined && record[one] !== null);
    return name === undefined ? undefined : record[name];
}

const stateNames = ['state', 'gameState', 'game_state', 'stateManager', 'worldState'];
const summaryNames = ['summaries', 'summary_entries', 'summaryEntries', 'summaryStore', 'summary'];
const turnNames = ['turn', 'turnNumber', 'turnIndex', 'turnCount', 'round', 'messageId', 'timestamp', 'savedAt', 'time'];

const writtenTurn = /^\s*[[【（(]?\s*第\s*(\d+)\s*轮/;

/** Summaries kept as texts, as objects, as one text of lines, or in a store that holds such a list. */
function readSummaries(value: unknown, turns: number): Baseline['summaries'] {
    if (typeof value === 'string') return readSummaries(value.split('\n'), turns);
    const store = Array.isArray(value) ? null : recordIn(value);
    if (store) return readSummaries(first(store, ['entries', 'summaries', 'list', 'items']) ?? Object.values(store), turns);
    if (!Array.isArray(value)) return [];
    return value.flatMap((item: unknown) => {
        const entry = recordIn(item);
        const text = typeof item === 'string' ? item : entry ? first(entry, ['text', 'summary', 'content', 'entry']) : undefined;
        if (typeof text !== 'string' || text.length > 4_000 || summaryBody(text) === '') return [];
        const given = entry ? first(entry, ['turn', 'round', 'turnNumber', 'index']) : undefined;
        const turn = Number(writtenTurn.exec(text)?.[1] ?? (typeof given === 'number' ? given : 0));
        return [{ turn: Number.isInteger(turn) && turn > 0 ? Math.min(turn, turns) : 0, text: summaryBody(text) }];
    });
}

/** One stored chat: its state under one of several names or lying flat, and its summaries. */
function readChat(value: unknown, turns: number): { baseline: Baseline; dropped: number } | null {
    const chat = recordIn(value);
    if (!chat) return null;
    const held = recordIn(first(chat, stateNames));
    const inner = held ? (recordIn(first(held, ['state', 'data'])) ?? held) : chat;
    const read = readGameState(inner);
    const summaries = readSummaries(first(chat, summaryNames) ?? (held ? first(held, summaryNames) : undefined), turns);
    if (!read && summaries.length === 0) return null;
    return { baseline: { state: read?.state ?? initialState(), summaries, coversTurns: turns }, dropped: read?.dropped ?? 0 };
}

const plainKey = (key: string): string => key.replace(/\.jsonl$/i, '').trim();

function lateness(key: string, value: unknown): number {
    const record = recordIn(value);
    const given = record ? turnNames.map((name) => record[name]).find((one) => typeof one === 'number' && Number.isFinite(one)) : undefined;
    return typeof given === 'number' ? given : Number(/(\d+)\D*$/.exec(key)?.[1] ?? 0);
}

/**
 * Makes a chat's baseline from what the original extension kept of it. Its exact data shape is not published, so this takes
 * every likely one and refuses the rest with a notice. The saved state comes before checkpoints; of those the latest.
 * Nothing of this chat found: null and no notice.
 */
export function importOriginal({ chatStates, checkpoints, chatKeys, turns }: OriginalData): ImportedOriginal {
    const wanted = chatKeys.map(plainKey).filter((key) => key !== '');
    const stored = recordIn(chatStates) ?? {};
    const stateKeys = Object.keys(stored).filter((key) => wanted.includes(plainKey(key)));
    stateKeys.sort((a, b) => wanted.indexOf(plainKey(a)) - wanted.indexOf(plainKey(b)));
    const parts = (key: string): string[] => key.split(/[:|]/).map(plainKey);
    const checkpointKeys = Object.keys(checkpoints).filter((key) => key.startsWith('na:') && (parts(key).some((part) => wanted.includes(part)) || wanted.some((one) => plainKey(key.slice(3)).startsWith(`${one}_`))));
    checkpointKeys.sort((a, b) => lateness(b, checkpoints[b]) - lateness(a, checkpoints[a]));
    const found = { chatStates: stateKeys, checkpoints: checkpointKeys };
    const candidates = [...stateKeys.map((key) => [key, stored[key]] as const), ...checkpointKeys.map((key) => [key, checkpoints[key]] as const)];
    if (candidates.length === 0) return { baseline: null, notices: [], found };
    for (const [key, value] of candidates) {
        const read = readChat(value, turns);
        if (!read) continue;
        const notices = [notice('info', 'state.original-imported', { key, summaries: read.baseline.summaries.length })];
        if (read.dropped > 0) notices.push(notice('warning', 'state.original-dropped', { count: read.dropped }));
        return { baseline: read.baseline, notices, found };
    }
    return { baseline: null, notices: [notice('warning', 'state.original-unreadable', { count: candidates.length })], found };
}
