import type { GlobalScanSettings } from '../worldbook/entry';
import { tavern } from './context';

/** Tokens a prompt may take: the context size of the main API less the response, as ST hands it to its own scan. */
function maxContext(): number {
    const context = tavern();
    if (context.mainApi !== 'openai') return context.maxContext;
    const { openai_max_context: size, openai_max_tokens: response } = context.chatCompletionSettings;
    return Math.max(0, Number(size) - Number(response));
}

/** ST's world-info settings (world-info.js getWorldInfoSettings), its shipped defaults for what is missing. */
export function readGlobalSettings(settings: Record<string, unknown>): GlobalScanSettings {
    const number = (key: string, fallback: number): number => {
        const value = Number(settings[key] ?? fallback);
        return Number.isFinite(value) ? value : fallback;
    };
    const flag = (key: string, fallback: boolean): boolean => (settings[key] === undefined ? fallback : Boolean(settings[key]));
    const strategy = number('world_info_character_strategy', 1);
    return {
        depth: number('world_info_depth', 2),
        recursive: flag('world_info_recursive', true),
        maxRecursionSteps: number('world_info_max_recursion_steps', 0),
        caseSensitive: flag('world_info_case_sensitive', false),
        matchWholeWords: flag('world_info_match_whole_words', true),
        minActivations: number('world_info_min_activations', 0),
        minActivationsDepthMax: number('world_info_min_activations_depth_max', 0),
        useGroupScoring: flag('world_info_use_group_scoring', false),
        includeNames: flag('world_info_include_names', true),
        budgetPercent: number('world_info_budget', 25),
        budgetCap: number('world_info_budget_cap', 0),
        maxContext: maxContext(),
        characterStrategy: strategy === 0 || strategy === 2 ? strategy : 1,
    };
}
