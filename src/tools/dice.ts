import { z } from 'zod';
import { diceLimits, diceModes, parseDice, readMode, type DiceError, type DiceGroup, type DiceMode } from './dice-notation';

/** One group as it fell. Each die is the chain of its rolls (one, unless it exploded); `dropped` are positions that do not count. */
const rolledGroupSchema = z.object({
    sign: z.union([z.literal(1), z.literal(-1)]),
    sides: z.number(),
    dice: z.array(z.array(z.number())),
    dropped: z.array(z.number()),
});
export type RolledGroup = z.infer<typeof rolledGroupSchema>;

/** One roll, every die of it; kept in ToolRun.detail. */
export const diceRollSchema = z.object({
    /** The dice alone, `1d20` for `1d20+2`. */
    expr: z.string(),
    mode: z.enum(diceModes),
    /** [count, sides] of each group. */
    dice: z.array(z.tuple([z.number(), z.number()])),
    modifier: z.number(),
    total: z.number(),
    dc: z.number().optional(),
    /** total ≥ dc; absent without a dc. */
    success: z.boolean().optional(),
    /** A d20 that alone decides showed 20 or 1, whatever the modifier: the players' "natural" 20 and 1. */
    critical: z.enum(['success', 'failure']).optional(),
    /** One, or two with (dis)advantage. */
    attempts: z.array(z.object({ sum: z.number(), groups: z.array(rolledGroupSchema) })),
    /** The attempt that counts. */
    used: z.number(),
    reason: z.string().optional(),
    success_branch: z.string().optional(),
    failure_branch: z.string().optional(),
});
export type DiceRoll = z.infer<typeof diceRollSchema>;

export type DiceResult = { ok: true; roll: DiceRoll } | { ok: false; error: DiceError };

/** A stream of numbers in [0, 1), as seedrandom gives. */
export type RandomStream = () => number;

/**
 * Rolls as the planning agent asked (seed: roll_dice): `expr`, `mode`, `dc`, and for the text `reason`, `success_branch`,
 * `failure_branch`. The same stream gives the same dice. What cannot be read is refused, never guessed.
 */
export function rollDice(params: Record<string, unknown>, stream: RandomStream): DiceResult {
    const refuse = (code: DiceError['code'], found: unknown): DiceResult => ({ ok: false, error: { code, found: String(found).slice(0, 60) } });
    const written = params['expr'] ?? params['expression'] ?? params['dice'] ?? params['notation'] ?? params['formula'];
    if (typeof written !== 'string' && typeof written !== 'number') return refuse('missing', '');
    const parsed = parseDice(String(written));
    if (!parsed.ok) return parsed;
    const { expression } = parsed;

    const askedMode = textOf(params['mode']);
    const readAsked = askedMode === '' ? null : readMode(askedMode);
    if (askedMode !== '' && readAsked === null) return refuse('mode', askedMode);
    const asked = readAsked === 'normal' ? undefined : readAsked ?? undefined;
    if (asked !== undefined && expression.mode !== undefined && asked !== expression.mode) return refuse('mode-twice', `${askedMode}, ${String(written)}`);
    const mode: DiceMode = asked ?? expression.mode ?? 'normal';

    const dc = readNumber(params['dc'], /^(?:dc)?\s*[:：]?\s*(-?\d+(?:\.\d+)?)$/i);
    if (dc === null) return refuse('dc', params['dc']);
    const extra = readNumber(params['modifier'], /^([+-]?\s*\d+)$/);
    if (extra === null || extra !== undefined && Math.abs(extra) > diceLimits.constant) return refuse('modifier', params['modifier']);
    // A planner that repeats the expression's own constant as `modifier` means it once.
    const modifier = expression.modifier + (extra === undefined || extra === expression.modifier ? 0 : extra);

    const attempts = Array.from({ length: mode === 'advantage' || mode === 'disadvantage' ? 2 : 1 }, () => {
        const groups = expression.groups.map((group) => rollGroup(group, mode === 'exploding', stream));
        return { sum: groups.reduce((sum, group) => sum + group.sign * groupSum(group), 0), groups };
    });
    const used = attempts.length === 2 && isSecondUsed(mode, attempts.map((attempt) => attempt.sum)) ? 1 : 0;
    const counted = attempts[used] ?? { sum: 0, groups: [] };
    const total = counted.sum + modifier;
    const critical = criticalOf(counted.groups);
    const optional = (key: 'reason' | 'success_branch' | 'failure_branch') => {
        const text = textOf(params[key]);
        return text === '' ? {} : { [key]: text.slice(0, 500) };
    };
    return {
        ok: true,
        roll: {
            expr: expression.text, mode, dice: expression.groups.map((group) => [group.count, group.sides]), modifier, total,
            ...(dc === undefined ? {} : { dc, success: total >= dc }),
            ...(critical === undefined ? {} : { critical }),
            attempts, used, ...optional('reason'), ...optional('success_branch'), ...optional('failure_branch'),
        },
    };
}

function isSecondUsed(mode: DiceMode, [first = 0, second = 0]: number[]): boolean {
    return mode === 'advantage' ? second > first : second < first;
}

function rollGroup(group: DiceGroup, explodes: boolean, stream: RandomStream): RolledGroup {
    const roll = () => Math.floor(stream() * group.sides) + 1;
    const dice = Array.from({ length: group.count }, () => {
        const chain = [roll()];
        while (explodes && chain.length <= diceLimits.depth && chain.at(-1) === group.sides) chain.push(roll());
        return chain;
    });
    return { sign: group.sign, sides: group.sides, dice, dropped: droppedOf(dice, group) };
}

function droppedOf(dice: number[][], group: DiceGroup): number[] {
    const { keep } = group;
    if (keep === undefined) return [];
    const order = dice.map((chain, position) => ({ value: sum(chain), position })).sort((a, b) => keep.which === 'highest' ? b.value - a.value : a.value - b.value);
    return order.slice(keep.count).map((die) => die.position).sort((a, b) => a - b);
}

function groupSum(group: RolledGroup): number {
    return sum(group.dice.filter((_, position) => !group.dropped.includes(position)).map(sum));
}

function sum(numbers: number[]): number {
    return numbers.reduce((total, number) => total + number, 0);
}

/** Natural 20 and 1: of the single d20 that counts. */
function criticalOf(groups: RolledGroup[]): DiceRoll['critical'] {
    const twenties = groups.filter((group) => group.sides === 20);
    const [group] = twenties;
    if (group === undefined || twenties.length > 1 || group.sign === -1) return undefined;
    const kept = group.dice.filter((_, position) => !group.dropped.includes(position));
    if (kept.length !== 1) return undefined;
    const natural = kept[0]?.[0];
    return natural === 20 ? 'success' : natural === 1 ? 'failure' : undefined;
}

function textOf(value: unknown): string {
    return typeof value === 'string' ? value.trim() : '';
}

/** A number or one written as text; undefined where none is given, null where it cannot be read. */
function readNumber(value: unknown, pattern: RegExp): number | undefined | null {
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value !== 'string') return null;
    const digits = pattern.exec(value.normalize('NFKC').replace(/\u2212/g, '-').trim())?.[1];
    return digits === undefined ? null : Number(digits.replace(/\s/g, ''));
}
