import { mvuApi, mvuEvents, type MvuHost } from './mvu-host';

/** MVU handles MESSAGE_RECEIVED at most once in this time (ms), at its start and its end. */
const throttle = 3_000;
const grace = 250;
/** How long its second model may take (ms) before we go on without it. */
const extraModelLimit = 180_000;

/** Watches MVU's own handling of replies, so that nothing is written before it. */
export interface MvuWatch {
    /** Resolves when MVU has dealt with every reply it was told of, or cannot be waiting for one any more. */
    settled(): Promise<void>;
    /** Runs our own call to MVU without taking its events for MVU's handling. */
    ours<T>(call: () => Promise<T>): Promise<T>;
    stop(): void;
}

/** Starts watching. */
export function watchMvu(host: MvuHost): MvuWatch {
    let received = -Infinity;
    let receivedBefore = -Infinity;
    let ended = -Infinity;
    let own = 0;
    const onReceived = () => {
        receivedBefore = received;
        received = host.now();
    };
    const onEnded = () => {
        if (own === 0) ended = host.now();
    };
    host.events.on(mvuEvents.received, onReceived);
    host.events.on(mvuEvents.updateEnded, onEnded);

    const pending = (): boolean => {
        const now = host.now();
        if (now >= received + throttle + grace) return false;
        // A reply soon after another is handled at the end of the throttle's time; nothing tells when exactly.
        if (received - receivedBefore < throttle + grace) return true;
        return ended < received || now < ended + grace;
    };
    return {
        async settled() {
            while (pending()) await host.wait(50);
            const from = host.now();
            while (mvuApi(host.mvu())?.isDuringExtraAnalysis?.() === true && host.now() - from < extraModelLimit) await host.wait(200);
        },
        async ours(call) {
            own += 1;
            try {
                return await call();
            } finally {
                own -= 1;
            }
        },
        stop() {
            host.events.off(mvuEvents.received, onReceived);
            host.events.off(mvuEvents.updateEnded, onEnded);
        },
    };
}
