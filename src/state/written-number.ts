/**
 * Reads numbers the way models write them: `5`, `"5"`, `"+5"`, `"1,000"`, `"３"`, `"3个"`, `"x3"`, `"三枚"`, `"1.5万"`.
 * Strict: what could mean two things (`"3-5"`, `"十几"`, `"若干"`, `"一百二"`, `"1e3"`) is not a number.
 */

const digits = '一二三四五六七八九';
const chineseNumeral = /^(?:零|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九][百千万]?|半)/;
const westernNumeral = /^([+-]?)(\d{1,3}(?:,\d{3})+(?!\d)|\d+)(\.\d+)?(万?)/;

const measureWord = /^(?:个|只|件|把|枚|块|瓶|张|本|条|根|支|枝|份|袋|颗|粒|包|盒|套|匹|头|名|位|柄|卷|片|朵|株|棵|串|壶|碗|杯|桶|箱|坛|斤|两|克|文|元|点|pcs|pieces?|units?|items?|x)(?![a-z])/i;

/** A number at the start of a text and what follows it. */
export interface LeadingNumber {
    number: number;
    rest: string;
}

/** Full-width forms and odd minus signs made plain. */
export function plainText(text: string): string {
    return text.normalize('NFKC').replace(/[−–]/g, '-').trim();
}

function chineseValue(text: string): number {
    if (text === '半') return 0.5;
    if (text === '零') return 0;
    const digit = (letter: string): number => (letter === '两' ? 2 : digits.indexOf(letter) + 1);
    const [head = '', tail] = text.split('十');
    if (tail !== undefined) return (head === '' ? 1 : digit(head)) * 10 + (tail === '' ? 0 : digit(tail));
    const power = { 百: 100, 千: 1_000, 万: 10_000 }[text.slice(1)] ?? 1;
    return digit(text.slice(0, 1)) * power;
}

/** Splits the number off the start of a plain text; null where there is none. */
export function leadingNumber(text: string): LeadingNumber | null {
    const western = westernNumeral.exec(text);
    if (western) {
        const [whole, sign = '', integer = '', fraction = '', tenThousand] = western;
        const size = Number(`${integer.replaceAll(',', '')}${fraction}`) * (tenThousand ? 10_000 : 1);
        return { number: sign === '-' ? -size : size, rest: text.slice(whole.length).trim() };
    }
    const chinese = chineseNumeral.exec(text)?.[0];
    return chinese === undefined ? null : { number: chineseValue(chinese), rest: text.slice(chinese.length).trim() };
}

/** Reads a number; `noun` is what is counted (`"3个火把"`). Null for everything that is not plainly one finite number. */
export function writtenNumber(value: unknown, noun = ''): number | null {
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value !== 'string' || value.length > 100) return null;
    const found = leadingNumber(plainText(value).replace(/^[x×]\s*(?=\d)/i, ''));
    if (!found || !Number.isFinite(found.number)) return null;
    const rest = found.rest.replace(measureWord, '').trim();
    return rest === '' || rest === noun ? found.number : null;
}
