// @vitest-environment node
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configSchema } from '../../src/config';
import manifest from '../../manifest.json';
import packageFile from '../../package.json';

/** The README held against what it describes. */
const readme = readFileSync('README.md', 'utf8');
const agents = ['planning', 'writing', 'mergedWriting', 'mergedAnalysis'];

/** Every setting with its default, by dotted path. */
function settings(value: unknown, path = ''): [string, unknown][] {
    const record = z.record(z.string(), z.unknown()).safeParse(value);
    if (!record.success || path === 'tools.pageBooks') return [[path, value]];
    return Object.entries(record.data).flatMap(([key, inner]) => settings(inner, path === '' ? key : `${path}.${key}`));
}

function documented(language: string): [string, unknown][] {
    const start = readme.indexOf(`<!-- settings:${language} -->`);
    const table = readme.slice(start, readme.indexOf('<!-- /settings -->', start));
    return [...table.matchAll(/^\| `([\w.*]+)` \| `([^`]+)` \| (.+) \|$/gm)].flatMap(([, path = '', fallback = '', meaning = '']) => {
        expect(meaning.trim()).not.toBe('');
        const paths = path.startsWith('agents.*.') ? agents.map((agent) => path.replace('*', agent)) : [path];
        return paths.map((each): [string, unknown] => [each, JSON.parse(fallback)]);
    });
}

const byPath = (a: [string, unknown], b: [string, unknown]): number => a[0].localeCompare(b[0]);

describe.each(['en', 'zh'])('settings table (%s)', (language) => {
    it('has every key of the schema with its default, and no other', () => {
        expect(documented(language).sort(byPath)).toEqual(settings(configSchema.parse({})).sort(byPath));
    });
});

it('names every option of the demo, twice', () => {
    const demo = readFileSync('test/tavern/demo.ts', 'utf8');
    const options = [...demo.matchAll(/^ {2}(--[a-z]+)/gm)].map((match) => match[1] ?? '');
    expect(options.length).toBeGreaterThan(6);
    for (const option of options) expect(readme.match(new RegExp(`^\\| \`${option}[ \`]`, 'gm')), option).toHaveLength(2);
});

it('names every dependency', () => {
    const builtOn = readme.slice(readme.indexOf('## Built on'), readme.indexOf('## Development'));
    for (const name of [...Object.keys(packageFile.dependencies), ...Object.keys(packageFile.devDependencies)]) {
        if (!name.startsWith('@types/')) expect(builtOn).toContain(name);
    }
});

it('shows pictures that exist and are small, and links to files that exist', () => {
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\((\.readme\/[^)]+)\)/g)].map((match) => match[1] ?? '');
    expect(pictures.length).toBeGreaterThan(0);
    for (const file of pictures) expect(statSync(file).size, file).toBeLessThan(300_000);
    for (const [, file = ''] of readme.matchAll(/\]\(([A-Z]+\.md)\)/g)) expect(existsSync(file), file).toBe(true);
});

it('gives the scripts and versions that exist', () => {
    for (const [, script = ''] of readme.matchAll(/npm run ([a-z0-9]+)/g)) expect(Object.keys(packageFile.scripts)).toContain(script);
    expect(readme).toContain(manifest.minimum_client_version);
    expect(manifest.version).toBe(packageFile.version);
    expect(packageFile.engines.node).toContain('20.19');
});
