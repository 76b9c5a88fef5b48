/** Hard caps: beyond them a roll is refused, whatever asks for it. */
export const diceLimits = { length: 200, terms: 20, dice: 100, sides: 10_000, constant: 1_000_000, depth: 10 } as const;

export const diceModes = ['normal', 'advantage', 'disadvantage', 'exploding'] as const;
export type DiceMode = (typeof diceModes)[number];

/** Which of a group's dice count. */
export interface Keep {
    which: 'highest' | 'lowest';
    count: number;
}

export interface DiceGroup {
    sign: 1 | -1;
    count: number;
    sides: number;
    keep?: Keep;
}

export interface DiceExpression {
    groups: DiceGroup[];
    /** Sum of the constants. */
    modifier: number;
    /** A mode said inside the expression: `1d20 优势`, `3d6!`. */
    mode?: DiceMode;
    /** The dice alone in plain notation: `1d20`, `4d6kh3`, `2d6-1d4`. */
    text: string;
}

/** Why a roll was refused. `found` and `limit` are for the message. */
export interface DiceError {
    code: 'missing' | 'too-long' | 'unexpected' | 'no-dice' | 'no-sides' | 'no-count' | 'too-many-dice' | 'too-many-sides' | 'too-many-terms' | 'too-large' | 'keep' | 'mode' | 'mode-twice' | 'dc' | 'modifier';
    found: string;
    limit?: number;
}

const modeWords: [RegExp, DiceMode][] = [
    [/(?:disadvantage|disadv|\bdis\b|劣势|劣勢)/i, 'disadvantage'],
    [/(?:advantage|\badv\b|优势|優勢)/i, 'advantage'],
    [/(?:exploding|explode|爆炸骰?)/i, 'exploding'],
    [/(?:normal|普通|正常)/i, 'normal'],
];

/** The mode a word means; null for one that means none. */
export function readMode(word: string): DiceMode | null {
    const found = modeWords.find(([pattern]) => new RegExp(`^(?:${pattern.source})$`, 'i').test(word.trim()));
    return found === undefined ? null : found[1];
}

/** Full-width letters and digits, Unicode minus signs and blanks in their plain form. */
function plain(text: string): string {
    return text.normalize('NFKC').replace(/[\u2010-\u2015\u2212\uFE58\uFE63]/g, '-').replace(/\s+/g, ' ').trim();
}

/**
 * Reads what players type: d20, 2d6+3-1, 3+2d6-1, 4d6kh3, 4d6kl1, 4d6dl1, d%, 3d6!, bonus dice (1d20+1d4), full-width and
 * Unicode signs, blanks around signs. All else is refused, never rounded to something near it.
 */
export function parseDice(written: string): { ok: true; expression: DiceExpression } | { ok: false; error: DiceError } {
    const refuse = (code: DiceError['code'], found: string, limit?: number) => ({ ok: false as const, error: { code, found, ...(limit === undefined ? {} : { limit }) } });
    if (written.length > diceLimits.length) return refuse('too-long', written.slice(0, 20), diceLimits.length);
    let text = plain(written);
    if (text === '') return refuse('missing', '');
    let mode: DiceMode | undefined;
    for (const [pattern, meaning] of modeWords) {
        if (!pattern.test(text)) continue;
        if (mode !== undefined) return refuse('mode-twice', written);
        mode = meaning;
        text = text.replace(pattern, ' ').replace(/[()（）,，]\s*[()（）,，]/g, ' ').trim();
    }

    const groups: DiceGroup[] = [];
    let modifier = 0;
    let terms = 0;
    const term = /\s*(?:([+-])\s*)?(?:(\d*)\s?d\s?(\d+|%)(?:\s?(kh|kl|dh|dl|k)\s?(\d*))?\s?(!?)|(\d+))(?![\d.]|\s?[d%])/iy;
    const doubleSign = /\s*\+\s*(?=-\s*[\dd])/iy;
    let at = 0;
    while (at < text.length) {
        doubleSign.lastIndex = at;
        if (terms > 0 && doubleSign.test(text)) at = doubleSign.lastIndex;
        term.lastIndex = at;
        const match = term.exec(text);
        if (match === null || terms > 0 && match[1] === undefined) return refuse('unexpected', text.slice(at, at + 20).trim());
        at = term.lastIndex;
        if (++terms > diceLimits.terms) return refuse('too-many-terms', written, diceLimits.terms);
        const [, sign, countText = '', sidesText, keepText, keepCount = '', bang, constant] = match;
        const factor = sign === '-' ? -1 : 1;
        if (constant !== undefined) {
            if (Number(constant) > diceLimits.constant) return refuse('too-large', constant, diceLimits.constant);
            modifier += factor * Number(constant);
            continue;
        }
        const count = countText === '' ? 1 : Number(countText);
        const sides = sidesText === '%' ? 100 : Number(sidesText);
        if (count < 1) return refuse('no-count', match[0].trim());
        if (sides < 1) return refuse('no-sides', match[0].trim());
        if (count > diceLimits.dice) return refuse('too-many-dice', match[0].trim(), diceLimits.dice);
        if (sides > diceLimits.sides) return refuse('too-many-sides', match[0].trim(), diceLimits.sides);
        const group: DiceGroup = { sign: factor, count, sides };
        if (keepText !== undefined) {
            const keep = readKeep(keepText.toLowerCase(), keepCount === '' ? 1 : Number(keepCount), count);
            if (keep === null) return refuse('keep', match[0].trim());
            group.keep = keep;
        }
        if (bang === '!') {
            if (mode !== undefined && mode !== 'exploding') return refuse('mode-twice', written);
            mode = 'exploding';
        }
        groups.push(group);
    }
    if (groups.length === 0) return refuse('no-dice', text);
    if (groups.reduce((sum, group) => sum + group.count, 0) > diceLimits.dice) return refuse('too-many-dice', text, diceLimits.dice);
    return { ok: true, expression: { groups, modifier, ...(mode === undefined ? {} : { mode }), text: groups.map(groupText).join('').replace(/^\+/, '') } };
}

/** `k`, `kh`, `kl` keep so many; `dl`, `dh` drop so many. */
function readKeep(kind: string, number: number, count: number): Keep | null {
    const drops = kind.startsWith('d');
    const kept = drops ? count - number : number;
    if (number < 1 || kept < 1 || kept > count) return null;
    return { which: kind === 'kl' || kind === 'dh' ? 'lowest' : 'highest', count: kept };
}

function groupText(group: DiceGroup): string {
    const keep = group.keep === undefined ? '' : `k${group.keep.which === 'highest' ? 'h' : 'l'}${group.keep.count}`;
    return `${group.sign === 1 ? '+' : '-'}${group.count}d${group.sides}${keep}`;
}
