import { narrativeHash } from '../text/narrative';
import type { TurnRecord } from '../turn-record';

/** A record of a reply that has just arrived or is about to be analysed for the first time. */
export function newRecord(input: Pick<TurnRecord, 'id' | 'swipe' | 'mode' | 'delivery' | 'seed'> & { text: string }): TurnRecord {
    const { text, ...rest } = input;
    return {
        v: 1,
        ...rest,
        status: 'pending',
        narrative: narrativeHash(text),
        analysed: false,
        events: [],
        corrections: [],
        tools: [],
        calls: [],
        notices: [],
    };
}
