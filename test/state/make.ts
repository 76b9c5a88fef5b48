import type { TurnRecord } from '../../src/turn-record';
import { turnRecordSchema } from '../../src/turn-record';
import type { ProposedEvent } from '../../src/state/event';
import type { Reply, Turn } from '../../src/text/turn';

export const event = (type: string, params: Record<string, unknown>): ProposedEvent => ({ type, params });

export function record(part: Partial<TurnRecord> = {}): TurnRecord {
    return turnRecordSchema.parse({ v: 1, id: 'r', swipe: 0, status: 'complete', mode: 'merged', delivery: 'stream', seed: 's', narrative: 'h', ...part });
}

export function reply(index: number, part: Partial<Reply> = {}): Reply {
    return { index, speaker: '旁白', narrative: `正文${index}`, record: null, stale: false, tagged: true, ...part };
}

export function turn(number: number, replies: Reply[] = []): Turn {
    return { number, user: number === 0 ? '' : `输入${number}`, userIndexes: number === 0 ? [] : [number * 2 - 1], replies } as Turn;
}

/** Turn 0 and one turn for each record, one reply a turn. */
export function turnsOf(records: (TurnRecord | null)[]): Turn[] {
    return [turn(0, [reply(0, { tagged: false })]), ...records.map((one, place) => turn(place + 1, [reply((place + 1) * 2, { record: one })]))];
}
