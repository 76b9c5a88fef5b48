/** A sentence in both languages; `{name}` stands for a parameter. */
export interface Text {
    zh: string;
    en: string;
}

export type TextTable = Record<string, Text>;
export type TextParams = Record<string, string | number | boolean | undefined>;
export type Language = 'zh' | 'en';

/** Turns a code and its parameters into a sentence. */
export type Translate = (code: string, params?: TextParams) => string;

// Every file of this folder that exports a `…Texts` table takes part: a room adds its sentences by adding its file.
const modules = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./index.ts'], { eager: true });

/** All tables by file name, for the check that no code is missing a language. */
export const textTables: Record<string, TextTable> = {};
const texts: TextTable = {};
for (const [file, exports] of Object.entries(modules)) {
    for (const [name, table] of Object.entries(exports)) {
        if (!name.endsWith('Texts')) continue;
        textTables[file] = { ...textTables[file], ...(table as TextTable) };
        Object.assign(texts, table);
    }
}

/** Any Chinese locale (zh-cn, zh-tw, zh) reads Chinese, all others English. */
export function languageOf(locale: string): Language {
    return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** Whether a sentence exists for the code. */
export function hasText(code: string): boolean {
    return Object.hasOwn(texts, code);
}

/** The sentence of a code. An unknown code is shown with its parameters, so that nothing that happened stays unsaid. */
export function translate(code: string, params: TextParams = {}, locale = 'en'): string {
    const text = hasText(code) ? texts[code] : undefined;
    if (!text) {
        const facts = Object.entries(params).map(([key, value]) => `${key}: ${String(value)}`).join(', ');
        return facts === '' ? code : `${code} (${facts})`;
    }
    return text[languageOf(locale)].replace(/\{(\w+)\}/g, (whole, name: string) => {
        const value = params[name];
        if (value === undefined) return whole;
        // What went wrong in technical words, and the code of a sentence that says it.
        const { reason } = params;
        if (name === 'detail' && typeof reason === 'string' && hasText(reason)) return translate(reason, { detail: value }, locale);
        return wordOf(name, String(value), locale);
    });
}

/** Parameters that are names of the code's own read as words: who called, which field of the state, how a quest stands. */
function wordOf(name: string, value: string, locale: string): string {
    if (name === 'purpose') return purposeName(value, locale);
    const code = name === 'field' ? `state.field.${value}` : name === 'status' ? `ui.quest.${value}` : '';
    return hasText(code) ? translate(code, {}, locale) : value;
}

/** Who made a model call, in words: `规划`, or the tool's name for `tool:<name>`. */
export function purposeName(purpose: string, locale: string): string {
    if (purpose.startsWith('tool:')) return translate('ui.calls.tool', { name: purpose.slice(5) }, locale);
    return hasText(`ui.purpose.${purpose}`) ? translate(`ui.purpose.${purpose}`, {}, locale) : purpose;
}
