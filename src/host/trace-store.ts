import type { LogPort, TraceStore } from '../ports';
import { tavernLibrary } from './context';

/** The part of localforage (SillyTavern.libs.localforage) that is used. */
interface Database {
    getItem(key: string): Promise<unknown>;
    setItem(key: string, value: unknown): Promise<unknown>;
    removeItem(key: string): Promise<void>;
}

interface LocalForage {
    createInstance(options: { name: string; storeName: string }): Database;
}

/** Which traces are saved, of which chat and how large, oldest first. */
type Index = { id: string; bytes: number; chat?: string }[];

const indexKey = 'index';

function readIndex(stored: unknown): Index {
    if (!Array.isArray(stored)) return [];
    return stored.filter((row): row is Index[number] => typeof row === 'object' && row !== null && typeof (row as { id?: unknown }).id === 'string' && typeof (row as { bytes?: unknown }).bytes === 'number');
}

export interface TraceLimits {
    /** Traces kept, newest first. */
    count: number;
    /** UTF-16 bytes of all traces together. */
    bytes: number;
}

/** Rejects nothing: a full or forbidden browser store costs the traces and no turn. In memory where ST has no localforage. */
export function createTraceStore(log: LogPort, limits: TraceLimits = { count: 200, bytes: 40_000_000 }): TraceStore {
    const library = tavernLibrary<LocalForage>('localforage');
    const database = library?.createInstance({ name: 'NarrativeAgent', storeName: 'traces' }) ?? memoryDatabase();
    let queue: Promise<unknown> = Promise.resolve();

    /** One after another: the index is read, changed and written. */
    function inTurn<T>(work: () => Promise<T>, fallback: T): Promise<T> {
        const result = queue.then(work).catch((error: unknown) => {
            log.warn('the trace store failed', error);
            return fallback;
        });
        queue = result;
        return result;
    }

    async function removeRows(rows: Index): Promise<void> {
        for (const row of rows) await database.removeItem(row.id);
    }

    const forget = (gone: (row: Index[number]) => boolean): Promise<void> => inTurn(async () => {
        const index = readIndex(await database.getItem(indexKey));
        const rows = index.filter(gone);
        if (rows.length === 0) return;
        await removeRows(rows);
        await database.setItem(indexKey, index.filter((row) => !rows.includes(row)));
    }, undefined);

    return {
        save: (turnId, trace, chatKey) => inTurn(async () => {
            const text = JSON.stringify(trace);
            const index = readIndex(await database.getItem(indexKey)).filter((row) => row.id !== turnId);
            index.push({ id: turnId, bytes: text.length * 2, chat: chatKey });
            let bytes = index.reduce((sum, row) => sum + row.bytes, 0);
            const dropped: Index = [];
            while (index.length > limits.count || (bytes > limits.bytes && index.length > 1)) {
                const oldest = index.shift();
                if (oldest === undefined) break;
                bytes -= oldest.bytes;
                dropped.push(oldest);
            }
            await removeRows(dropped);
            await database.setItem(turnId, text);
            await database.setItem(indexKey, index);
        }, undefined),
        load: (turnId) => inTurn(async () => {
            const text = await database.getItem(turnId);
            return typeof text === 'string' ? (JSON.parse(text) as unknown) : null;
        }, null),
        forget: (turnIds) => forget((row) => turnIds.includes(row.id)),
        forgetChats: (gone) => forget((row) => row.chat !== undefined && gone(row.chat)),
        moveChat: (from, to) => inTurn(async () => {
            const index = readIndex(await database.getItem(indexKey));
            await database.setItem(indexKey, index.map((row) => (row.chat === from ? { ...row, chat: to } : row)));
        }, undefined),
    };
}

function memoryDatabase(): Database {
    const values = new Map<string, unknown>();
    return {
        getItem: async (key) => values.get(key) ?? null,
        setItem: async (key, value) => values.set(key, value),
        removeItem: async (key) => void values.delete(key),
    };
}
