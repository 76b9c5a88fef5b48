import { defineConfig } from 'vitest/config';

/** The end-to-end tests: one file after another, each with a real SillyTavern of its own. */
export default defineConfig({
    test: {
        root: import.meta.dirname,
        environment: 'node',
        include: ['**/*.e2e.ts'],
        exclude: ['.cache/**', 'node_modules/**'],
        pool: 'forks',
        fileParallelism: false,
        maxWorkers: 1,
        testTimeout: 120_000,
        hookTimeout: 600_000,
    },
});
