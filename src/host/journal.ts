import type { JournalPort, LogPort } from '../ports';

const prefix = 'narrative-agent:turn:';

function keys(): string[] {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
}

/**
 * Keeps what a turn in flight has paid for, so that a reload loses none (`state.persistToLocalStorage`). Nothing is left
 * at rest. A full or forbidden localStorage costs the journal and no turn.
 */
export function createJournal(log: LogPort, enabled: () => boolean): JournalPort {
    const guarded = <T>(work: () => T, fallback: T): T => {
        try {
            return work();
        } catch (error) {
            log.warn('the journal of the turn in flight is not kept', error);
            return fallback;
        }
    };
    const read: JournalPort['read'] = (turnId) => guarded(() => {
        const text = localStorage.getItem(prefix + turnId);
        const entry = text === null ? null : (JSON.parse(text) as { chatKey?: unknown; outputs?: unknown } | null);
        if (typeof entry?.chatKey !== 'string' || typeof entry.outputs !== 'object' || entry.outputs === null) return null;
        const outputs = Object.entries(entry.outputs).filter((output): output is [string, string] => typeof output[1] === 'string');
        return { chatKey: entry.chatKey, outputs: Object.fromEntries(outputs) };
    }, null);
    return {
        write(turnId, entry) {
            if (enabled()) guarded(() => localStorage.setItem(prefix + turnId, JSON.stringify(entry)), undefined);
        },
        read,
        // One that cannot be read is nobody's: it is named all the same, so that it is cleared.
        turns: () => guarded(() => keys().map((key) => key.slice(prefix.length)).map((turnId) => ({ turnId, chatKey: read(turnId)?.chatKey ?? '' })), []),
        clear: (turnId) => guarded(() => {
            for (const key of turnId === undefined ? keys() : [prefix + turnId]) localStorage.removeItem(key);
        }, undefined),
    };
}
