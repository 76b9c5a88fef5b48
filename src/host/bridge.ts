import type { TurnDriver } from '../app/turn-driver';
import { currentChatKey, tavern } from './context';
import { eventName, on } from './events';
import { createGenerationTracker, type Generation } from './generation-tracker';
import { instructPrompt, plainPrompt } from './model-text';
import { isOwnEdit } from './redraw';
import { applyWritingLimits } from './writing-limits';

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
        generation.settled = true;
        if (generation.kind !== 'continue' && generation.taken) driver.finished(generation);
    };

    /** A stream of a swipe or a continue that breaks off is told by nobody: what had arrived stays in the message. */
    const brokenOff = (generation: Generation): void => {
        if (generation.received !== null || !streamBroke() || generation.chatKey !== currentChatKey()) return;
        const { chat } = tavern();
        const index = chat.length - 1;
        if (chat[index]?.is_user !== false || (generation.kind === 'swipe' && !generation.taken)) return;
        generation.received = index;
        if (generation.kind === 'swipe') driver.received(generation, index, true);
        else driver.continued(generation, index, true);
    };

    /** Ends a generation about a reply that another tab has changed: nothing of it may reach the chat. */
    const refuse = (): boolean => {
        const generation = tracker.current();
        if (generation?.refused !== true || generation.ended) return false;
        tavern().stopGeneration();
        driver.refused();
        void tavern().reloadCurrentChat();
        return true;
    };

    on('GENERATION_STARTED', (_type: unknown, _options: unknown, dryRun: boolean) => tracker.started(dryRun === true), signal);

    on('GENERATION_AFTER_COMMANDS', async (type: string | undefined, options: Record<string, unknown> | undefined, dryRun: boolean) => {
        if (!driver.enabled()) return;
        const generation = tracker.afterCommands(type, options ?? {}, dryRun === true, currentChatKey());
        if (generation === null) return;
        const verdict = await driver.starting(generation);
        if (verdict === 'refuse') generation.refused = true;
        else if (verdict === 'reload') {
            // The user's line goes behind what the other tab has told; the reload has reset the tracker.
            await tavern().reloadCurrentChat();
            tracker.started(false);
            tracker.afterCommands(type, options ?? {}, false, currentChatKey());
        }
        if (generation.kind === 'continue' && verdict === 'go') driver.continuing(generation);
    }, signal);

    on('WORLDINFO_ENTRIES_LOADED', () => tracker.scanning(), signal);

    on('CHAT_COMPLETION_PROMPT_READY', async (data: PromptReadyData) => {
        if (!driver.enabled() || isOwnPrompt(data.chat)) return;
        if (!data.dryRun && refuse()) return;
        const generation = tracker.promptReady(data.dryRun);
        if (!generation) return;
        const messages = await driver.prepare(generation).catch(() => null);
        if (generation.controller.signal.aborted || messages === null) return;
        // In place: the host goes on with its own array, not with the property.
        data.chat.splice(0, data.chat.length, ...messages);
    }, signal, { order: 'last' });

    on('CHAT_COMPLETION_SETTINGS_READY', (body: Record<string, unknown>) => {
        const generation = tracker.current();
        if (!generation?.taken || generation.ended || body.type === 'quiet') return;
        applyWritingLimits(body, driver.writingLimits(), 'max_tokens');
    }, signal);

    // Text completion: the prompt is one text by now. (The host emits this on chat completion too, where nobody reads it.)
    let textGeneration: Generation | null = null;
    on('GENERATE_AFTER_COMBINE_PROMPTS', async (data: { prompt: string; dryRun?: boolean }) => {
        if (tavern().mainApi === 'openai' || !driver.enabled() || isOwnPrompt(data.prompt)) return;
        const generation = tracker.promptReady(data.dryRun === true);
        if (!generation) return;
        const messages = await driver.prepare(generation).catch(() => null);
        if (generation.controller.signal.aborted || messages === null) return;
        data.prompt = instructPrompt(messages) ?? plainPrompt(messages);
        textGeneration = generation;
    }, signal, { order: 'last' });

    on('GENERATE_AFTER_DATA', (data: Record<string, unknown>, dryRun?: boolean) => {
        if (textGeneration === null || dryRun === true || tavern().mainApi === 'openai') return;
        if (!textGeneration.ended) applyWritingLimits(data, driver.writingLimits(), null);
        textGeneration = null;
    }, signal);

    on('MESSAGE_RECEIVED', (id: number | string) => {
        const generation = tracker.current();
        if (!generation || generation.received !== null || generation.chatKey !== currentChatKey()) return;
        const index = Number(id);
        const message = tavern().chat[index];
        if (!message || message.is_user) return;
        if (generation.kind === 'continue' ? !driver.enabled() : !generation.taken) return;
        generation.received = index;
        const cut = generation.stopped || streamBroke();
        if (generation.kind === 'continue') driver.continued(generation, index, cut);
        else driver.received(generation, index, cut);
        settle(generation);
    }, signal);

    on('GENERATION_ENDED', () => {
        const generation = tracker.current();
        tracker.ended();
        if (!generation) return;
        if (generation.kind === 'swipe' || generation.kind === 'continue') brokenOff(generation);
        driver.ended(generation);
        settle(generation);
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

/** The host's stream ended with an error (script.js, onErrorStreaming). */
function streamBroke(): boolean {
    return (tavern() as { streamingProcessor?: { isStopped?: boolean } | null }).streamingProcessor?.isStopped === true;
}
