import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { root: import.meta.dirname, environment: 'node', include: ['*.bench.ts'], pool: 'forks', testTimeout: 600_000, hookTimeout: 600_000 } });
