import type { CDPSession, Page } from 'playwright-core';

interface Profile {
    nodes: { id: number; callFrame: { url: string; functionName: string }; children?: number[] }[];
    startTime: number;
    samples: number[];
    timeDeltas: number[];
}

/** A task that held the main thread, ms; `ours` = how much of it ran with our bundle on the stack. */
export interface HeldTask {
    at: number;
    duration: number;
    ours: number;
    /** Where our time in it went, by function. */
    inside: Record<string, number>;
}

const bundle = '/narrative-agent/dist/';

/** Watches the main thread while `work` runs: every task longer than 50 ms, with the part of it that is ours by the CPU profile. */
export async function watchMainThread(page: Page, work: () => Promise<void>): Promise<HeldTask[]> {
    const session: CDPSession = await page.context().newCDPSession(page);
    await page.evaluate(() => {
        const watch = window as unknown as { heldTasks: { at: number; duration: number }[] };
        watch.heldTasks = [];
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) watch.heldTasks.push({ at: entry.startTime, duration: entry.duration });
        }).observe({ type: 'longtask' });
    });
    await session.send('Performance.enable');
    await session.send('Profiler.enable');
    await session.send('Profiler.setSamplingInterval', { interval: 500 });
    await session.send('Profiler.start');
    await work();
    // Both clocks at one moment: the page's, and the profiler's (monotonic, seconds).
    const { metrics } = await session.send('Performance.getMetrics');
    const pageNow = await page.evaluate(() => performance.now());
    const monotonic = (metrics.find((metric) => metric.name === 'Timestamp')?.value ?? 0) * 1000;
    const profile = (await session.send('Profiler.stop')).profile as unknown as Profile;
    const tasks = await page.evaluate(() => (window as unknown as { heldTasks: { at: number; duration: number }[] }).heldTasks);
    await session.detach();

    const parents = new Map<number, number>();
    const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
    for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node.id);
    const mine = new Map<number, boolean>();
    const isMine = (id: number): boolean => {
        let known = mine.get(id);
        if (known === undefined) {
            const parent = parents.get(id);
            known = (nodes.get(id)?.callFrame.url.includes(bundle) ?? false) || (parent !== undefined && isMine(parent));
            mine.set(id, known);
        }
        return known;
    };
    const held: HeldTask[] = tasks.map((task) => ({ ...task, ours: 0, inside: {} }));
    let time = profile.startTime / 1000;
    for (const [place, id] of profile.samples.entries()) {
        const step = (profile.timeDeltas[place] ?? 0) / 1000;
        time += step;
        if (!isMine(id)) continue;
        const at = time - monotonic + pageNow;
        const task = held.find((each) => at >= each.at && at <= each.at + each.duration);
        if (!task) continue;
        task.ours += step;
        const name = nodes.get(id)?.callFrame.functionName ?? '';
        task.inside[name] = (task.inside[name] ?? 0) + step;
    }
    return held;
}
