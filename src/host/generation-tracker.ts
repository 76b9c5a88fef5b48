/** What a generation of the host is, from our point of view. */
export type GenerationKind = 'normal' | 'regenerate' | 'swipe' | 'continue' | 'foreign';

/** One generation, from GENERATION_AFTER_COMMANDS on. */
export interface Generation {
    kind: Exclude<GenerationKind, 'foreign'>;
    chatKey: string;
    controller: AbortController;
    /** The host's world-info scan for the main prompt has begun: from here on the next prompt is the user's own. */
    scanned: boolean;
    /** Our prompt went in. */
    taken: boolean;
    ended: boolean;
    stopped: boolean;
    /** It is about a reply that another tab has changed meanwhile: it is ended before anything is asked. */
    refused?: boolean;
    /** Position of the reply, once MESSAGE_RECEIVED named it. */
    received: number | null;
    /** Handed over: later events are no longer about it. */
    settled: boolean;
}

/**
 * Tells the user's own generations from dry runs, background (quiet) ones and other extensions' raw calls
 * (notes: sillytavern.md 1.3). A pure state machine over the host's events.
 */
export interface GenerationTracker {
    started(dryRun: boolean): void;
    /** Returns the new generation when it is one of the user's own. */
    afterCommands(type: string | undefined, options: Record<string, unknown>, dryRun: boolean, chatKey: string | null): Generation | null;
    scanning(): void;
    /** Which generation this main prompt belongs to; null = not ours to touch. */
    promptReady(dryRun: boolean): Generation | null;
    current(): Generation | null;
    ended(): void;
    reset(): void;
}

/** `scanEventKnown`: the host announces its world-info scan (1.13+); without it a prompt is taken as soon as it is ready. */
export function createGenerationTracker(scanEventKnown: boolean): GenerationTracker {
    let announced = false;
    let foreign = 0;
    let current: Generation | null = null;

    return {
        started(dryRun) {
            if (!dryRun) announced = true;
        },
        afterCommands(type, options, dryRun, chatKey) {
            // Without a GENERATION_STARTED before it, it is a script's own call (Tavern Helper emits this event for those).
            if (dryRun || !announced) return null;
            announced = false;
            const kind = kindOf(type, options);
            if (kind === 'foreign' || chatKey === null) {
                foreign += 1;
                return null;
            }
            foreign = 0;
            current = { kind, chatKey, controller: new AbortController(), scanned: !scanEventKnown, taken: false, ended: false, stopped: false, received: null, settled: false };
            return current;
        },
        scanning() {
            if (current && foreign === 0) current.scanned = true;
        },
        promptReady(dryRun) {
            if (dryRun) return null;
            if (foreign > 0) {
                foreign -= 1;
                return null;
            }
            if (!current || current.taken || current.ended || !current.scanned || current.kind === 'continue') return null;
            current.taken = true;
            return current;
        },
        current: () => current,
        ended() {
            foreign = 0;
            if (current) current.ended = true;
        },
        reset() {
            announced = false;
            foreign = 0;
            current = null;
        },
    };
}

function kindOf(type: string | undefined, options: Record<string, unknown>): GenerationKind {
    if (options.quiet_prompt) return 'foreign';
    switch (type) {
        // Old versions give no type for a normal send.
        case undefined:
        case null:
        case '':
        case 'normal':
            return 'normal';
        case 'regenerate':
        case 'swipe':
        case 'continue':
            return type;
        default:
            return 'foreign';
    }
}
