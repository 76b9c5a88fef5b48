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

it('says why an answer could not be read in the user\'s language, with the technical words where they help', () => {
    const said = (reason: string, locale: string): string => translate('pipeline.call-malformed', { purpose: 'planning', detail: 'events: expected array', reason }, locale);
    expect(said('text.output-no-json', 'zh-cn')).toBe('「规划」的回答无法读懂（已再问过一次）：模型的输出中找不到所要求的数据。');
    expect(said('text.output-invalid', 'zh-cn')).toContain('（events: expected array）');
    expect(said('nobody.knows', 'en')).toContain('events: expected array');
});

it('names every section of the prompts', () => {
    const names = readdirSync('src/prompt').flatMap((file) => [...readFileSync(join('src/prompt', file), 'utf8').matchAll(/\b(?:tagged|plain)\('(?:system|user)', '(\w+)'/g)].map((match) => match[1] ?? ''));
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !hasText(`agents.section.${name}`))).toEqual([]);
});

it('says names of the code in words', () => {
    expect(translate('state.too-many', { field: 'inventory', limit: 1000 }, 'zh-cn')).toBe('物品 已有 1000 项，不能再添加');
    expect(translate('state.quest-closed', { quest: '送信', status: 'completed' }, 'zh-cn')).toBe('任务「送信」已经结束（已完成）');
    expect(translate('state.quest-closed', { quest: 'letter', status: 'unheard-of' }, 'en')).toBe('Quest “letter” has ended already (unheard-of)');
});
