import type { Bilingual } from '../bilingual';
import { SHARED_ANALYSIS_PREFIX } from '../shared';

const task: Bilingual = {
    zh: `【任务一：事件提取】
把本轮叙事造成的状态变化写成 events，按发生的先后排列。没有变化就给空数组。只能使用以下十种类型与参数：
- move { "location": 地点 }：主角到了另一处。
- add_item { "item": 物品, "quantity": 正整数 }：主角得到物品。
- remove_item { "item": 物品, "quantity": 正整数 }：主角失去、用掉或交出物品；数量不超过当前持有。
- set_relationship { "npc": 人物, "value": -100 到 100 }：第一次确立与某人的关系值。
- modify_relationship { "npc": 人物, "delta": 增减值 }：关系变化；小事 1–5，重大 10–30。
- start_quest { "quest_id": 任务名, "stage": 当前阶段 }：接下或开始任务。
- advance_quest { "quest_id": 任务名, "stage": 新阶段 }：任务有进展。
- complete_quest { "quest_id": 任务名, "outcome": 结果 }：任务结束；失败时 outcome 写 "failed"。
- set_flag { "flag": 名称, "value": 值 }：其他需要记住的事实（文字、数字或 true/false）。
- pass_time { "amount": 正数, "unit": "minutes" | "hours" | "days" }：本轮经过的时间，总和只记一次；正文没有写明时按行动合理估计。
物品、人物、任务的名字与当前状态中的一致；quest_id 用当前状态里已有的任务名。

【任务二：摘要压缩】
把本轮压缩成一条摘要，放进 summary_entries。格式：[第N轮] 用户意图：… | 叙事要点：…
用户意图一句话；叙事要点写清谁做了什么、结果如何、留下什么伏笔或承诺，保留人名、地名、物名、数字，共 50–150 字。不写文采，不加评价，不重复已有摘要。

【输出格式】
{"events": [{"type": "move", "params": {"location": "地点"}}], "summary_entries": ["[第N轮] 用户意图：… | 叙事要点：…"]}`,
    en: `[Task 1: events]
Write the state changes that this turn's narrative caused as events, in the order they happened. No changes: an empty array. Only these ten types and parameters exist:
- move { "location": place }: the protagonist is somewhere else now.
- add_item { "item": item, "quantity": positive integer }: the protagonist gains items.
- remove_item { "item": item, "quantity": positive integer }: the protagonist loses, uses up or hands over items; never more than are owned.
- set_relationship { "npc": person, "value": -100 to 100 }: a relationship is established for the first time.
- modify_relationship { "npc": person, "delta": change }: a relationship changes; small matters 1–5, grave ones 10–30.
- start_quest { "quest_id": quest, "stage": present stage }: a quest is taken up.
- advance_quest { "quest_id": quest, "stage": new stage }: a quest moves on.
- complete_quest { "quest_id": quest, "outcome": outcome }: a quest ends; a failed one has the outcome "failed".
- set_flag { "flag": name, "value": value }: any other fact to remember (text, number or true/false).
- pass_time { "amount": positive number, "unit": "minutes" | "hours" | "days" }: time that passed this turn, once, in sum; where the text gives none, a fair estimate.
Names of items, people and quests are those of the current state; quest_id repeats the quest's name there.

[Task 2: summary]
Condense this turn into one entry of summary_entries, in the form: [第N轮] 用户意图：… | 叙事要点：… (N = the turn's number; keep these labels and write the rest in the story's language.)
The intent in one sentence; the points say who did what, how it ended, which foreshadowing or promises remain, with names, places, items and numbers, 40–90 words in all. No style, no judgement, nothing that earlier summaries already say.

[Output format]
{"events": [{"type": "move", "params": {"location": "place"}}], "summary_entries": ["[第N轮] 用户意图：… | 叙事要点：…"]}`,
};

/** Whole system prompt of the merged analysis (seed: MERGED_ANALYSIS_SYSTEM = shared principles + events + summary). */
export const MERGED_ANALYSIS_SYSTEM: Bilingual = {
    zh: `${SHARED_ANALYSIS_PREFIX.zh}\n\n${task.zh}`,
    en: `${SHARED_ANALYSIS_PREFIX.en}\n\n${task.en}`,
};

/** Added while `agents.mergedAnalysis.antiHallucination` is on (seed: 反幻觉标记). */
export const ANTI_HALLUCINATION: Bilingual = {
    zh: '【反幻觉】每写一个事件（pass_time 可以估计），先在正文中找到支持它的原句；找不到就不写。拿不准数量、地点或归属时，宁可不记。不要根据常识、设定或用户输入补出正文没有写的结果。',
    en: '[No invention] Before writing an event (pass_time may be estimated), find the sentence of the narrative that supports it; without one, leave it out. When an amount, a place or an owner is uncertain, record nothing. Never fill in, from common sense, lore or the user\'s input, an outcome that the narrative does not state.',
};

/** Heads and last line of the analysis user prompt; `{turn}` is replaced. */
export const ANALYSIS_INSTRUCTION: Bilingual = {
    zh: '请分析第 {turn} 轮：提取事件，并给出 [第{turn}轮] 的摘要，只输出 JSON。',
    en: 'Analyse turn {turn}: extract the events and give the summary of [第{turn}轮]. Output JSON only.',
};

/** The same for turn 0, where no user has spoken yet. */
export const GREETING_ANALYSIS_INSTRUCTION: Bilingual = {
    zh: '这是故事的开场（第 0 轮，用户尚未发言）。请提取开场已经确立的状态（地点、持有的物品、关系、任务），并给出 [第0轮] 的摘要，用户意图写「开场」，只输出 JSON。',
    en: 'This is how the story opens (turn 0; the user has not spoken yet). Extract the state it establishes (place, items owned, relationships, quests) and give the summary of [第0轮] with the intent "开场". Output JSON only.',
};
