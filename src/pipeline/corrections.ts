import { notice } from '../notice';
import type { ProposedEvent } from '../state/event';
import type { Reply, Turn } from '../text/turn';
import type { ChatReader } from './chat-state';
import type { Commit } from './commit';
import type { PipelineDeps } from './deps';
import { newRecord } from './new-record';

type CorrectionDeps = Pick<PipelineDeps, 'chat' | 'notify' | 'newId' | 'changed'> & { reader: ChatReader; commit: Commit };

function lastReply(turns: readonly Turn[]): Reply | null {
    return turns.at(-1)?.replies.at(-1) ?? null;
}

/** Adds the user's own event to the last reply: it is folded like any other, after the reply's own. */
export async function correctLastReply(deps: CorrectionDeps, event: ProposedEvent): Promise<void> {
    const { view, turns } = deps.reader.now();
    const reply = lastReply(turns);
    if (!reply || view.chatKey === null) {
        deps.notify(notice('warning', 'pipeline.no-reply-to-correct'));
        return;
    }
    const message = view.messages[reply.index];
    const text = message?.text ?? '';
    const record = reply.record ?? { ...newRecord({ id: deps.newId(), swipe: message?.swipe ?? 0, mode: 'merged', delivery: 'import', seed: '', text }), status: 'complete' as const };
    if (!reply.record) deps.commit.begin(reply.index, message?.swipe ?? 0, record);
    await deps.commit.finish(record.id, view.chatKey, { record: { ...record, corrections: [...record.corrections, event] } });
    deps.changed();
}

/** Takes the newest correction back. */
export async function undoLastCorrection(deps: CorrectionDeps): Promise<void> {
    const { view, turns } = deps.reader.now();
    const corrected = turns.flatMap((turn) => turn.replies).reverse().find((reply) => (reply.record?.corrections.length ?? 0) > 0);
    if (!corrected?.record || view.chatKey === null) return;
    const { record } = corrected;
    await deps.commit.finish(record.id, view.chatKey, { record: { ...record, corrections: record.corrections.slice(0, -1) } });
    deps.changed();
}
