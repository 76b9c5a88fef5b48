import type { Core } from '../pipeline/core';
import type { ChatView } from '../ports';
import { chatMetadataSchema } from '../state/baseline';
import { importOriginal } from '../state/import-original';
import type { AppView } from './port';
import type { Session } from './session';

/** What the original extension left in this installation, unchecked (the host finds it). */
export interface OldData {
    chatStates: Record<string, unknown>;
    local: Record<string, unknown>;
}

/** What the panel says of it: all of it has been imported once nothing is left of a chat that was not opened since. */
export function oldDataOf(core: Core, found: OldData | null): AppView['oldData'] {
    if (!found) return null;
    const { view } = core.reader.now();
    const own = view.chatKey === null ? null : importOriginal({ ...found, checkpoints: texts(found.local), chatKeys: namesOf(view), turns: 0 }).found;
    const read = chatMetadataSchema.safeParse(view.metadata).success;
    const others = Object.keys(found.chatStates).length + Object.keys(found.local).length - (own ? own.chatStates.length + own.checkpoints.length : 0);
    return { chats: Object.keys(found.chatStates).length, imported: read && others === 0 };
}

/** Names of the original's items that belong to a chat that is gone (its file name, as the host tells it). */
export function oldDataOfChat(found: OldData, chatName: string): { chatStates: string[]; local: string[] } {
    const own = importOriginal({ ...found, checkpoints: texts(found.local), chatKeys: [chatName], turns: 0 }).found;
    return { chatStates: own.chatStates, local: own.checkpoints };
}

function texts(local: OldData['local']): Record<string, string> {
    return Object.fromEntries(Object.entries(local).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]));
}

/** Names the original may have filed the chat under, best first. */
function namesOf(view: ChatView): string[] {
    const chatKey = view.chatKey ?? '';
    const chatId = chatKey.slice(chatKey.indexOf('/') + 1);
    return [chatId, `${view.characterName}/${chatId}`, chatKey];
}

/** Makes the open chat's baseline from what the original extension kept of it, once a chat. */
export async function importOldData(core: Core, session: Session, found: OldData | null): Promise<void> {
    const { view, turns } = core.reader.now();
    if (!found || view.chatKey === null || chatMetadataSchema.safeParse(view.metadata).success) return;
    const { baseline, notices } = importOriginal({ chatStates: found.chatStates, checkpoints: texts(found.local), chatKeys: namesOf(view), turns: turns.at(-1)?.number ?? 0 });
    if (!baseline && notices.length === 0) return;
    await core.chat.writeMetadata({ v: 1, ...(baseline ? { baseline } : {}), importedAt: core.deps.clock.now() });
    notices.forEach(session.notify);
    core.deps.changed();
}
