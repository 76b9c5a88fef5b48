import { z } from 'zod';
import { currentChatKey, tavern } from './context';

/** What one tab tells the others of this browser. */
const messageSchema = z.object({ tab: z.string(), chatKey: z.string(), did: z.enum(['saved', 'opened']) });

const channelName = 'narrative-agent';

/** ST's own requests that write a chat file. */
const saveRequest = /\/api\/chats\/(?:group\/)?save(?:$|\?)/;

export interface TabGuardParts {
    /** Another tab has this chat open as well. */
    shared(): void;
    /** Whether something runs here that a reload of the chat would break. */
    busy(): boolean;
    /** The chat was loaded again, with what another tab has written. */
    reloaded(): void;
    signal: AbortSignal;
}

/**
 * Two tabs on one chat. SillyTavern saves the whole chat from each, and its integrity check tells files apart, not tabs
 * (chats.js, checkChatIntegrity): the last one to save would win. So each tab tells the others when a chat file was written,
 * an idle one loads the chat again, and a turn holds a lock on its chat, so that two tabs never tell on at once. Where the
 * browser lacks BroadcastChannel or locks, that part does nothing.
 */
export interface TabGuard {
    /**
     * Waits until no other tab tells on in this chat, or the signal aborts, and keeps it so until `release`. May be held several
     * times at once. Null = another tab has written the chat since it was loaded here: nothing may be built on it.
     */
    hold(chatKey: string, signal: AbortSignal): Promise<(() => void) | null>;
    /** The open chat was written by another tab since it was loaded here. */
    isOutdated(): boolean;
    /** A chat was opened in this tab. */
    opened(): void;
}

export function createTabGuard({ shared, busy, reloaded, signal }: TabGuardParts): TabGuard {
    const tab = crypto.randomUUID();
    const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(channelName) : null;
    const locks = (navigator as { locks?: LockManager }).locks;
    const held = new Map<string, { count: number; ready: Promise<void>; free(): void }>();
    let outdated: string | null = null;
    let catchingUp = false;
    /** Holds that wait for their lock: who waits looks for itself whether the chat is out of date. */
    let waiting = 0;
    let reloading: Promise<unknown> = Promise.resolve();

    const tell = (did: 'saved' | 'opened'): void => {
        const chatKey = currentChatKey();
        if (chatKey !== null) channel?.postMessage({ tab, chatKey, did });
    };
    const isOutdated = (): boolean => outdated !== null && outdated === currentChatKey();

    /** One lock a chat and tab, however often it is held here. */
    const take = (chatKey: string): { count: number; ready: Promise<void>; free(): void } => {
        const known = held.get(chatKey);
        if (known) return known;
        let free: () => void = () => undefined;
        const until = new Promise<void>((resolve) => {
            free = resolve;
        });
        const ready = new Promise<void>((resolve) => {
            if (!locks) return resolve();
            locks.request(`${channelName}:${chatKey}`, () => {
                resolve();
                return until;
            }).catch(() => resolve());
        });
        const lock = { count: 0, ready, free };
        held.set(chatKey, lock);
        return lock;
    };
    const release = (chatKey: string): void => {
        const lock = held.get(chatKey);
        if (!lock || (lock.count -= 1) > 0) return;
        held.delete(chatKey);
        lock.free();
    };

    /** Loads the chat again as soon as no tab writes to it and nothing runs here. */
    const catchUp = async (): Promise<void> => {
        if (catchingUp) return;
        catchingUp = true;
        try {
            while (isOutdated() && !signal.aborted) {
                const chatKey = currentChatKey() ?? '';
                await new Promise((resolve) => setTimeout(resolve, 250));
                if (busy() || waiting > 0) continue;
                const lock = take(chatKey);
                lock.count += 1;
                try {
                    await lock.ready;
                    if (!isOutdated() || busy() || waiting > 0) continue;
                    outdated = null;
                    reloading = tavern().reloadCurrentChat();
                    await reloading;
                    reloaded();
                } finally {
                    release(chatKey);
                }
            }
        } finally {
            catchingUp = false;
        }
    };

    channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const read = messageSchema.safeParse(data);
        if (!read.success || read.data.tab === tab || read.data.chatKey !== currentChatKey()) return;
        if (read.data.did === 'opened') return shared();
        outdated = read.data.chatKey;
        void catchUp();
    }, { signal });

    if (typeof PerformanceObserver === 'function') {
        const saves = new PerformanceObserver((list) => {
            if (!list.getEntries().some((entry) => saveRequest.test(entry.name))) return;
            // What the file holds now is what this tab holds.
            outdated = null;
            tell('saved');
        });
        saves.observe({ type: 'resource' });
        signal.addEventListener('abort', () => saves.disconnect(), { once: true });
    }
    signal.addEventListener('abort', () => {
        channel?.close();
        for (const lock of held.values()) lock.free();
    }, { once: true });

    return {
        isOutdated,
        opened() {
            outdated = null;
            tell('opened');
        },
        async hold(chatKey, ending) {
            const lock = take(chatKey);
            lock.count += 1;
            waiting += 1;
            const ended = new Promise<void>((resolve) => {
                if (ending.aborted) resolve();
                ending.addEventListener('abort', () => resolve(), { once: true });
            });
            // What the other tab told last is announced when its save is done, which may be a moment after it let go.
            await Promise.race([lock.ready.then(() => reloading), ended]);
            waiting -= 1;
            let done = false;
            const free = (): void => {
                if (!done) release(chatKey);
                done = true;
            };
            if (!ending.aborted && isOutdated()) {
                free();
                return null;
            }
            return free;
        },
    };
}
