import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['test/bench/cache/*.bench.ts'], environment: 'node' } });
