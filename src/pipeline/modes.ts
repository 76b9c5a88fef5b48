import type { Config } from '../config';
import type { ToolDefinition } from '../tools/definition';

export type Stage = 'planning' | 'planning-tools' | 'recall' | 'writing' | 'merged-writing' | 'analysis' | 'post-tools';

/** A way to make one turn, as data (seed: 概述). */
export interface Mode {
    name: 'merged' | 'planning';
    /** Before and with the narrative. */
    before: Stage[];
    /** After it; the stages of one inner list run side by side. */
    after: Stage[][];
}

const modes: Record<Mode['name'], Stage[]> = {
    merged: ['merged-writing'],
    planning: ['planning', 'planning-tools', 'recall', 'writing'],
};

/**
 * Chooses the mode of a turn (seed: 触发条件): planning when a planning tool is active or text recall is on, merged otherwise.
 * Parallel execution puts independent post_pipeline tools beside the analysis; the rest waits for it.
 */
export function chooseMode(config: Config, tools: ToolDefinition[]): Mode {
    const planning = config.pipeline.enableTextRecall || tools.some((tool) => tool.trigger === 'planning');
    const name = planning ? 'planning' : 'merged';
    return {
        name,
        before: modes[name],
        after: config.pipeline.parallelExecutionEnabled ? [['analysis', 'post-tools'], ['post-tools']] : [['analysis'], ['post-tools']],
    };
}
