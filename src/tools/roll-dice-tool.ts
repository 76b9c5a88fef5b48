import type { PromptLanguage } from '../prompt/prompt-input';
import type { JsonSchema } from '../ports';
import type { ToolDefinition } from './definition';

export const rollDiceName = 'roll_dice';

const descriptions: Record<PromptLanguage, Record<'tool' | 'expr' | 'mode' | 'dc' | 'reason' | 'success' | 'failure', string>> = {
    zh: {
        tool: '掷骰检定。结果由系统掷出，不可预先假定成败。',
        expr: '骰子表达式，如 1d20+5、2d6+3、4d6kh3、d%',
        mode: 'normal 普通；advantage 优势（掷两次取高）；disadvantage 劣势（掷两次取低）；exploding 爆炸（掷出最大值时追加）',
        dc: '难度等级，总值大于等于它为成功；不需要判定成败时省略',
        reason: '检定的事由，如 撬锁',
        success: '成功时剧情的走向',
        failure: '失败时剧情的走向',
    },
    en: {
        tool: 'Rolls dice for a check. The system rolls; never assume the outcome beforehand.',
        expr: 'Dice notation such as 1d20+5, 2d6+3, 4d6kh3, d%',
        mode: 'normal; advantage (rolled twice, the higher counts); disadvantage (the lower counts); exploding (a maximum rolls again)',
        dc: 'Difficulty class; a total of at least this is a success. Leave out where there is nothing to fail',
        reason: 'What the check is for, e.g. picking the lock',
        success: 'Where the story goes on success',
        failure: 'Where the story goes on failure',
    },
};

function parametersOf(language: PromptLanguage): JsonSchema {
    const say = descriptions[language];
    return {
        type: 'object',
        properties: {
            expr: { type: 'string', description: say.expr },
            mode: { type: 'string', enum: ['normal', 'advantage', 'disadvantage', 'exploding'], default: 'normal', description: say.mode },
            dc: { type: 'integer', description: say.dc },
            reason: { type: 'string', description: say.reason },
            success_branch: { type: 'string', description: say.success },
            failure_branch: { type: 'string', description: say.failure },
        },
        required: ['expr'],
    };
}

/** The built-in dice tool as the planning agent sees it when no entry says otherwise (seed: roll_dice). */
export function rollDiceTool(language: PromptLanguage = 'zh'): ToolDefinition {
    return {
        name: rollDiceName, type: 'code', trigger: 'planning', description: descriptions[language].tool, parameters: parametersOf(language),
        context: [], systemPrompt: '', source: 'builtin', title: rollDiceName,
    };
}

/** Whether a tool is the built-in one, declared by an entry or not. */
export function isRollDice(tool: Pick<ToolDefinition, 'name' | 'type' | 'code'>): boolean {
    return tool.name === rollDiceName && tool.type === 'code' && tool.code === undefined;
}
