import tseslint from 'typescript-eslint';

const hostGlobals = ['SillyTavern', 'window', 'document', 'fetch', 'localStorage', 'sessionStorage', 'console', 'toastr', 'jQuery', '$'];

export default tseslint.config(
    { ignores: ['dist/', 'node_modules/', 'test/tavern/.cache/', 'coverage/', '.dist-check-*/'] },
    ...tseslint.configs.recommended,
    {
        rules: {
            '@typescript-eslint/no-explicit-any': 'error',
            '@typescript-eslint/no-non-null-assertion': 'error',
            '@typescript-eslint/consistent-type-imports': 'error',
            '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
            'no-empty': ['error', { allowEmptyCatch: false }],
            eqeqeq: ['error', 'always', { null: 'ignore' }],
        },
    },
    {
        // The core is pure: it knows no host, no DOM, no clock and no randomness of its own.
        files: ['src/**/*.ts', 'src/**/*.tsx'],
        ignores: ['src/host/**', 'src/ui/**', 'src/sandbox/**', 'src/index.ts'],
        rules: {
            'no-restricted-globals': ['error', ...hostGlobals],
            'no-restricted-properties': [
                'error',
                { object: 'Date', property: 'now', message: 'Take the time from the clock port.' },
                { object: 'Math', property: 'random', message: 'Take randomness from a seeded stream.' },
            ],
            'no-restricted-imports': [
                'error',
                { patterns: [{ regex: '(^|/)(host|ui|sandbox)(/|$)', message: 'The core imports no host, UI or sandbox code: use a port.' }] },
            ],
        },
    },
    {
        // The UI sends intents and never reaches into the host.
        files: ['src/ui/**'],
        rules: {
            'no-restricted-imports': ['error', { patterns: [{ regex: '(^|/)host(/|$)', message: 'The UI gets what it needs through its port.' }] }],
        },
    },
);
