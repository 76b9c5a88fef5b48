import { defineConfig } from 'vitest/config';

// The committed bundle must not depend on who builds it: a caller's NODE_ENV would change the source map.
if (process.argv.includes('build')) process.env.NODE_ENV = 'production';

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
    // The sandbox's worker is inlined as text, so it too must be one file; its source map, which nothing could find, stays out.
    worker: { format: 'es', rollupOptions: { output: { codeSplitting: false } } },
    plugins: [{
        name: 'no-worker-source-map',
        enforce: 'post',
        generateBundle(_options, bundle) {
            for (const file of Object.keys(bundle)) if (/^assets\/worker-.*\.map$/.test(file)) Reflect.deleteProperty(bundle, file);
        },
    }],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    test: {
        environment: 'happy-dom',
        setupFiles: ['test/setup.ts'],
        include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
        exclude: ['test/tavern/**/*.e2e.ts', 'test/tavern/.cache/**', 'node_modules/**'],
    },
});
