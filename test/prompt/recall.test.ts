import { describe, expect, it } from 'vitest';
import { followLanguage } from '../../src/prompt/follow-language';
import { recallTurns } from '../../src/prompt/recall';
import { turn } from './sample-input';

const turns = [turn(0, '', '开场。'), turn(1, '一', '甲乙丙。丁戊己。庚辛'), turn(2, '二', '第二段。'), turn(3, '三', '第三段。')];

describe('text recall', () => {
    it('gives each named turn once, in story order, without those the window shows', () => {
        expect(recallTurns(turns, [2, 0, 2, 3, 9], { shown: [3], cap: 1000 })).toEqual([{ turn: 0, text: '开场。' }, { turn: 2, text: '第二段。' }]);
    });

    it('stops at the cap, cutting at a sentence', () => {
        expect(recallTurns(turns, [1, 2], { shown: [], cap: 9 })).toEqual([{ turn: 1, text: '甲乙丙。丁戊己。…' }]);
        expect(recallTurns(turns, [2, 1], { shown: [], cap: 4 })).toEqual([{ turn: 2, text: '第二段。' }]);
        expect(recallTurns(turns, [1], { shown: [], cap: 0 })).toEqual([]);
    });
});

describe('the story\'s language', () => {
    it('is what its last turns and the new line are written in', () => {
        expect(followLanguage(turns)).toBe('zh');
        expect(followLanguage([turn(1, 'I enter.', 'The door creaks open onto a dark hall.')])).toBe('en');
        expect(followLanguage([], 'Hello there')).toBe('en');
        expect(followLanguage([])).toBe('zh');
    });
});
