import type { PromptLanguage } from '../prompt/prompt-input';
import type { DiceRoll, RolledGroup } from './dice';
import type { DiceError } from './dice-notation';

/** Prompt text: how a roll and a refused roll read to the writing agent. */
const words = {
    zh: {
        check: '检定结果', colon: '：', success: '成功', failure: '失败', natural: '天然', great: { success: '大成功', failure: '大失败' },
        higher: '取高', lower: '取低', mode: { advantage: '优势', disadvantage: '劣势', exploding: '爆炸' }, onSuccess: '成功走向：', onFailure: '失败走向：', open: '（', close: '）', comma: '，',
    },
    en: {
        check: 'Check result', colon: ': ', success: 'success', failure: 'failure', natural: 'natural ', great: { success: 'critical success', failure: 'critical failure' },
        higher: ' the higher counts', lower: ' the lower counts', mode: { advantage: 'advantage', disadvantage: 'disadvantage', exploding: 'exploding' }, onSuccess: 'On success: ', onFailure: 'On failure: ', open: ' (', close: ')', comma: ', ',
    },
} as const;

/**
 * The seed's form, `检定结果：1d20 = [15]+2 = 17 (DC 12) → 成功`; with advantage both throws, dropped dice in round
 * brackets, an exploded die's rolls joined by `!`. Below it the branch the planner gave for this outcome, or both where
 * there is no dc to tell.
 */
export function diceText(roll: DiceRoll, language: PromptLanguage): string {
    const say = words[language];
    const used = roll.attempts[roll.used];
    const reason = roll.reason === undefined ? '' : `${say.open}${roll.reason}${say.close}`;
    const note = roll.mode === 'normal' ? '' : `${say.open}${modeText(roll, language)}${say.close}`;
    const constant = roll.modifier === 0 ? '' : roll.modifier > 0 ? `+${roll.modifier}` : String(roll.modifier);
    const dc = roll.dc === undefined ? '' : ` (DC ${roll.dc})`;
    const lines = [`${say.check}${reason}${say.colon}${roll.expr}${note} = ${groupsText(used?.groups ?? [])}${constant} = ${roll.total}${dc}${outcomeText(roll, language)}`];
    if (roll.success !== false && roll.success_branch !== undefined) lines.push(say.onSuccess + roll.success_branch);
    if (roll.success !== true && roll.failure_branch !== undefined) lines.push(say.onFailure + roll.failure_branch);
    return lines.join('\n');
}

function modeText(roll: DiceRoll, language: PromptLanguage): string {
    const say = words[language];
    if (roll.mode === 'normal') return '';
    const name = say.mode[roll.mode];
    if (roll.mode === 'exploding') return name;
    const throws = roll.attempts.map((attempt) => groupsText(attempt.groups)).join(language === 'zh' ? '、' : ', ');
    return `${name}${say.comma}${throws}${roll.mode === 'advantage' ? say.higher : say.lower}`;
}

/** `→ 成功`, `→ 成功（大成功）`; a natural 20 that still misses the dc says so. */
function outcomeText(roll: DiceRoll, language: PromptLanguage): string {
    const say = words[language];
    const critical = roll.critical === undefined ? '' : say.great[roll.critical];
    if (roll.success === undefined) return critical === '' ? '' : `${say.open}${critical}${say.close}`;
    const agrees = roll.critical === undefined || (roll.critical === 'success') === roll.success;
    const remark = agrees ? critical : `${say.natural}${roll.critical === 'success' ? 20 : 1}`;
    return ` → ${roll.success ? say.success : say.failure}${remark === '' ? '' : `${say.open}${remark}${say.close}`}`;
}

function groupsText(groups: RolledGroup[]): string {
    return groups.map((group, position) => {
        const dice = group.dice.map((chain, die) => {
            const text = chain.join('!');
            return group.dropped.includes(die) ? `(${text})` : text;
        });
        return `${group.sign === -1 ? '-' : position === 0 ? '' : '+'}[${dice.join(', ')}]`;
    }).join('');
}

/** Why a roll was refused, for the writing agent and the author. */
export function diceErrorText(error: DiceError, language: PromptLanguage): string {
    const { found, limit = 0 } = error;
    const zh: Record<DiceError['code'], string> = {
        'missing': '没有给出骰子表达式 expr，例如 1d20+2',
        'too-long': `骰子表达式超过 ${limit} 个字符`,
        'unexpected': `看不懂骰子表达式中的「${found}」，正确写法如 1d20+2、2d6+3-1、4d6kh3、d%`,
        'no-dice': `「${found}」里没有骰子，掷一枚骰子请写 1d20`,
        'no-sides': `「${found}」：没有 0 面的骰子`,
        'no-count': `「${found}」：骰子数量至少为 1`,
        'too-many-dice': `「${found}」：一次最多 ${limit} 枚骰子`,
        'too-many-sides': `「${found}」：骰子最多 ${limit} 面`,
        'too-many-terms': `骰子表达式最多 ${limit} 项`,
        'too-large': `「${found}」：修正值最大 ${limit}`,
        'keep': `「${found}」：保留或去掉的骰子数量不对`,
        'mode': `没有「${found}」这种掷骰模式，可用 normal、advantage、disadvantage、exploding`,
        'mode-twice': `「${found}」：给出了两种不同的掷骰模式`,
        'dc': `dc 应为数字，收到「${found}」`,
        'modifier': `modifier 应为整数，收到「${found}」`,
    };
    const en: Record<DiceError['code'], string> = {
        'missing': 'no dice notation in expr, e.g. 1d20+2',
        'too-long': `the dice notation is longer than ${limit} characters`,
        'unexpected': `cannot read "${found}" in the dice notation; write 1d20+2, 2d6+3-1, 4d6kh3, d%`,
        'no-dice': `there are no dice in "${found}"; one die is 1d20`,
        'no-sides': `"${found}": a die has at least one side`,
        'no-count': `"${found}": at least one die`,
        'too-many-dice': `"${found}": at most ${limit} dice`,
        'too-many-sides': `"${found}": at most ${limit} sides`,
        'too-many-terms': `at most ${limit} terms in the dice notation`,
        'too-large': `"${found}": a modifier is at most ${limit}`,
        'keep': `"${found}": a wrong number of dice to keep or drop`,
        'mode': `no such mode "${found}"; there are normal, advantage, disadvantage, exploding`,
        'mode-twice': `"${found}": two different modes`,
        'dc': `dc should be a number, got "${found}"`,
        'modifier': `modifier should be a whole number, got "${found}"`,
    };
    return (language === 'zh' ? zh : en)[error.code];
}
