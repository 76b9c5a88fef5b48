// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { initialState, type GameState } from '../../src/state/state';
import { stateSummaryText } from '../../src/state/state-summary';
import { translate } from '../../src/ui/i18n/index';
import { because } from '../../src/ui/panel/worldbook/reason-text';
import { buildIndex } from '../../src/worldbook/book-index';
import { evaluateCondition, parseCondition } from '../../src/worldbook/condition';
import type { DecideContext } from '../../src/worldbook/context';
import { decide } from '../../src/worldbook/decide';
import { directiveNames, parseDirectives } from '../../src/worldbook/directives';
import { readBook } from '../../src/worldbook/read-book';
import { routeEntries, sectionOf } from '../../src/worldbook/route';
import type { Decision } from '../../src/worldbook/snapshot';
import { makeContext } from '../worldbook/make';

/**
 * The examples of the tutorial's worldbook chapters, run as the pipeline runs books. One `###` section is one book: a world file in a `json`
 * fence, or `entry` fences; every `turn` fence after it says all that goes in, and all that stays out with the panel's own words.
 */
const tutorial = readFileSync('TUTORIAL.md', 'utf8');
const bookName = '例子';
const zh = (code: string, params = {}): string => translate(code, params, 'zh-CN');

function chapter(title: string): string {
    const start = tutorial.indexOf(`\n## ${title}\n`);
    expect(start, title).toBeGreaterThan(0);
    const end = tutorial.indexOf('\n## ', start + 4);
    return tutorial.slice(start, end);
}
const routing = chapter('条目路由');
const directives = chapter('指令(@@)');

function fences(text: string, name: string): string[] {
    return [...text.matchAll(new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)\\n\`\`\``, 'gm'))].map((match) => match[1] ?? '');
}

const positions: Record<string, Record<string, unknown>> = {
    '@D系统': { position: 4, role: 0 }, '@D用户': { position: 4, role: 1 }, '@D助手': { position: 4, role: 2 }, '↑Char': { position: 0 }, '↓Char': { position: 1 },
    '↑AN': { position: 2 }, '↓AN': { position: 3 }, '↑EM': { position: 5 }, '↓EM': { position: 6 },
};

/** `【title】蓝灯 · ↓Char · 关键词 a，b`, then the content. */
function readEntryFence(text: string, uid: number): Record<string, unknown> {
    const [head = '', ...content] = text.split('\n');
    const [, comment, light, settings = ''] = /^【(.+)】(蓝灯|绿灯) · (.+)$/.exec(head) ?? [];
    if (light === undefined) throw new Error(`not an entry: ${head}`);
    const entry: Record<string, unknown> = { uid, comment, constant: light === '蓝灯', selective: true, key: [], keysecondary: [], content: content.join('\n') };
    for (const setting of settings.split(' · ')) {
        const [name = '', value = ''] = setting.split(' ');
        if (name === '关键词') entry.key = value.split('，');
        else if (name === '副关键词') entry.keysecondary = value.split('，');
        else if (name === 'Outlet') Object.assign(entry, { position: 7, outletName: value });
        else if (positions[name]) Object.assign(entry, positions[name]);
        else throw new Error(`unknown setting: ${setting}`);
    }
    return entry;
}

function bookOf(section: string): unknown {
    const [file] = fences(section, 'json');
    return file === undefined ? { entries: fences(section, 'entry').map(readEntryFence) } : JSON.parse(file);
}

function readState(line: string): GameState {
    const state = initialState();
    for (const part of line.split('，')) {
        const [, path = '', value = ''] = /^([^=]+)=(.+)$/.exec(part) ?? [];
        const [field = '', name = ''] = path.split('.');
        const [, day, hour, minute] = /^第(\d+)天 (\d+):(\d+)$/.exec(value) ?? [];
        if (field === '地点') state.location = value;
        else if (field === '时间') state.time = { day: Number(day), hour: Number(hour), minute: Number(minute) };
        else if (field === '物品') state.inventory[name] = Number(value);
        else if (field === '关系') state.relationships[name] = Number(value);
        else if (field === '标记') state.flags[name] = JSON.parse(value);
        else if (field === '任务' && value === 'active') state.quests[name] = { status: 'active' };
        else throw new Error(`unknown state: ${part}`);
    }
    return state;
}

/** What a `turn` fence starts from, and what it says happens. */
function readTurn(text: string): { context: DecideContext; expected: string[] } {
    const changes: Partial<DecideContext> = {};
    const config = { ...makeContext().config };
    const texts: string[] = [];
    const expected: string[] = [];
    for (const line of text.split('\n')) {
        if (/^[✓✗!] /.test(line)) {
            expected.push(line);
            continue;
        }
        const [, name, value = ''] = /^(你|之前|状态|设置|已有)：(.+)$/.exec(line) ?? [];
        if (name === '你' || name === '之前') texts.push(value);
        else if (name === '状态') changes.state = readState(value);
        else if (name === '已有') changes.replyCount = Number.parseInt(value, 10);
        else if (name === '设置') {
            const [, key = '', setting = ''] = /^worldbook\.(\w+)=(.+)$/.exec(value) ?? [];
            expect(Object.keys(config)).toContain(key);
            Object.assign(config, { [key]: /^[\d.]+$/.test(setting) ? Number(setting) : setting });
        } else throw new Error(`not understood: ${line}`);
    }
    const state = changes.state ?? initialState();
    return { context: makeContext({ ...changes, config, texts, state, alwaysScanned: [stateSummaryText(state, 'zh')] }), expected };
}

const audienceNames: Record<Decision['audience'], string> = { all: '', planner: '（仅规划）', writer: '（仅写作）' };

function whatHappens(data: unknown, context: DecideContext): string[] {
    const index = buildIndex(readBook({ name: bookName, origin: 'character', shape: 'world', data }).entries);
    const snapshot = decide(index, context);
    const planner = routeEntries(snapshot, index, 'planner', context.substitute);
    const writer = routeEntries(snapshot, index, 'writer', context.substitute);
    const lines: string[] = [];
    for (const section of ['worldinfo1', 'worldinfo2', 'worldinfo3'] as const) {
        const inside = snapshot.decisions.filter((decision) => decision.section === section);
        if (inside.length > 0) lines.push(`✓ ${section}：${inside.map((decision) => decision.title + audienceNames[decision.audience]).join('、')}`);
        // What the section says is what the agents get.
        for (const [who, routed] of [['planner', planner], ['writer', writer]] as const) {
            expect(routed[section]).toHaveLength(inside.filter((decision) => decision.audience === 'all' || decision.audience === who).length);
            for (const text of routed[section]) expect(text).not.toMatch(/^@@|\{\{outlet/m);
        }
    }
    const nested = snapshot.decisions.filter((decision) => decision.status === 'in' && decision.section === null);
    if (nested.length > 0) lines.push(`✓ 代入：${nested.map((decision) => decision.title).join('、')}`);
    const out = snapshot.decisions.filter((decision) => decision.status === 'out').sort((a, b) => (index.byId.get(a.entry)?.entry.uid ?? 0) - (index.byId.get(b.entry)?.entry.uid ?? 0));
    for (const decision of out) lines.push(`✗ ${decision.title}：${because(decision, zh) || zh(`reason.${decision.by}`)}`);
    for (const each of snapshot.notices) lines.push(`! ${zh(each.code, each.params)}`);
    return lines;
}

/** `#` stands for a number. */
const pattern = (line: string): RegExp => new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/#/g, '\\d+ ?')}$`);

const sections = `${routing}\n${directives}`.split(/^### /m).slice(1).filter((section) => section.includes('```turn'));

it('covers the chapters', () => {
    expect(sections.length).toBeGreaterThanOrEqual(11);
    expect(sections.flatMap((section) => fences(section, 'turn')).length).toBe([...tutorial.matchAll(/^```turn$/gm)].length);
    expect(sections.flatMap((section) => fences(section, 'entry')).length).toBe([...tutorial.matchAll(/^```entry$/gm)].length);
});

describe.each(sections.map((section) => [section.split('\n')[0] ?? '', section] as const))('%s', (_title, section) => {
    it.each(fences(section, 'turn').map((turn) => [turn.split('\n')[0] ?? '', turn] as const))('%s', (_line, turn) => {
        const { context, expected } = readTurn(turn);
        const actual = whatHappens(bookOf(section), context);
        expect(actual.length, actual.join('\n')).toBe(expected.length);
        actual.forEach((line, at) => expect(line).toMatch(pattern(expected[at] ?? '')));
    });
});

it('the table of positions is the code\'s', () => {
    const roles: Record<string, number[]> = { 系统: [0], '用户、助手': [1, 2], '—': [0, 1, 2] };
    const seen = new Set<number>();
    for (const [, numbers = '', role = '', section] of routing.matchAll(/^\| \S+（([\d、]+)） \| (\S+) \| `(worldinfo\d)` \|/gm)) {
        for (const position of numbers.split('、').map(Number)) {
            seen.add(position);
            for (const each of roles[role] ?? []) {
                expect(sectionOf({ constant: true, position, role: each })).toBe(section);
                expect(sectionOf({ constant: false, position, role: each })).toBe('worldinfo3');
            }
        }
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it('the table of directives names every directive, and each as written is understood', () => {
    const rows = [...directives.matchAll(/^\| `(@@[^`]+)` \|/gm)].map((match) => match[1] ?? '');
    expect(rows.map((row) => /^@@(\w+)/.exec(row)?.[1]).sort()).toEqual([...directiveNames].sort());
    const inline = [...directives.matchAll(/`(@@\w[^`]*)`/g)].map((match) => match[1] ?? '').filter((text) => rows.includes(text) || text.includes(' '));
    for (const text of inline) expect(parseDirectives(`${text}\n正文`, { book: bookName, title: text }), text).toMatchObject({ notices: [], content: '正文' });
});

describe('conditions', () => {
    it('of the table can be read', () => {
        const table = directives.slice(directives.indexOf('| 写法 |'), directives.indexOf('比较：'));
        const written = [...table.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
        expect(written.length).toBeGreaterThan(10);
        for (const text of written) expect(parseCondition(text), text).not.toBeNull();
    });
    const [stateLine = '', variablesLine = '', ...lines] = (fences(directives, 'when')[0] ?? '').split('\n');
    const world = { state: readState(stateLine.replace('状态：', '')), variables: JSON.parse(variablesLine.replace('变量：', '')) as unknown };
    it.each(lines)('%s', (line) => {
        const [source = '', expected] = line.split(' → ');
        const condition = parseCondition(source);
        expect(condition && evaluateCondition(condition, world).holds).toBe(expected === '成立');
    });
    it('are shown', () => expect(lines.length).toBeGreaterThan(10));
});
