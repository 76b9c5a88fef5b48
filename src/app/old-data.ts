import type { Core } from '../pipeline/core';
import { chatMetadataSchema } from '../state/baseline';
import { importOriginal } from '../state/import-original';
import type { AppView } from './port';
import type { Session } from './session';

/** What the original extension left in this installation, unchecked (the host finds it). */
export interface OldData {
    chatStates: Record<string, unknown>;
    local: Record<string, unknown>;
}

/** What the panel says of it. */
export function oldDataOf(found: OldData | null): AppView['oldData'] {
    return found ? { chats: Object.keys(found.chatStates).length, imported: true } : null;
}

/** Makes the open chat's baseline from what the original extension kept of it, once a chat. */
export async function importOldData(core: Core, session: Session, found: OldData | null): Promise<void> {
    const { view, turns } = core.reader.now();
    if (!found || view.chatKey === null || chatMetadataSchema.safeParse(view.metadata).success) return;
    const checkpoints = Object.fromEntries(Object.entries(found.local).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]));
    const chatId = view.chatKey.slice(view.chatKey.indexOf('/') + 1);
    const { baseline, notices } = importOriginal({ chatStates: found.chatStates, checkpoints, chatKeys: [chatId, `${view.characterName}/${chatId}`, view.chatKey], turns: turns.at(-1)?.number ?? 0 });
    if (!baseline && notices.length === 0) return;
    await core.chat.writeMetadata({ v: 1, ...(baseline ? { baseline } : {}), importedAt: core.deps.clock.now() });
    notices.forEach(session.notify);
    core.deps.changed();
}
