import { describe, expect, it } from 'vitest';
import { readConfig, withSetting } from '../src/read-config';

describe('readConfig', () => {
    it('gives the seed\'s defaults for nothing at all', () => {
        const { config, notices } = readConfig(undefined);
        expect(notices).toEqual([]);
        expect(config).toMatchObject({
            enabled: true,
            presetMode: 'none',
            worldbookSource: 'auto',
            pipeline: {
                recentTurnsForPlanning: 4,
                planningGrowthMargin: 4,
                recentTurnsForWriting: 3,
                writingGrowthMargin: 4,
                parallelExecutionEnabled: false,
                enableTextRecall: false,
                delivery: 'stream',
            },
            agents: { mergedAnalysis: { antiHallucination: true } },
            state: { autoSyncWorldInfo: true, persistToLocalStorage: true },
        });
    });

    it('loses only the broken value, and names it', () => {
        const { config, notices } = readConfig({
            enabled: false,
            presetMode: 'everything',
            pipeline: { recentTurnsForPlanning: 'four', enableTextRecall: true, delivery: 'relay' },
            agents: 'none',
        });
        expect(config.enabled).toBe(false);
        expect(config.presetMode).toBe('none');
        expect(config.pipeline).toMatchObject({ recentTurnsForPlanning: 4, enableTextRecall: true, delivery: 'relay' });
        expect(config.agents.planning.retries).toBe(1);
        expect(notices.map((item) => item.params.path).sort()).toEqual(['agents', 'pipeline.recentTurnsForPlanning', 'presetMode']);
    });

    it.each([null, 3, 'text', [1, 2], { tools: { pageBooks: ['a', 5] } }])('survives %j', (stored) => {
        expect(readConfig(stored).config.enabled).toBe(true);
    });

    it('keeps keys it does not know when one is set', () => {
        expect(withSetting({ future: 1, pipeline: { later: 2 } }, 'pipeline.delivery', 'relay')).toEqual({
            future: 1,
            pipeline: { later: 2, delivery: 'relay' },
        });
    });
});
