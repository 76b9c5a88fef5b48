import type { JournalPort, TraceStore } from '../ports';

/** What is kept of a chat outside its file. */
export interface ChatLeftovers {
    traces: TraceStore;
    journal: JournalPort;
    /** Data of the original extension filed under the chat's name. */
    deleteOldData(chatName: string): void;
}

/**
 * Forgets a deleted chat: its file was all the rest. The host names it by file name alone (`kind` tells whose); chats of one
 * name of other characters lose their traces with it, which are safe to lose.
 */
export async function forgetChat({ traces, journal, deleteOldData }: ChatLeftovers, kind: 'char' | 'group', chatName: string): Promise<void> {
    const name = chatName.replace(/\.jsonl$/i, '');
    const isGone = (chatKey: string): boolean => chatKey.startsWith(`${kind}:`) && chatKey.endsWith(`/${name}`);
    for (const { turnId, chatKey } of journal.turns()) if (isGone(chatKey)) journal.clear(turnId);
    deleteOldData(name);
    await traces.forgetChats(isGone);
}
