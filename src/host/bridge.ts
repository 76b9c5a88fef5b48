import type { PromptMessage } from '../ports';
import { currentChatKey, tavern } from './context';
import { eventName, on } from './events';
import { createGenerationTracker, type Generation } from './generation-tracker';
import { isOwnEdit } from './redraw';

/** What the bridge asks of the pipeline. */
export interface TurnDriver {
    enabled(): boolean;
    /**
     * Runs everything that comes before the narrative and returns the messages for the host's own call;
     * null = leave the host's prompt alone. Rejects only when aborted.
     */
    prepare(generation: Generation, hostPrompt: PromptMessage[]): Promise<PromptMessage[] | null>;
    /** The reply is in the chat at this position, before the host saves it. Synchronous: what it writes is saved with it. */
    received(generation: Generation, index: number, cut: boolean): void;
    /** Both the reply and the end of the generation are there. */
    finished(generation: Generation): void;
    /** A continue of the host's own has added text to the last reply. */
    continued(generation: Generation, index: number): void;
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

interface PromptReadyData {
    chat: { role: string; content: unknown; name?: string }[];
    dryRun: boolean;
}

/**
 * Connects the host's events to the pipeline (design, decision 1; notes: sillytavern.md section 1). Takes over exactly the
 * user's own normal, swipe and regenerate generations; everything else passes untouched. Ends when the signal aborts.
 */
export function connectBridge(driver: TurnDriver, isOwnPrompt: (messages: unknown) => boolean, signal: AbortSignal): void {
    const tracker = createGenerationTracker(eventName('WORLDINFO_ENTRIES_LOADED') !== undefined);

    const settle = (generation: Generation): void => {
        if (generation.settled || !generation.ended || generation.received === null) return;
        const index = generation.received;
        generation.settled = true;
        if (generation.kind === 'continue') driver.continued(generation, index);
        else if (generation.taken) driver.finished(generation);
    };

    on('GENERATION_STARTED', (_type: unknown, _options: unknown, dryRun: boolean) => tracker.started(dryRun === true), signal);

    on('GENERATION_AFTER_COMMANDS', (type: string | undefined, options: Record<string, unknown> | undefined, dryRun: boolean) => {
        if (!driver.enabled()) return;
        tracker.afterCommands(type, options ?? {}, dryRun === true, currentChatKey());
    }, signal);

    on('WORLDINFO_ENTRIES_LOADED', () => tracker.scanning(), signal);

    on('CHAT_COMPLETION_PROMPT_READY', async (data: PromptReadyData) => {
        if (!driver.enabled() || isOwnPrompt(data.chat)) return;
        const generation = tracker.promptReady(data.dryRun);
        if (!generation) return;
        const hostPrompt = data.chat.map((message) => ({ role: roleOf(message.role), content: textOf(message.content) }));
        const messages = await driver.prepare(generation, hostPrompt).catch(() => null);
        if (generation.controller.signal.aborted || messages === null) return;
        // In place: the host goes on with its own array, not with the property.
        data.chat.splice(0, data.chat.length, ...messages);
    }, signal, { order: 'last' });

    on('CHAT_COMPLETION_SETTINGS_READY', (body: Record<string, unknown>) => {
        const generation = tracker.current();
        if (!generation?.taken || generation.ended || body.type === 'quiet') return;
        const { maxTokens, temperature } = driver.writingLimits();
        if (maxTokens !== null) body.max_tokens = maxTokens;
        if (temperature !== null) body.temperature = temperature;
    }, signal);

    on('MESSAGE_RECEIVED', (id: number | string) => {
        const generation = tracker.current();
        if (!generation || generation.received !== null || generation.chatKey !== currentChatKey()) return;
        const index = Number(id);
        const message = tavern().chat[index];
        if (!message || message.is_user) return;
        if (generation.kind === 'continue' ? !driver.enabled() : !generation.taken) return;
        generation.received = index;
        const streaming = (tavern() as { streamingProcessor?: { isStopped?: boolean } | null }).streamingProcessor;
        if (generation.kind !== 'continue') driver.received(generation, index, generation.stopped || streaming?.isStopped === true);
        settle(generation);
    }, signal);

    on('GENERATION_ENDED', () => {
        const generation = tracker.current();
        tracker.ended();
        if (generation) settle(generation);
    }, signal);

    on('GENERATION_STOPPED', () => {
        const generation = tracker.current();
        if (generation && generation.received === null) {
            generation.stopped = true;
            generation.controller.abort();
        }
        driver.stopped();
    }, signal);

    on('CHAT_CHANGED', () => {
        tracker.current()?.controller.abort();
        tracker.reset();
        driver.chatChanged();
    }, signal);

    on('MESSAGE_EDITED', (id: number | string) => {
        if (!isOwnEdit(id)) driver.edited(Number(id));
    }, signal);
    on('MESSAGE_UPDATED', (id: number | string) => {
        if (!isOwnEdit(id)) driver.messagesChanged();
    }, signal);
    on('MESSAGE_DELETED', () => driver.messagesChanged(), signal);
    on('MESSAGE_SWIPED', (id: number | string) => driver.swiped(Number(id)), signal);
    on('MESSAGE_SENT', () => driver.messagesChanged(), signal);
    on('MESSAGE_SWIPE_DELETED', (data: { messageId: number | string; swipeId: number | string }) => driver.swipeDeleted(Number(data.messageId), Number(data.swipeId)), signal);
}

function roleOf(role: string): PromptMessage['role'] {
    return role === 'system' || role === 'assistant' ? role : 'user';
}

function textOf(content: unknown): string {
    if (typeof content === 'string') return content;
    if (!Array.isArray(content)) return '';
    return content
        .map((part: unknown) => (typeof part === 'object' && part !== null && typeof (part as { text?: unknown }).text === 'string' ? (part as { text: string }).text : ''))
        .filter((text) => text !== '')
        .join('\n');
}
