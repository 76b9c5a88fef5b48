import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasText, translate } from '../../src/ui/i18n';

/** All codes written out in a call of notice() or reason(), by file. */
function codesOf(folder: string): [string, string][] {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) => {
            const source = readFileSync(join(folder, file), 'utf8');
            const calls = [/\bnotice\(\s*'(?:info|warning|error)',\s*'([\w.-]+)'/g, /\breason\(\s*'([\w.-]+)'/g, /\bcode:\s*'([a-z]+\.[\w.-]+)'/g];
            return calls.flatMap((call) => [...source.matchAll(call)].map((match): [string, string] => [file, match[1] ?? '']));
        });
}

it('has a sentence for every notice and reason the code can emit', () => {
    const codes = codesOf('src');
    expect(codes.length).toBeGreaterThan(50);
    expect(codes.filter(([, code]) => !hasText(code)).map(([file, code]) => `${file}: ${code}`)).toEqual([]);
});

it('has a sentence for every way a model call can fail', () => {
    const kinds = ['aborted', 'timeout', 'no-connection', 'http', 'empty', 'unsupported', 'unknown', 'malformed'];
    expect(kinds.filter((kind) => !hasText(`pipeline.call-${kind}`))).toEqual([]);
    expect(translate('pipeline.call-http', { purpose: 'mergedAnalysis', detail: '502' }, 'zh-cn')).toBe('「合并分析」的调用被 API 拒绝：502');
});
