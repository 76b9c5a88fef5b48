import { configSchema } from '../../../src/config';
import { notice } from '../../../src/notice';
import type { TurnRecord } from '../../../src/turn-record';
import type { EventRecord, GameState } from '../../../src/state/state';
import type { TurnFold } from '../../../src/state/fold-types';
import type { Turn } from '../../../src/text/turn';
import type { ToolDefinition } from '../../../src/tools/definition';
import type { AppView, TraceView } from '../../../src/ui/port';
import { buildIndex, type BookIndex } from '../../../src/worldbook/book-index';
import { readBook } from '../../../src/worldbook/read-book';
import type { CompactSnapshot, Decision, Snapshot } from '../../../src/worldbook/snapshot';

const book = '北塔世界设定';
const userLines = ['我把铜钥匙递给北塔守卫，请他开门。', '我退到井边，等到午夜。', '我问兰韦德，旧王室的徽记在哪里见过。', '我沿着矿洞往下走，点亮提灯。', '我用五枚银币买下那张海图。', '我悄悄跟上那个披灰斗篷的人。'];
const replyLines = ['守卫看了一眼铜钥匙，仍然摇头：“没有摄政官的手令，我不能放你进去。”雨从塔檐上滴下来，落在他肩头的铁片上。', '钟声敲过十一下，井里的水面忽然静了。你听见塔门背后有人低声争执。', '兰韦德把酒杯推远了些：“这个记号，我只在一艘沉船的龙骨上见过。”'];

const titles = ['叙事规则：第二人称，现在时', '世界基本规则', '死亡不能被魔法逆转', '兰韦德', '摄政官奥狄伦', '北境年表', '北塔门禁', '铜钥匙', '旧王室', '守卫的真名', '雨夜氛围', '当前天气', '[TOOL:roll_dice]', '[TOOL:calc_damage]', '[initvar] 初始变量'];
const indexes = new Map<number, BookIndex>();

/** The big book as the worldbook room reads it. */
function indexOf(entries: number): BookIndex {
    const known = indexes.get(entries);
    if (known) return known;
    const data = { entries: Object.fromEntries(Array.from({ length: entries }, (_, uid) => [uid, { uid, comment: titles[uid] ?? `条目 ${uid}`, key: [`词${uid}`], content: `${titles[uid] ?? `条目 ${uid}`}：北塔午夜后禁止开门；只有摄政官的书面命令可以解除禁令。` }])) };
    const index = buildIndex(readBook({ name: book, origin: 'card', shape: 'world', data }).entries);
    indexes.set(entries, index);
    return index;
}

function hashes(uid: number): string {
    return indexOf(2000).byId.get(`${book}#${uid}`)?.hash ?? '';
}

/** A decision for the n-th entry of the big book. */
function decision(number: number): Decision {
    const out = number > 14;
    const named: [string, Decision['by'], Record<string, string | number | boolean>, Decision['section'], Decision['audience'], number][] = [
        ['叙事规则：第二人称，现在时', 'constant', {}, 'worldinfo1', 'all', 182],
        ['世界基本规则', 'required', {}, 'worldinfo1', 'all', 96],
        ['死亡不能被魔法逆转', 'constant', {}, 'worldinfo1', 'all', 41],
        ['兰韦德', 'constant', {}, 'worldinfo2', 'all', 420],
        ['摄政官奥狄伦', 'constant', {}, 'worldinfo2', 'all', 377],
        ['北境年表', 'constant', {}, 'worldinfo2', 'all', 1240],
        ['北塔门禁', 'keyword', { key: '北塔', message: 1 }, 'worldinfo3', 'all', 64],
        ['铜钥匙', 'keyword', { key: '铜钥匙', message: 1 }, 'worldinfo3', 'all', 71],
        ['旧王室', 'recursion', { key: '旧王室', from: '铜钥匙' }, 'worldinfo3', 'all', 210],
        ['守卫的真名', 'keyword', { key: '守卫', message: 3 }, 'worldinfo3', 'planner', 58],
        ['雨夜氛围', 'sticky', { messages: 4 }, 'worldinfo3', 'writer', 88],
        ['当前天气', 'constant', {}, 'worldinfo3', 'writer', 33],
        ['[TOOL:roll_dice]', 'kind', { variant: 'tool' }, null, 'all', 0],
        ['[TOOL:calc_damage]', 'kind', { variant: 'tool' }, null, 'all', 0],
        ['[initvar] 初始变量', 'kind', { variant: 'initvar' }, null, 'all', 0],
    ];
    const one = named[number];
    if (one) {
        const [title, by, because, section, audience, tokens] = one;
        const kind = title.startsWith('[TOOL') ? 'tool' : title.startsWith('[initvar') ? 'initvar' : 'lore';
        return { entry: `${book}#${number}`, title, kind, status: 'in', by, because, tokens, section, audience, hash: hashes(number) };
    }
    const reasons: [Decision['by'], Record<string, string | number | boolean>][] = [
        ['no-keyword', {}], ['no-keyword', {}], ['no-keyword', {}], ['budget', { tokens: 812, used: 3860, budget: 4000 }], ['probability', { rolled: 83.2, probability: 50 }], ['group', { group: '遭遇', winner: '狼群' }],
        ['condition', { condition: '地点=北塔', actual: '南港' }], ['disabled', {}], ['cooldown', { messages: 6 }], ['secondary', { variant: 'and-all', key: '南港', secondary: '商船' }],
    ];
    const [by, because] = reasons[number % reasons.length] ?? ['no-keyword', {}];
    const names = ['南港航线', '群岛商会', '灰斗篷', '盐路驿站', '矿洞深处', '石像的誓言', '第三任摄政', '潮汐历法'];
    return { entry: `${book}#${number}`, title: `${names[number % names.length]} ${number}`, kind: 'lore', status: out ? 'out' : 'in', by, because, tokens: 0, section: null, audience: 'all', hash: hashes(number) };
}

function snapshot(entries: number): Snapshot {
    const decisions = Array.from({ length: entries }, (_, number) => decision(number));
    return { seed: 'chat:60:0', books: [book], decisions, counts: [entries, 14], timed: [], recall: { path: 'lexical', degraded: 'no-vectors' }, budget: { total: 4000, used: 2880, constants: 1359 }, notices: [notice('warning', 'worldbook.invalid-regex', { book, title: '石像的誓言 21', key: '/(誓言/' })] };
}

function compact(): CompactSnapshot {
    return {
        seed: 'chat:12:0',
        books: [book],
        decisions: [
            [0, 0, 1, 'constant', 182, 1, 0, hashes(0)],
            [0, 3, 1, 'constant', 420, 2, 0, hashes(3)],
            [0, 6, 1, 'keyword', 64, 3, 0, 'older', { key: '北塔', message: 1 }],
            [0, 18, 0, 'budget', 0, 0, 0, '', { tokens: 812, used: 3860, budget: 4000 }],
        ],
        counts: [2000, 3],
        timed: [],
        notices: [],
    };
}

function record(number: number, status: TurnRecord['status']): TurnRecord {
    return {
        v: 1, id: `turn-${number}`, swipe: 0, status, mode: number % 3 === 1 ? 'merged' : 'planning', delivery: 'stream', seed: `s${number}`, narrative: 'n', analysed: true, events: [],
        reason: status === 'incomplete' ? notice('warning', 'pipeline.analysis-failed', { message: 'HTTP 502' }) : undefined,
        corrections: number === 60 ? [{ type: 'set_item', params: { item: '银币', quantity: 7 } }] : [],
        tools: number === 60 ? [
            { name: 'roll_dice', trigger: 'planning', params: { expr: '1d20+2', dc: 15, mode: 'advantage' }, ok: true, output: '检定结果：1d20 = [17, 4]+2 = 19 (DC 15) → 成功', seed: 'chat:60:0:0', detail: { rolls: [17, 4], kept: 17, total: 19 }, ms: 1 },
            { name: 'calc_damage', trigger: 'planning', params: { base_damage: 8, armor: 'x' }, ok: false, error: 'TypeError: armor 不是数字', ms: 4 },
            { name: 'state_panel', trigger: 'post_pipeline', ok: true, length: 412, ms: 5230 },
        ] : [],
        snapshot: number === 12 ? compact() : undefined,
        variables: number === 60 ? [
            { op: 'replace', path: '/世界/当前地点', value: '北塔', ok: true },
            { op: 'delta', path: '/主角/信用点数', value: -200, ok: true },
            { op: 'insert', path: '/主角/改装仓库/-', value: '涡轮增压器V2', ok: false, reason: notice('warning', 'mvu.closed-array', { path: '/主角/改装仓库' }) },
        ] : undefined,
        calls: [
            { purpose: 'planning', ms: 8420, promptTokens: 6120, completionTokens: 640 },
            { purpose: 'writing', ms: 21_300, promptTokens: 5840, completionTokens: 910 },
            { purpose: 'mergedAnalysis', ms: 6150, promptTokens: 2210, completionTokens: 230, attempts: 2 },
        ],
        notices: [],
    };
}

function state(): GameState {
    const log: EventRecord[] = Array.from({ length: 60 }, (_, index) => ({ turn: index + 1, type: index % 5 === 0 ? 'move' : 'pass_time', params: index % 5 === 0 ? { location: '北塔' } : { amount: 20, unit: 'minute' }, accepted: true, by: 'analysis' }));
    return {
        time: { day: 3, hour: 23, minute: 40 }, location: '北塔 · 门廊', eventLog: [...log, ...lastEvents],
        inventory: { 铜钥匙: 1, 银币: 7, 提灯: 1, 灯油: 3, '发黄的海图（缺右下角）': 1, 干面包: 2 },
        relationships: { 兰韦德: 62, 北塔守卫: -15, 摄政官奥狄伦: -48, 灰斗篷: 5 },
        quests: { 进入北塔: { status: 'active', stage: '取得摄政官的书面命令' }, 沉船龙骨上的徽记: { status: 'active', stage: '向兰韦德打听' }, 送信给南港: { status: 'completed', outcome: '得到五枚银币' }, 拦下走私船: { status: 'failed', stage: '船已离港' } },
        flags: { 塔门已开: false, 守卫起疑: true, 通行口令: '潮落三更', 搜过的房间: ['门廊', '井房'] },
    };
}

const lastEvents: EventRecord[] = [
    { turn: 60, type: 'remove_item', params: { item: '铜钥匙', quantity: 2 }, accepted: false, reason: { code: 'state.not-enough', params: { item: '铜钥匙', owned: 1, quantity: 2 } }, by: 'analysis' },
    { turn: 60, type: 'modify_relationship', params: { npc: '北塔守卫', delta: -5 }, accepted: true, by: 'analysis' },
    { turn: 60, type: 'advance_quest', params: { quest_id: '进入北塔', stage: '取得摄政官的书面命令' }, accepted: true, by: 'analysis' },
    { turn: 60, type: 'pass_time', params: { amount: 40, unit: 'minute' }, accepted: true, by: 'analysis' },
    { turn: 60, type: 'set_item', params: { item: '银币', quantity: 7 }, accepted: true, by: 'user' },
];

function turnStatus(number: number): TurnFold['status'] {
    if (number === 58) return 'incomplete';
    if (number === 47) return 'stale';
    return number === 0 ? 'none' : 'complete';
}

const tools: ToolDefinition[] = [
    { name: 'roll_dice', type: 'code', trigger: 'planning', description: '掷骰检定', parameters: { type: 'object', properties: { expr: { type: 'string', description: '骰子表达式，如 1d20+5' }, mode: { type: 'string', enum: ['normal', 'advantage', 'disadvantage', 'exploding'], description: '掷骰模式' }, dc: { type: 'integer', description: '难度' } }, required: ['expr'] }, context: [], systemPrompt: '', source: 'builtin', title: 'roll_dice' },
    { name: 'calc_damage', type: 'code', trigger: 'planning', description: '计算最终伤害：基础伤害 - 护甲值，最低为 1', parameters: { type: 'object', properties: { base_damage: { type: 'number', description: '基础伤害值' }, armor: { type: 'number', description: '护甲值' }, critical: { type: 'boolean', description: '暴击' } }, required: ['base_damage'] }, context: [], systemPrompt: '', code: 'return Math.max(1, params.base_damage - (params.armor || 0));', source: `${book}#13`, title: '[TOOL:calc_damage]' },
    { name: 'state_panel', type: 'llm', trigger: 'post_pipeline', description: '生成状态面板', parameters: { type: 'object', properties: {} }, context: ['state_summary', 'narrative_text'], systemPrompt: '你负责生成状态面板。', outputTag: 'state_panel', tagLookback: 3, source: `${book}#16`, title: '[TOOL:state_panel]' },
];

/** A long game, everything filled in. */
export function sampleView({ turns: turnCount = 60, entries = 2000 } = {}): AppView {
    const turns: Turn[] = Array.from({ length: turnCount + 1 }, (_, number) => ({
        number,
        user: number === 0 ? '' : (userLines[number % userLines.length] ?? ''),
        userIndexes: number === 0 ? [] : [number * 2 - 1],
        replies: [{ index: number * 2, speaker: '北塔', narrative: replyLines[number % replyLines.length] ?? '', record: number === 0 ? null : record(number, number === 58 ? 'incomplete' : 'complete'), stale: number === 47, tagged: true }],
    }));
    const full = snapshot(entries);
    return {
        version: '0.1.0',
        config: configSchema.parse({ ui: { panelOpen: true }, pipeline: { enableTextRecall: true } }),
        configNotices: [notice('warning', 'config.broken-value', { path: 'pipeline.toolConcurrency' })],
        chatKey: '北塔/北塔 - 2026-01-01',
        fold: {
            state: state(),
            summaries: turns.slice(1).map(({ number }) => ({ from: number, to: number, text: `[第${number}轮] 用户意图：${(userLines[number % userLines.length] ?? '').slice(1, 12)} | 叙事要点：守卫拒绝放行，塔内传来争执声`, chapter: false })),
            turns: turns.map(({ number }) => ({
                number, replies: [number * 2], status: turnStatus(number), summary: null,
                events: number === turnCount ? lastEvents : [],
                changes: number !== turnCount ? [] : [
                    { path: 'time', before: { day: 3, hour: 23, minute: 0 }, after: { day: 3, hour: 23, minute: 40 } },
                    { path: 'relationships.北塔守卫', before: -10, after: -15 },
                    { path: 'quests.进入北塔', before: { status: 'active', stage: '说服守卫' }, after: { status: 'active', stage: '取得摄政官的书面命令' } },
                    { path: 'inventory.银币', before: 5, after: 7 },
                    { path: 'flags.守卫起疑', before: undefined, after: true },
                ],
            })),
        },
        turns,
        progress: { stage: 'analysis', startedAt: Date.now() - 6000, turnStartedAt: Date.now() - 38_000, stoppable: true },
        notices: [],
        worldbook: { snapshot: full, index: indexOf(entries), notices: [], loadedAt: Date.now() - 60_000 },
        tools: { registered: tools, faults: [notice('error', 'tools.json-unexpected', { entry: '[TOOL:weather]', line: 4, found: '}' })] },
        variables: {
            keeper: 'mvu',
            tree: { 主角: { 生命值: [86, '0 到 100'], 信用点数: 300, 改装仓库: ['基础扫描器', '维修工具包'] }, 世界: { 当前地点: '北塔', 天气: '雨', 据点: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`据点${index}`, { 等级: index % 5, 守军: index * 3 }])) } },
            initial: [{ entry: `${book}#14`, tree: { 主角: { 生命值: 100, 信用点数: 500 }, 世界: { 天气: '晴朗' } } }],
            notices: [],
        },
        oldData: { chats: 4, imported: true },
        profiles: [{ id: 'p1', name: 'deepseek-chat' }, { id: 'p2', name: '本地 Qwen 14B' }],
    };
}

/** What a trace store would give for the last turn. */
export function sampleTrace(turnId: string): TraceView {
    const text = (words: string, times: number) => words.repeat(times);
    return {
        turnId,
        calls: [
            {
                purpose: 'planning', ms: 8420, promptTokens: 6120, completionTokens: 640, reasoning: '用户想进塔。守卫需要手令……',
                output: '{\n  "narrative_direction": "守卫坚持规矩，但露出动摇",\n  "tool_calls": [{ "tool": "roll_dice", "params": { "expr": "1d20+2" } }]\n}',
                sections: [
                    { role: 'system', name: 'worldinfo1', text: text('世界基本规则。', 90) }, { role: 'system', name: 'engine', text: text('你是规划引擎。', 120) }, { role: 'system', name: 'tool_list', text: text('roll_dice：掷骰。', 20) },
                    { role: 'user', name: 'worldinfo2', text: text('兰韦德的来历。', 300) }, { role: 'user', name: 'story_summary', text: text('[第1轮] 用户意图：探路 | 叙事要点：守卫拒绝\n', 60) }, { role: 'user', name: 'recent_turns', text: text('用户: … | AI: …\n', 220) },
                    { role: 'user', name: 'worldinfo3', text: text('北塔午夜后禁止开门。', 40) }, { role: 'user', name: 'state_summary', text: '时间：第3天 23:00\n地点：北塔' }, { role: 'user', name: 'user_input', text: '我把铜钥匙递给北塔守卫，请他开门。' }, { role: 'user', name: 'instruction', text: '请生成写作指导。' },
                ],
            },
            { purpose: 'writing', ms: 21_300, promptTokens: 5840, completionTokens: 910, output: text('守卫看了一眼铜钥匙，仍然摇头。', 30), sections: [{ role: 'system', name: 'worldinfo1', text: text('世界基本规则。', 90) }, { role: 'user', name: 'worldinfo2', text: text('兰韦德的来历。', 300) }, { role: 'user', name: 'user_input', text: '我把铜钥匙递给北塔守卫，请他开门。' }] },
            { purpose: 'mergedAnalysis', ms: 6150, promptTokens: 2210, completionTokens: 230, output: '{"events":[', error: 'HTTP 502', sections: [{ role: 'user', name: 'instruction', text: '请提取事件。' }] },
        ],
    };
}
