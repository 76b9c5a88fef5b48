import type { ToolDefinition } from './definition';

/**
 * Whether a post_pipeline tool needs what the analysis of this turn brings, so that in parallel mode it runs after it
 * (seed: 并行模式); all others may run beside the analysis.
 */
export function dependsOnAnalysis(tool: Pick<ToolDefinition, 'context'>): boolean {
    return tool.context.some((key) => key === 'story_summary' || key === 'state_summary' || key === 'known_context');
}

/**
 * Runs all jobs, those of one key at most `limit` at a time, and gives the results in the jobs' order. Jobs must not
 * reject.
 */
export async function runLimited<Result>(jobs: readonly { key: string; run: () => Promise<Result> }[], limit: number): Promise<Result[]> {
    const results = new Map<number, Result>();
    const queues = new Map<string, number[]>();
    jobs.forEach((job, index) => queues.set(job.key, [...(queues.get(job.key) ?? []), index]));
    const worker = async (queue: number[]) => {
        for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
            const job = jobs[index];
            if (job !== undefined) results.set(index, await job.run());
        }
    };
    await Promise.all([...queues.values()].flatMap((queue) => Array.from({ length: Math.min(Math.max(1, limit), queue.length) }, () => worker(queue))));
    return jobs.flatMap((_, index) => {
        const result = results.get(index);
        return result === undefined ? [] : [result];
    });
}
