import { parseDocument } from 'yaml';
import { parseLooseJson, plainPunctuation } from './loose-json';
import { isContainer, isObject, type VariableTree } from './tree';

/** The text inside an `<initvar>` wrapper and a code fence, where there are any. */
export function unwrapInitvar(text: string): string {
    let body = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n').trim();
    body = /^<initvar>([\s\S]*)<\/initvar>$/i.exec(body)?.[1] ?? body;
    body = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\1\s*$/.exec(body)?.[2] ?? body;
    // Only the blank lines go: the first line's indentation is part of the text.
    return body.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

/** Indentation by tabs or full-width blanks, which YAML refuses, as spaces. */
function plainIndentation(text: string): string {
    return text.replace(/^[ \t\u3000\u00A0]+/gm, (blank) => blank.replaceAll('\t', '  ').replaceAll('\u3000', '  ').replaceAll('\u00A0', ' '));
}

/**
 * Lines like `生命值：100` as `生命值: 100`: the first full-width colon of a line that has no ASCII one is the separator.
 * A key is short and no sentence. Block texts (`|`, `>`), list items and quoted lines are left alone.
 */
function plainColons(text: string): string {
    let block = -1;
    return text.split('\n').map((line) => {
        const indent = line.search(/\S/);
        if (block >= 0 && (indent < 0 || indent > block)) return line;
        block = /(?:^|[\s:：])[|>][+-]?\d*\s*$/.test(line) ? indent : -1;
        if (/[:：]\s*\{.*：/.test(line)) return plainPunctuation(line).replace(/^(\s*[^:]+:)(?=\S)/, '$1 ');
        if (/^\s*(?:#|["'{[]|- )/.test(line) || /:(?:\s|$)/.test(line)) return line;
        return line.replace(/^(\s*[^：。，！？；]{1,24}?)\s*：[ \t\u3000]*/, '$1: ').trimEnd();
    }).join('\n');
}

function parseYaml(text: string): unknown {
    try {
        const document = parseDocument(text, { stringKeys: true, uniqueKeys: false, merge: true, logLevel: 'error', prettyErrors: false });
        // A document with errors may be half read: that is worse than not read.
        return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 }) as unknown;
    } catch (error) {
        if (!(error instanceof Error)) throw error;
        return undefined;
    }
}

/** Macros left over as bare values (`称呼: {{user}}`), quoted so that YAML and JSON take them for texts. */
function quoteMacros(text: string): string {
    return text
        .replace(/^(\s*)(\{\{[^\n{}]*\}\})(?=\s*:(?:\s|$))/gm, (_, head: string, key: string) => `${head}${JSON.stringify(key)}`)
        .replace(/^(\s*(?:-\s+)*(?:[^\s"'{[#][^\n]*?:\s+)?)(\{\{[^\n]*\}\}[^\n"']*)$/gm, (_, head: string, value: string) => `${head}${JSON.stringify(value.trimEnd())}`)
        .replace(/([:,[]\s*)(\{\{[^{}\n]*\}\})(?=\s*[,}\]]|\s*$)/gm, (_, head: string, value: string) => `${head}${JSON.stringify(value)}`);
}

/** Values a person writes bare and YAML reserves (`@某人`, `*星*`, `[待定] 无`, `城: 西`), quoted. */
function quoteReserved(text: string): string {
    return text.replace(/^(\s*(?:- )*[^\s:"'{[#-][^:\n]*:[ \t]+)((?:[@`%!*&]|\[[^\]\n]*\][ \t]*[^\s,#]|[^\s"'[{#|>][^\n]*:[ \t])[^\n]*)$/gm, (_, head: string, value: string) => `${head}${JSON.stringify(value.trimEnd())}`);
}

/** The texts a tree may be in: the whole, a fence inside prose, an object with prose after it. */
function readings(body: string): string[] {
    const fence = /(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n[ \t]*\1/.exec(body)?.[2];
    const object = /^\s*\{(?!\{)[\s\S]*\}/.exec(body)?.[0];
    return [body, quoteMacros(body), quoteReserved(body), quoteReserved(quoteMacros(body)), ...(fence === undefined ? [] : [fence]), ...(object === undefined || object === body ? [] : [object])];
}

/** JSON typed with an input method's full-width brackets, and with its quotes where the keys have them. */
function plainBrackets(text: string): string {
    if (!/^\s*[｛［]/.test(text)) return text;
    const narrow = text.replace(/[｛｝［］]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
    return /[{,，]\s*“/.test(narrow) ? narrow.replace(/[“”]/g, '"') : narrow;
}

const deepest = 200;

/** Nested beyond any real tree, and beyond what those who walk it can bear. */
function isTooDeep(value: unknown): boolean {
    let level: unknown[] = [value];
    for (let depth = 0; level.length > 0; depth += 1) {
        if (depth > deepest) return true;
        level = level.flatMap((each) => (isContainer(each) ? Object.values(each) : []));
    }
    return false;
}

function parseOnce(written: string): unknown {
    const text = plainBrackets(written);
    if (/^\s*[{[]/.test(text) && !/^\s*\{\{/.test(text)) {
        const value = parseLooseJson(text);
        return isObject(value) ? value : parseYaml(text);
    }
    return parseYaml(plainColons(plainIndentation(text)));
}

/**
 * A tree from the text of an [initvar] entry (seed: parseTextToVariables): JSON, JSON5 and damaged JSON, else YAML, indented
 * by spaces or tabs, with ASCII or full-width colons. Null where the text is no tree: prose, a list, a half-readable YAML.
 */
export function parseTextToVariables(text: string): VariableTree | null {
    for (const attempt of readings(unwrapInitvar(text))) {
        const value = parseOnce(attempt);
        if (isObject(value)) return isTooDeep(value) ? null : value;
    }
    return null;
}
