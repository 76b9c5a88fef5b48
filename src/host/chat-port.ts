import type { ChatPort } from '../ports';
import { findRecord, save, writeMetadata, writeReply } from './chat-records';
import { readChat } from './chat-view';
import { importTavernModule, tavern, type ModuleImporter } from './context';
import { redraw } from './redraw';

type DeleteSwipe = (swipe: number, index: number) => Promise<unknown>;

async function discardSwipe(index: number, swipe: number, importModule: ModuleImporter): Promise<void> {
    const script = await importModule('/script.js').catch(() => ({}) as Record<string, unknown>);
    const deleteSwipe = script['deleteSwipe'] as DeleteSwipe | undefined;
    if (deleteSwipe !== undefined) await deleteSwipe(swipe, index);
    else await tavern().deleteMessage?.(index, swipe);
}

/** The open chat as the pipeline reads and writes it. See chat-records.ts and redraw.ts for what each part promises. */
export function createChatPort(importModule: ModuleImporter = importTavernModule): ChatPort {
    return {
        read: () => readChat(),
        find: (turnId) => findRecord(turnId),
        write: (target, change) => writeReply(target, change) !== null,
        async redraw(index) {
            await redraw(index);
        },
        async save(chatKey) {
            await save(chatKey);
        },
        async writeMetadata(value) {
            writeMetadata(value);
        },
        async discard({ index, swipe }) {
            const context = tavern();
            const message = context.chat[index];
            if (message === undefined || message.is_user) return;
            if ((message.swipes?.length ?? 1) > 1) return discardSwipe(index, swipe, importModule);
            // Without a message of its own in the DOM, deleteMessage would do nothing; the last one has its own way.
            if (index === context.chat.length - 1 && context.deleteLastMessage !== undefined) await context.deleteLastMessage();
            else await context.deleteMessage?.(index);
            await tavern().saveChat();
        },
    };
}
