import { defineConfig } from 'vitest/config';

export default defineConfig({
    build: {
        target: 'es2022',
        outDir: 'dist',
        sourcemap: true,
        minify: 'oxc',
        cssCodeSplit: false,
        lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'index.js' },
        rollupOptions: { output: { codeSplitting: false } },
    },
    // The sandbox's worker is inlined as text, so it too must be one file.
    worker: { format: 'es', rollupOptions: { output: { codeSplitting: false } } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    test: {
        environment: 'happy-dom',
        include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
        exclude: ['test/tavern/**/*.e2e.ts', 'test/tavern/.cache/**', 'node_modules/**'],
    },
});
