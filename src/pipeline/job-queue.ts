/** Why a job was told to end; `chat-changed` leaves no trace in the chat it was for. */
export type EndReason = 'stopped' | 'chat-changed' | 'target-gone';

export interface Job {
    turnId: string;
    chatKey: string;
    controller: AbortController;
    promise: Promise<void>;
}

/** Background work on turns, one after another in the order it was given: results reach the chat in the story's order. */
export interface JobQueue {
    add(turnId: string, chatKey: string, run: (signal: AbortSignal) => Promise<void>): Job;
    jobs(): readonly Job[];
    /** Resolves when nothing is left, or as soon as the signal aborts. */
    idle(signal: AbortSignal, except?: (job: Job) => boolean): Promise<void>;
    end(reason: EndReason, which?: (job: Job) => boolean): void;
}

/** Keeps other tabs from telling on in a chat; null = what is open here is out of date. */
export type HoldChat = (chatKey: string, signal: AbortSignal) => Promise<(() => void) | null>;

export function createJobQueue(onError: (error: unknown) => void, onChange: () => void, hold?: HoldChat): JobQueue {
    let jobs: Job[] = [];
    let tail: Promise<void> = Promise.resolve();
    return {
        add(turnId, chatKey, run) {
            const controller = new AbortController();
            const promise = tail.then(async () => {
                try {
                    // A stopped job still runs: it has to leave its turn marked. One whose chat or message is gone has nothing to mark.
                    if (controller.signal.aborted && controller.signal.reason !== 'stopped') return;
                    const release = hold ? await hold(chatKey, controller.signal) : () => undefined;
                    if (release === null) return;
                    try {
                        // It may have ended while another tab was waited for.
                        if (!controller.signal.aborted || controller.signal.reason === 'stopped') await run(controller.signal);
                    } finally {
                        release();
                    }
                } catch (error) {
                    onError(error);
                } finally {
                    jobs = jobs.filter((each) => each !== job);
                    onChange();
                }
            });
            const job: Job = { turnId, chatKey, controller, promise };
            jobs = [...jobs, job];
            tail = promise;
            return job;
        },
        jobs: () => jobs,
        async idle(signal, except = () => false) {
            const waitedFor = jobs.filter((job) => !except(job)).map((job) => job.promise);
            if (waitedFor.length === 0 || signal.aborted) return;
            await new Promise<void>((resolve) => {
                signal.addEventListener('abort', () => resolve(), { once: true });
                void Promise.all(waitedFor).then(() => resolve());
            });
        },
        end(reason, which = () => true) {
            for (const job of jobs) if (which(job)) job.controller.abort(reason);
        },
    };
}
