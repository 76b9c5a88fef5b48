/** Prompt cache: seed's layout against the shared one over 40 turns. `npx vitest run --config test/bench/cache/vitest.config.ts`. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { it } from 'vitest';
import { replay, type Mode } from './replay';
import { fullSize } from './story';

it('prints tokens per layout and mode', { timeout: 300_000 }, () => {
    const lines = ['mode      layout  agent            prompt  uncached  share  of seed'];
    for (const mode of ['planning', 'merged'] satisfies Mode[]) {
        const seed = replay('seed', mode, fullSize, encode);
        for (const [layout, costs] of [['seed', seed], ['shared', replay('shared', mode, fullSize, encode)]] as const) {
            for (const [agent, cost] of Object.entries(costs)) {
                const share = `${((100 * cost.uncached) / cost.prompt).toFixed(1)}%`;
                const ofSeed = `${((100 * cost.uncached) / (seed[agent]?.uncached ?? 1)).toFixed(1)}%`;
                lines.push([mode.padEnd(9), layout.padEnd(7), agent.padEnd(15), String(cost.prompt).padStart(7), String(cost.uncached).padStart(9), share.padStart(6), ofSeed.padStart(8)].join(' '));
            }
        }
    }
    process.stdout.write(`${lines.join('\n')}\n`);
});
