import type { ChatMessage, ChatPort, ChatView } from '../ports';
import { chatMetadataSchema, type Baseline } from '../state/baseline';
import { createFolder } from '../state/fold';
import type { Fold } from '../state/fold-types';
import { extractTurns, pendingUserInput } from '../text/extract-turns';
import type { Turn } from '../text/turn';
import type { TurnRecord } from '../turn-record';

/** The chat read at one moment: its turns and what they add up to. */
export interface ChatState {
    view: ChatView;
    turns: Turn[];
    fold: Fold;
}

/** A chat cut just before one reply: what that reply's agents may know. */
export interface StateBefore extends ChatState {
    /** Position of the reply, or where it will be. */
    until: number;
    /** The number the reply's turn has. */
    turnNumber: number;
    /** The user's line it answers. */
    userInput: string;
}

export interface ChatReader {
    now(): ChatState;
    /** The chat before the message at `index` (default: before the reply that is to come). */
    before(index?: number): StateBefore;
    /** The chat up to and with one reply as it would be with this text and record. */
    with(index: number, reply: { text: string; record: TurnRecord }): ChatState;
}

/** Reads the chat; the fold is remembered from call to call, so that only what changed is folded again. */
export function createChatReader(chat: ChatPort, outputTags: () => readonly string[]): ChatReader {
    const foldNow = createFolder();
    const foldBefore = createFolder();
    const read = (view: ChatView, messages: ChatMessage[], fold: ReturnType<typeof createFolder>): ChatState => {
        const turns = extractTurns(messages, { outputTags: outputTags() });
        return { view, turns, fold: fold(turns, baselineOf(view.metadata)) };
    };
    return {
        now() {
            const view = chat.read();
            return read(view, view.messages, foldNow);
        },
        before(index) {
            const view = chat.read();
            const messages = index === undefined ? view.messages : view.messages.filter((message) => message.index < index);
            const state = read({ ...view, messages }, messages, foldBefore);
            const pending = pendingUserInput(messages);
            return { ...state, until: index ?? messages.length, turnNumber: numberOfNext(messages, state.turns), userInput: pending || answeredLine(view, state.turns) };
        },
        with(index, { text, record }) {
            const view = chat.read();
            const messages = view.messages
                .filter((message) => message.index <= index)
                .map((message) => (message.index === index ? { ...message, text, record, swipe: record.swipe } : message));
            return read({ ...view, messages }, messages, foldBefore);
        },
    };
}

/** The imported start of the chat, where there is one. */
export function baselineOf(metadata: unknown): Baseline | undefined {
    const parsed = chatMetadataSchema.safeParse(metadata);
    return parsed.success ? parsed.data.baseline : undefined;
}

function numberOfNext(messages: ChatMessage[], turns: Turn[]): number {
    const next: ChatMessage = { index: messages.length, name: '', isUser: false, isHidden: false, isNarrator: false, text: '…', swipe: 0, record: undefined };
    return extractTurns([...messages, next]).at(-1)?.number ?? turns.at(-1)?.number ?? 0;
}

/** In a group a second member answers the same line; elsewhere a reply after a reply answers nothing new. */
function answeredLine(view: ChatView, turns: Turn[]): string {
    return view.isGroup ? (turns.at(-1)?.user ?? '') : '';
}
