import { appendToUpdateBlock } from '../mvu/update-block';
import type { Core } from './core';
import type { PatchResult } from '../turn-record';

/**
 * The user's own change of a variable: it goes to the message that holds the latest values, and into that reply's update
 * block and record, so that MVU's replay and a new extraction keep it. A greeting and a user's line keep their text: their
 * table alone carries the change. Tells what was refused.
 */
export async function editVariable(core: Core, path: string, value: unknown): Promise<void> {
    const { chatKey } = core.deps.chat.read();
    const outcome = await core.variables.edit(path, value);
    for (const result of outcome.results) if (result.reason && result.reason !== outcome.dropped) core.deps.notify(result.reason);
    if (outcome.dropped) core.deps.notify(outcome.dropped);
    const { view, turns } = core.reader.now();
    const record = turns.flatMap((turn) => turn.replies).find((reply) => reply.index === outcome.index)?.record;
    const message = view.messages[outcome.index];
    if (outcome.block === '' || outcome.index === 0 || !record || !message || chatKey === null || view.chatKey !== chatKey) return;
    await core.commit.finish(record.id, chatKey, {
        text: appendToUpdateBlock(message.text, outcome.block, { show: core.deps.config().mvu.showUpdateBlock }),
        record: { ...record, variables: withEdits(record.variables ?? [], outcome.results) },
    });
}

/** A later edit of a path stands for the earlier one. */
function withEdits(known: readonly PatchResult[], edits: readonly PatchResult[]): PatchResult[] {
    return [...known.filter((each) => !each.byUser || !edits.some((edit) => edit.path === each.path)), ...edits];
}
