import { describe, expect, it } from 'vitest';
import { exportChatData, placeRecords, readChatExport } from '../../src/state/chat-export';
import { initialState } from '../../src/state/state';
import { event, record } from './make';

const data = {
    chat: '艾琳 - 2024', exportedAt: 5, baseline: { state: initialState(), summaries: [{ turn: 1, text: '甲' }], coversTurns: 1 },
    replies: [
        { index: 2, narrative: 'h2', record: record({ id: 'a', events: [event('move', { location: '桥' })] }) },
        { index: 4, narrative: 'h4', record: record({ id: 'b', summary: '乙' }) },
        { index: 6, narrative: 'h6', record: record({ id: 'c' }) },
    ],
};

describe('the export file', () => {
    it('reads back what was written', () => {
        const read = readChatExport(exportChatData(data));
        expect(read.ok && read.file).toEqual({ format: 'narrative-agent-chat', v: 1, ...data });
    });
    it.each<[string, string]>([
        ['{', 'state.export-not-json'], ['[]', 'state.export-foreign'], ['{"format":"x","v":1}', 'state.export-foreign'],
        [exportChatData(data).replace('"v": 1', '"v": 2'), 'state.export-version'], [exportChatData(data).replace('"complete"', '"done"'), 'state.export-broken'],
        [exportChatData(data).replace('"day": 1', '"day": "x"'), 'state.export-broken'],
    ])('a bad file is refused (%#)', (json, code) => {
        const read = readChatExport(json);
        expect(!read.ok && read.notice.code).toBe(code);
    });
    it('puts records where their narrative is, and leaves the rest', () => {
        const read = readChatExport(exportChatData(data));
        if (!read.ok) throw new Error('unread');
        const { placed, left } = placeRecords(read.file, [{ index: 2, narrative: 'h2' }, { index: 3, narrative: 'h4' }, { index: 6, narrative: 'other' }]);
        expect(placed.map(({ index, record: one }) => [index, one.id])).toEqual([[2, 'a'], [3, 'b']]);
        expect(left).toBe(1);
    });
});
