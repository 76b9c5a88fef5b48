import type { PromptMessage } from '../ports';

/** A generation of the host's that is ours to serve. */
export interface OwnGeneration {
    kind: 'normal' | 'regenerate' | 'swipe' | 'continue';
    chatKey: string;
    controller: AbortController;
}

/** What the host's events ask of the pipeline. */
export interface TurnDriver {
    enabled(): boolean;
    /**
     * A generation begins; the user's line is not in the chat yet. Waits while another tab tells on in this chat.
     * `reload`: the chat must be loaded again first; `refuse`: the generation is about a reply that is no longer so.
     */
    starting(generation: OwnGeneration): Promise<'go' | 'reload' | 'refuse'>;
    /** The generation was refused: the chat is loaded again. */
    refused(): void;
    /**
     * Runs everything that comes before the narrative and returns the messages for the host's own call;
     * null = leave the host's prompt alone. Rejects only when aborted.
     */
    prepare(generation: OwnGeneration): Promise<PromptMessage[] | null>;
    /** The reply is in the chat at this position, before the host saves it. Synchronous: what it writes is saved with it. */
    received(generation: OwnGeneration, index: number, cut: boolean): void;
    /** Both the reply and the end of the generation are there. */
    finished(generation: OwnGeneration): void;
    /** The generation is over, whether a reply came or not. */
    ended(generation: OwnGeneration): void;
    /** A continue of the host's own begins: it works on the last reply as it is now. */
    continuing(generation: OwnGeneration): void;
    /** A continue of the host's own has added text to the last reply, before the host saves it. */
    continued(generation: OwnGeneration, index: number, cut: boolean): void;
    /** The user pressed Stop: everything that runs ends. */
    stopped(): void;
    chatChanged(): void;
    /** Messages were deleted, swiped, edited, hidden, moved: look again. */
    edited(index: number): void;
    messagesChanged(): void;
    swiped(index: number): void;
    swipeDeleted(index: number, swipe: number): void;
    /** Response limit and temperature for the writing call; null leaves the host's own. */
    writingLimits(): { maxTokens: number | null; temperature: number | null };
}
