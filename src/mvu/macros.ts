import { stringify } from 'yaml';
import { withoutHidden } from './flatten';
import { isObject } from './tree';

/** Where Tavern Helper keeps variables. `message` is the table of the last message that has one. */
export type VariableScope = 'message' | 'chat' | 'character' | 'preset' | 'global';

/** The whole table of a scope (for `message`: with `stat_data` in it), undefined where there is none. */
export type VariableLookup = (scope: VariableScope) => unknown;

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** What a lodash-like path names in a table, null where nothing is. The whole text counts as one key first. */
function resolve(table: unknown, rawPath: string): unknown {
    const path = rawPath.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
    let value: unknown = table;
    if (isObject(table) && Object.hasOwn(table, path)) value = table[path];
    else {
        for (const match of path.matchAll(/\[\s*(?:"([^"]*)"|'([^']*)'|([^\]]*))\s*\]|([^.[\]]+)/g)) {
            const key = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
            if ((isObject(value) || Array.isArray(value)) && Object.hasOwn(value, key)) value = (value as Record<string, unknown>)[key];
            else return null;
        }
    }
    return withoutHidden(value ?? null);
}

function isScope(text: string): text is VariableScope {
    return ['message', 'chat', 'character', 'preset', 'global'].includes(text);
}

/**
 * Resolves Tavern Helper's macros in a prompt text: `{{get_message_variable::stat_data.主角}}` as JSON (a text as it is),
 * `{{format_message_variable::…}}` as YAML indented to the macro's column, both for the scopes message, chat, character,
 * preset and global, without keys that start with `$`. A path that names nothing gives `null`, as there.
 */
export function resolveVariableMacros(text: string, lookup: VariableLookup): string {
    if (!/\{\{(?:get|format)_\w+_variable::/i.test(text)) return text;
    const tables = new Map<VariableScope, unknown>();
    const valueOf = (scopeText: string, path: string): unknown => {
        const scope = scopeText.toLowerCase();
        if (!isScope(scope)) return null;
        if (!tables.has(scope)) tables.set(scope, lookup(scope));
        return resolve(tables.get(scope), path);
    };
    const plain = text.replace(/\{\{get_(message|chat|character|preset|global)_variable::(.*?)\}\}/gi, (_, scope: string, path: string) => {
        const value = valueOf(scope, path);
        return typeof value === 'string' ? value : JSON.stringify(value);
    });
    return plain.split('\n').map((line) => {
        let out = '';
        let rest = line;
        for (let match = null; (match = /\{\{format_(message|chat|character|preset|global)_variable::(.*?)\}\}/i.exec(rest));) {
            out += rest.slice(0, match.index);
            rest = rest.slice(match.index + match[0].length);
            const value = valueOf(match[1] ?? '', match[2] ?? '');
            const column = out.length - (out.lastIndexOf('\n') + 1);
            const shown = typeof value === 'string' ? value : stringify(value, { blockQuote: 'literal' }).trimEnd();
            out += shown.replaceAll('\n', `\n${' '.repeat(column)}`);
        }
        return out + rest;
    }).join('\n');
}
