import type { AppView, Intents } from '../../../src/ui/port';
import { sampleTrace } from './sample';

/** Intents that change the sample view where that shows something, and do nothing else. */
export function previewIntents(read: () => AppView, write: (view: AppView) => void): Intents {
    return {
        setConfig(path, value) {
            const config = structuredClone(read().config) as unknown as Record<string, unknown>;
            const keys = path.split('.');
            const last = keys.pop() ?? path;
            const holder = keys.reduce<Record<string, unknown>>((level, key) => level[key] as Record<string, unknown>, config);
            holder[last] = value;
            write({ ...read(), config: config as unknown as AppView['config'] });
        },
        refreshWorldbook: async () => undefined,
        reanalyse: async () => undefined,
        rerunTool: async () => undefined,
        correct: async () => undefined,
        undoCorrection: async () => undefined,
        jumpTo: () => undefined,
        tryTool: async (tool, params) => ({
            run: { name: tool, trigger: 'planning', params, ok: true, output: '检定结果：1d20 = [15]+2 = 17 (DC 12) → 成功', seed: 'try:1', detail: { rolls: [15] }, ms: 3 },
            sandbox: { ok: true, value: 17, log: ['base = 15'], ms: 3, memory: 182_000 },
        }),
        replay: async (run) => run,
        loadTrace: async (turnId) => (turnId === 'turn-60' ? sampleTrace(turnId) : null),
        editVariable: async () => undefined,
        exportChat: async () => '{}',
        importChat: async () => undefined,
        deleteOldData: async () => write({ ...read(), oldData: null }),
        dismissNotice: (index) => write({ ...read(), notices: read().notices.filter((_, at) => at !== index) }),
        stop: () => write({ ...read(), progress: null }),
    };
}
