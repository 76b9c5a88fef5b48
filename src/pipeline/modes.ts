import type { Config } from '../config';
import type { ToolDefinition } from '../tools/definition';
import { dependsOnAnalysis } from '../tools/schedule';

/** How a turn's narrative comes about (seed: 概述): written at once, or planned, with tools and recall, and then written. */
export type Mode = 'merged' | 'planning';

/** Chooses the mode of a turn (seed: 触发条件): planning when a planning tool is active or text recall is on, merged otherwise. */
export function chooseMode(config: Config, tools: readonly ToolDefinition[]): Mode {
    return config.pipeline.enableTextRecall || tools.some((tool) => tool.trigger === 'planning') ? 'planning' : 'merged';
}

/** When post_pipeline tools run. */
export interface PostToolOrder {
    /** Whether anything runs beside the analysis (seed: 并行模式). */
    sideBySide: boolean;
    /** Beside the analysis. */
    beside: ToolDefinition[];
    /** When the analysis is in. */
    after: ToolDefinition[];
}

/** In parallel execution tools that need nothing of the analysis run beside it; serial execution has them all wait. */
export function orderPostTools(config: Config, tools: readonly ToolDefinition[]): PostToolOrder {
    const sideBySide = config.pipeline.parallelExecutionEnabled;
    const waits = (tool: ToolDefinition): boolean => !sideBySide || dependsOnAnalysis(tool);
    return { sideBySide, beside: tools.filter((tool) => !waits(tool)), after: tools.filter(waits) };
}
