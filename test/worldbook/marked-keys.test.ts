import { describe, expect, it } from 'vitest';
import { configSchema } from '../../src/config';
import { initialState } from '../../src/state/state';
import { buildIndex } from '../../src/worldbook/book-index';
import { compactSnapshot, expandSnapshot } from '../../src/worldbook/compact';
import { shippedScanSettings } from '../../src/worldbook/context';
import { decide } from '../../src/worldbook/decide';
import { markedEntries } from '../../src/worldbook/marked-entries';
import { readBook } from '../../src/worldbook/read-book';

const tool = '{"type":"code","function":{"name":"x","description":""},"code":"return 1;"}';
const { entries } = readBook({
    name: '书', origin: 'card', shape: 'world', data: {
        entries: [
            { uid: 0, comment: '[TOOL:constant]', content: tool, constant: true, key: ['从不'] },
            { uid: 1, comment: '[TOOL:keyed]', content: tool, constant: false, key: ['战斗'] },
            { uid: 2, comment: '[TOOL:keyless]', content: tool, constant: false, key: [] },
            { uid: 3, comment: '[mvu_update] 受伤', content: '受伤时减少体力', constant: false, key: ['受伤'] },
            { uid: 4, comment: '[initvar]', content: '{"a":1}', constant: false, key: ['从不'], disable: true },
            { uid: 5, comment: '强盗', content: '强盗会引发战斗。', constant: false, key: ['强盗'] },
        ],
    },
});
const index = buildIndex(entries);

const on = (line: string) => {
    const snapshot = decide(index, {
        texts: [line], alwaysScanned: [], global: shippedScanSettings,
        character: { fileName: '', tags: null, personaDescription: '', description: '', personality: '', depthPrompt: '', scenario: '', creatorNotes: '' },
        trigger: 'normal', messageCount: 2, replyCount: 1, timed: [], forced: [], seed: 's', config: configSchema.parse({}).worldbook,
        state: initialState(), substitute: (text) => text, estimate: (text) => text.length,
    });
    const names = (from: typeof snapshot) => [...markedEntries(from, index, 'tool'), ...markedEntries(from, index, 'mvu_update'), ...markedEntries(from, index, 'initvar')].map((entry) => entry.comment);
    // The stored form says the same.
    expect(names(expandSnapshot(compactSnapshot(snapshot), index))).toEqual(names(snapshot));
    return names(snapshot);
};

describe('tools and update rules are active like any entry', () => {
    it('the constant and the keyless one always, the keyed ones by their keys', () => {
        expect(on('我走进酒馆。')).toEqual(['[TOOL:constant]', '[TOOL:keyless]', '[initvar]']);
        expect(on('战斗开始，我受伤了。')).toEqual(['[TOOL:constant]', '[TOOL:keyed]', '[TOOL:keyless]', '[mvu_update] 受伤', '[initvar]']);
    });
    it('also by a key in the text of another entry', () => expect(on('我遇到强盗。')).toContain('[TOOL:keyed]'));
});
