import type { ClockPort } from '../ports';

/** The browser's clock. */
export function createClock(): ClockPort {
    return {
        now: () => Date.now(),
        wait: (ms, signal) => new Promise((resolve, reject) => {
            if (signal?.aborted === true) return reject(signal.reason as Error);
            const stop = (): void => {
                clearTimeout(timer);
                reject(signal?.reason as Error);
            };
            const timer = setTimeout(() => {
                signal?.removeEventListener('abort', stop);
                resolve();
            }, ms);
            signal?.addEventListener('abort', stop, { once: true });
        }),
        // Messages are not throttled as timers are, neither when nested nor in a hidden page.
        pause: () => new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => {
                port1.close();
                resolve();
            };
            port2.postMessage(null);
        }),
    };
}
