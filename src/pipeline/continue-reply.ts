import { notice } from '../notice';
import { assembleMessage, disassembleMessage, joinContinuation, unwrapNarrative } from '../text/assemble';
import { narrativeHash } from '../text/narrative';
import type { Core } from './core';
import type { TurnRecord } from '../turn-record';

/**
 * Makes what a continue of the host's added part of the reply's narrative, and its record pending: the whole narrative is
 * analysed again, so nothing is counted twice. `cut`: it was stopped, and is analysed before the next turn. Null where the reply has no record (then it is a gap like any other).
 */
export function continueReply(core: Pick<Core, 'chat' | 'reader' | 'commit'>, index: number, cut: boolean): TurnRecord | null {
    const message = core.chat.read().messages[index];
    const record = core.reader.now().turns.flatMap((turn) => turn.replies).find((reply) => reply.index === index)?.record;
    if (!message || !record) return null;
    const lengths = record.tools.flatMap((run) => (run.trigger === 'post_pipeline' && run.length ? [run.length] : []));
    const parts = disassembleMessage(message.text, lengths);
    const narrative = parts.tagged ? joinContinuation(parts.narrative, parts.continuation) : unwrapNarrative(message.text);
    const text = assembleMessage({ narrative });
    const pending: TurnRecord = { ...record, swipe: message.swipe, status: cut ? 'incomplete' : 'pending', reason: cut ? notice('info', 'pipeline.stopped') : undefined, analysed: false, narrative: narrativeHash(text), tools: record.tools.filter((run) => run.trigger === 'planning') };
    core.commit.begin(index, message.swipe, pending, text);
    return pending;
}
