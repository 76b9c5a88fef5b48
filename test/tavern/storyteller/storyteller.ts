import type { AgentKind } from './agent';
import { readIntent } from './intent';
import { block, promptText, textOf, type ChatRequest } from './request';
import type { Answer, LoggedRequest } from './server';
import { readEvents, tell, type StoryEvent } from './story';

/** The player's newest line: what the prompt says it is, else the last user message. */
function userLine(request: ChatRequest, text: string): string {
    const tagged = block(text, 'user_input');
    if (tagged) return tagged;
    const last = [...request.messages].reverse().find((message) => message.role === 'user');
    return last ? textOf(last).slice(-400) : '';
}

/** How many turns the prompt knows of: summaries, or messages of the model. */
function turnOf(request: ChatRequest, text: string): number {
    const summaries = text.match(/\[第\d+(?:-\d+)?轮\]|\[Turn \d+\]/g)?.length ?? 0;
    return Math.max(summaries, text.match(/\[轮\d+\]/g)?.length ?? 0, request.messages.filter((message) => message.role === 'assistant').length);
}

function outcome(text: string): boolean | null {
    const results = block(text, 'tool_results');
    if (!results) return null;
    if (/失败|fail/i.test(results)) return false;
    return /成功|success/i.test(results) ? true : null;
}

const npcOf = (text: string): string => (/沈眠|[\u3400-\u9fff]/.test(text) ? '沈眠' : 'The watchman');

function write(request: ChatRequest): string {
    const text = promptText(request);
    const line = userLine(request, text);
    // Without the tags of an agent the whole system prompt is where lore may be.
    const lore = [block(text, 'worldinfo3'), block(text, 'worldinfo2')].join('\n') || promptText(request, 'system');
    return tell({ userLine: line, lore, success: outcome(text), npc: readIntent(line).language === 'zh' ? npcOf(text) : 'Shen', turn: turnOf(request, text) });
}

function plan(request: ChatRequest): string {
    const text = promptText(request);
    const line = userLine(request, text);
    const intent = readIntent(line);
    const turn = turnOf(request, text);
    const calls: { tool: string; params: Record<string, unknown> }[] = [];
    if (text.includes('roll_dice') && (intent.risky || turn % 3 === 1)) {
        const mode = intent.give ? 'advantage' : intent.unfriendly ? 'disadvantage' : 'normal';
        calls.push({ tool: 'roll_dice', params: { expr: '1d20+3', mode, dc: intent.unfriendly ? 15 : 12, reason: intent.give ? '交涉' : (/说服|威胁|骗|劝|潜行|撬|攀|搜|打听/.exec(line)?.[0] ?? (intent.goTo ? '夜行' : '应对')) } });
    }
    const summaries = [...text.matchAll(/\[第(\d+)轮\]/g)].map((match) => Number(match[1]));
    return JSON.stringify({
        narrative_direction: `承接玩家的话「${line.slice(0, 60)}」：先写环境的一个细节，再写沈眠的反应。若有检定，依检定结果决定走向：成功则让出一步，但不破北塔的规矩；失败则提高代价，而不堵死道路。结尾留一个可以回应的动作，不替玩家作答。`,
        scene_setting: intent.goTo ? `${intent.goTo}，深夜，有雾` : '北塔门前，午夜将近，有雾',
        key_points: [intent.give ? `沈眠验看${intent.give}` : '沈眠的反应', intent.goTo ? `抵达${intent.goTo}` : '守住门禁的规矩', '留下可回应的结尾'],
        tone: intent.unfriendly ? '紧张' : '克制',
        pacing: intent.risky ? '快' : '中',
        continuity_notes: ['铜钥匙上刻着半只海鸟', '门禁在午夜生效'],
        tool_calls: calls,
        text_recall: /【原文召回】|\[Text recall\]/.test(text) && summaries.length > 2 ? summaries.slice(0, 1) : [],
    }, null, 2);
}

/** What happened, in a line. A thing that was handed over at once is told once. */
function inWords(events: StoryEvent[]): string {
    const given = new Set(events.filter((event) => event.type === 'remove_item').map((event) => event.params.item));
    if (events.some((event) => event.type === 'set_flag')) return '旧王忌日的深夜，旅人带着铜钥匙来到北塔门前，守夜人沈眠拦下了他';
    const told = events.flatMap(({ type, params }) => {
        switch (type) {
            case 'pass_time': return [`过了${params.amount}分钟`];
            case 'move': return [`旅人到了${params.location}`];
            case 'add_item': return given.has(params.item) ? [] : [`得到${params.item}`];
            case 'remove_item': return [`交出${params.item}`];
            case 'modify_relationship': return [Number(params.delta) > 0 ? `${params.npc}的态度缓和` : `${params.npc}起了戒心`];
            case 'start_quest': return [`立下任务「${params.quest_id}」`];
            case 'advance_quest': return [`「${params.quest_id}」：${params.stage}`];
            default: return [];
        }
    });
    return told.join('；') || '故事继续';
}

/** The narrative and the state inside the analysing agent's prompt. */
function analyse(request: ChatRequest): string {
    const text = promptText(request, 'user') || promptText(request);
    const tagged = block(text, 'narrative_text') || block(text, 'narrative') || block(text, 'current_turn');
    const story = tagged || text;
    const state = block(text, 'state_summary') || text.replace(story, '');
    const intent = readIntent(block(text, 'user_input') || (/(?:用户|玩家)[^：:\n]{0,8}[：:]\s*(.+)/.exec(text)?.[1] ?? ''));
    // The demo's greeting is the author's prose, not the storyteller's: what it tells is known here.
    const opening: StoryEvent[] = story.includes('离午夜还有三刻钟')
        ? [{ type: 'move', params: { location: '北塔门前' } }, { type: 'add_item', params: { item: '铜钥匙', quantity: 1 } }, { type: 'pass_time', params: { amount: 23 * 60 + 15, unit: 'minutes' } }, { type: 'set_flag', params: { flag: '宵禁', value: true } }]
        : [];
    const events = [...opening, ...readEvents(story, state)];
    return JSON.stringify({ events, summary_entries: [`用户意图：${intent.line.replace(/[。！]$/, '').slice(0, 40) || '（开场）'} | 叙事要点：${inWords(events)}`] }, null, 2);
}

function patch(request: ChatRequest): string {
    const text = promptText(request);
    const story = block(text, 'narrative_text') || promptText(request, 'user');
    const patches: Record<string, unknown>[] = [];
    for (const event of readEvents(story, '')) {
        if (event.type === 'move') patches.push({ op: 'replace', path: '/世界/当前地点', value: event.params.location });
        if (event.type === 'add_item') patches.push({ op: 'insert', path: '/主角/行囊/-', value: event.params.item });
        if (event.type === 'pass_time') patches.push({ op: 'delta', path: '/主角/体力', value: Number(event.params.amount) > 15 ? -8 : -2 });
        if (event.type === 'modify_relationship' && Number(event.params.delta) < 0) patches.push({ op: 'delta', path: '/世界/警戒', value: 1 });
    }
    return JSON.stringify({ patches });
}

function panel(request: ChatRequest): string {
    const text = promptText(request);
    const state = block(text, 'state_summary');
    const field = (pattern: RegExp, fallback: string): string => pattern.exec(state)?.[1]?.trim() ?? fallback;
    if (!/状态面板|state_panel/.test(text)) return '（无）';
    return `<state_panel>\n时间：${field(/时间[：:]\s*(.+)/, '深夜')}\n地点：${field(/(?:地点|位置)[：:]\s*(.+)/, '北塔')}\n携带：${field(/物品[：:]\s*(.+)/, '无')}\n处境：雾很重，离天亮还早\n</state_panel>`;
}

const faces: Record<AgentKind, (request: ChatRequest) => string> = {
    planning: plan, writing: write, mergedWriting: write, mergedAnalysis: analyse, mvuExtract: patch, tool: panel, chat: write,
    relay: () => '…',
    condense: (request) => `这一章里，${block(promptText(request), 'story_summary').replace(/\[第\d+轮\] 用户意图：|\s*\|\s*叙事要点：/g, '，').replace(/\s+/g, '').slice(0, 200)}。`,
};

/** Answers any agent of the pipeline, and a plain chat, with a small story made from the prompt alone. */
export function storyteller(request: LoggedRequest): Answer {
    return { text: faces[request.agent](request.body), delayMs: 120 };
}
