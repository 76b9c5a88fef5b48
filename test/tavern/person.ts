import type { Page } from 'playwright-core';
import type { ChatFileMessage } from './page-context';

/** A person at the page: acts through SillyTavern's own controls, and looks at what is there. */
export interface Player {
    page: Page;
    /** Browser-console errors and uncaught exceptions since the page was opened. */
    complaints: string[];

    /** Fills the message box without sending. */
    type(text: string): Promise<void>;
    /** Types and sends, and waits until the generation has begun. */
    send(text: string): Promise<void>;
    /** send + waitTurnDone. */
    turn(text: string): Promise<ChatFileMessage>;
    /** Waits until nothing runs any more: no generation, no open request, no pending turn, the chat saved. */
    waitTurnDone(): Promise<ChatFileMessage>;
    /** Right arrow of the last message: the next swipe, or a new one. Waits until done. */
    swipeRight(): Promise<void>;
    swipeLeft(): Promise<void>;
    /** Begins a new swipe and returns at once (for Stop tests). */
    startSwipe(): Promise<void>;
    regenerate(): Promise<void>;
    startRegenerate(): Promise<void>;
    continueReply(): Promise<void>;
    impersonate(): Promise<void>;
    /** The Stop button. */
    stop(): Promise<void>;
    editMessage(index: number, text: string): Promise<void>;
    /** Deletes one message by its own edit menu. On a message with swipes the whole message goes. */
    deleteMessage(index: number): Promise<void>;
    /** "Delete messages" of the options menu: this message and all after it. */
    deleteFrom(index: number): Promise<void>;
    hide(index: number): Promise<void>;
    unhide(index: number): Promise<void>;
    newChat(): Promise<void>;
    /** Opens another chat of this character by its file name (without `.jsonl`). */
    switchChat(chatId: string): Promise<void>;
    /** Opens another character by its place in the list (its chats are its own). */
    openCharacter(name: string): Promise<void>;
    branch(index: number): Promise<void>;
    checkpoint(index: number, name: string): Promise<void>;
    /** Reloads the page and waits until the chat is open again. */
    reload(): Promise<void>;
    /** Opens the extensions drawer and our settings in it. */
    openExtensionSettings(): Promise<void>;
    /** Presses the right answer in the popup that is open. */
    confirm(): Promise<void>;

    chat(): Promise<ChatFileMessage[]>;
    chatId(): Promise<string>;
    /** `extra.narrative_agent` of every message, null where there is none. */
    records(): Promise<(Record<string, unknown> | null)[]>;
    /** What stands in a message's text block on the screen. */
    shown(index: number): Promise<string>;
    /** Texts of the toasts on the screen. */
    toasts(): Promise<string[]>;
    /** Opens our side panel when it is closed, on the given tab. */
    openPanel(tab?: string): Promise<void>;
    closePanel(): Promise<void>;
    /** Text of one block of the panel's state tab: time, location, inventory, relationships, quests, flags … */
    panelField(field: string): Promise<string>;
    /** The whole text of the state tab; null when the page has no panel. */
    panelText(): Promise<string | null>;
    /** Sets one value of our settings (dotted path below `config`), saves it and reloads the page. */
    setConfig(path: string, value: unknown): Promise<void>;
    screenshot(file: string): Promise<void>;
}
