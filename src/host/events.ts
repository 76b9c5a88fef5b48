import { tavern, type TavernListener } from './context';

/** The keys of `context.eventTypes` this extension listens to or emits. Not every version has every one. */
export type TavernEvent =
    | 'APP_READY'
    | 'CHARACTER_DELETED'
    | 'CHARACTER_EDITED'
    | 'CHARACTER_MESSAGE_RENDERED'
    | 'CHARACTER_RENAMED'
    | 'CHAT_CHANGED'
    | 'CHAT_COMPLETION_PROMPT_READY'
    | 'CHAT_COMPLETION_SETTINGS_READY'
    | 'CHAT_CREATED'
    | 'CHAT_DELETED'
    | 'CHAT_LOADED'
    | 'CHAT_RENAMED'
    | 'CONNECTION_PROFILE_CREATED'
    | 'CONNECTION_PROFILE_DELETED'
    | 'CONNECTION_PROFILE_LOADED'
    | 'CONNECTION_PROFILE_UPDATED'
    | 'GENERATE_AFTER_COMBINE_PROMPTS'
    | 'GENERATE_AFTER_DATA'
    | 'GENERATION_AFTER_COMMANDS'
    | 'GENERATION_ENDED'
    | 'GENERATION_STARTED'
    | 'GENERATION_STOPPED'
    | 'GROUP_CHAT_DELETED'
    | 'GROUP_MEMBER_DRAFTED'
    | 'GROUP_UPDATED'
    | 'GROUP_WRAPPER_FINISHED'
    | 'GROUP_WRAPPER_STARTED'
    | 'IMPERSONATE_READY'
    | 'MESSAGE_DELETED'
    | 'MESSAGE_EDITED'
    | 'MESSAGE_RECEIVED'
    | 'MESSAGE_SENT'
    | 'MESSAGE_SWIPED'
    | 'MESSAGE_SWIPE_DELETED'
    | 'MESSAGE_UPDATED'
    | 'MORE_MESSAGES_LOADED'
    | 'PERSONA_CHANGED'
    | 'SETTINGS_UPDATED'
    | 'STREAM_TOKEN_RECEIVED'
    | 'USER_MESSAGE_RENDERED'
    | 'WORLDINFO_ENTRIES_LOADED'
    | 'WORLDINFO_FORCE_ACTIVATE'
    | 'WORLDINFO_SETTINGS_UPDATED'
    | 'WORLDINFO_UPDATED'
    | 'WORLD_INFO_ACTIVATED';

/** The value behind an event key, undefined where this version of ST has no such event. */
export function eventName(event: TavernEvent): string | undefined {
    const context = tavern();
    return (context.eventTypes ?? context.event_types)?.[event];
}

export interface ListenOptions {
    /** Where to stand among the listeners: ST awaits them one after another. */
    order?: 'first' | 'last';
}

/**
 * Listens until the signal aborts. ST awaits what the listener returns (its `once` would not, so it is not used here).
 * False where this version has no such event.
 */
export function on<Args extends unknown[]>(event: TavernEvent | { name: string }, listener: (...args: Args) => unknown, signal: AbortSignal, options: ListenOptions = {}): boolean {
    const name = typeof event === 'string' ? eventName(event) : event.name;
    if (name === undefined || signal.aborted) return false;
    const source = tavern().eventSource;
    const handler = listener as TavernListener;
    if (options.order === 'first' && source.makeFirst !== undefined) source.makeFirst(name, handler);
    else if (options.order === 'last' && source.makeLast !== undefined) source.makeLast(name, handler);
    else source.on(name, handler);
    signal.addEventListener('abort', () => source.removeListener(name, handler), { once: true });
    return true;
}

/** Emits an event and waits for its listeners. Does nothing where this version has no such event. */
export async function emit(event: TavernEvent, ...args: unknown[]): Promise<void> {
    const name = eventName(event);
    if (name !== undefined) await tavern().eventSource.emit(name, ...args);
}
