import { describe, expect, it } from 'vitest';
import { hasText, languageOf, textTables, translate } from '../../src/ui/i18n';
import { reasons } from '../../src/worldbook/snapshot';

const placeholders = (sentence: string) => [...new Set(sentence.match(/\{\w+\}/g) ?? [])].sort();

describe('the sentences', () => {
    it.each(Object.entries(textTables))('%s has each code in both languages with the same parameters', (_file, table) => {
        expect(Object.keys(table).length).toBeGreaterThan(0);
        for (const [code, sentence] of Object.entries(table)) {
            expect(sentence.zh, code).toBeTruthy();
            expect(sentence.en, code).toBeTruthy();
            expect(placeholders(sentence.en), code).toEqual(placeholders(sentence.zh));
        }
    });

    it('no two tables claim the same code', () => {
        const codes = Object.values(textTables).flatMap((table) => Object.keys(table));
        expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    });

    it('speaks Chinese for every Chinese locale and English for all others', () => {
        expect(['zh-cn', 'zh-tw', 'zh', 'ZH-CN'].map(languageOf)).toEqual(['zh', 'zh', 'zh', 'zh']);
        expect(['en', 'ja-jp', ''].map(languageOf)).toEqual(['en', 'en', 'en']);
        expect(translate('ui.turn.name', { number: 3 }, 'zh-tw')).toBe('第 3 轮');
        expect(translate('ui.turn.name', { number: 3 }, 'fr-fr')).toBe('Turn 3');
    });

    it('says an unknown code with its facts rather than nothing', () => {
        expect(translate('nobody.knows', { entry: 'A', line: 4 }, 'en')).toBe('nobody.knows (entry: A, line: 4)');
        expect(translate('constructor', {}, 'en')).toBe('constructor');
    });

    it('names every reason, stage, status and tab the panel can show', () => {
        const codes = [
            ...reasons.map((reason) => `ui.reason.${reason}`),
            ...['waiting', 'snapshot', 'planning', 'tools', 'writing', 'analysis', 'post_tools', 'commit', 'catch_up', 'condense'].map((stage) => `ui.stage.${stage}`),
            ...['complete', 'incomplete', 'pending', 'stale', 'none'].map((status) => `ui.status.${status}`),
            ...['state', 'worldbook', 'tools', 'variables', 'calls'].map((tab) => `ui.tab.${tab}`),
        ];
        expect(codes.filter((code) => !hasText(code))).toEqual([]);
    });
});
