import type { PromptLanguage } from '../../prompt/prompt-input';
import type { PromptMessage } from '../../ports';
import type { Bilingual } from '../bilingual';

const system: Bilingual = {
    zh: `你是故事档案员。把若干轮的摘要压缩成一段章节概要，供以后的写作者查阅。
1. 按时间顺序，写清谁在哪里做了什么、结果如何。
2. 必须保留：人名、地名、物名、数字、承诺与约定、未了结的伏笔、人物关系的变化、用户角色做过的重要选择。
3. 可以舍去：过程的细枝末节、重复的信息、气氛描写。
4. 不添加摘要里没有的内容，不评价，不分条。
只输出章节概要正文，不加标题与编号。`,
    en: `You are the archivist of a story. Condense the summaries of several turns into one chapter outline for later writers.
1. In order of time: who did what, where, and how it ended.
2. Always keep: names of people, places and items, numbers, promises and agreements, open foreshadowing, changes in relationships, and the important choices of the user's character.
3. Leave out: minor steps, repetition, atmosphere.
4. Add nothing the summaries do not say; no judgement, no bullet points.
Output the outline's text only, without title or number.`,
};

/** Asks for one chapter in place of old summaries. `tokens` is about how long it may be. */
export function condensePrompt(summaries: readonly string[], tokens: number, language: PromptLanguage): PromptMessage[] {
    const length = Math.max(80, Math.round(tokens));
    const ask = language === 'zh' ? `请压缩成不超过约 ${length} 字的一段章节概要。` : `Condense them into one outline of at most about ${Math.round(length * 0.7)} words.`;
    return [
        { role: 'system', content: system[language] },
        { role: 'user', content: `<story_summary>\n${summaries.join('\n')}\n</story_summary>\n\n${ask}` },
    ];
}
