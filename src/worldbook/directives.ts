import { notice, type Notice } from '../notice';
import { parseCondition, type Condition } from './condition';
import type { Audience } from './snapshot';

/** What the `@@` lines at the top of an entry's content ask for. */
export interface Directives {
    /** The host's own decorators. */
    activate: boolean;
    dontActivate: boolean;
    required: boolean;
    requires: string[];
    conflicts: string[];
    audience: Audience;
    /** All must hold. `null` stands for one that cannot be read: it never holds. */
    when: (Condition | null)[];
    priority: number;
    scanDepth: number | null;
    position: number | null;
    depth: number | null;
    role: number | null;
    /** Replies of the story so far. */
    onlyAfter: number | null;
    onlyEvery: number | null;
    keepAfterMatch: boolean;
    dontAfterMatch: boolean;
    additionalKeys: string[];
    excludeKeys: string[];
}

type Apply = (directives: Directives, value: string) => boolean;

const count = (value: string): number | null => (/^\d+$/.test(value) ? Number(value) : null);
const list = (value: string): string[] => value.split(/[,，]/).map((part) => part.trim()).filter((part) => part !== '');
const number = (field: 'scanDepth' | 'depth' | 'onlyAfter' | 'onlyEvery'): Apply => (directives, value) => {
    directives[field] = count(value);
    return directives[field] !== null;
};
const named = <F extends 'position' | 'role' | 'audience'>(field: F, names: Record<string, Directives[F]>): Apply => (directives, value) => {
    const found = names[value.toLowerCase()];
    if (found === undefined) return false;
    directives[field] = found;
    return true;
};
const many = (field: 'requires' | 'conflicts' | 'additionalKeys' | 'excludeKeys'): Apply => (directives, value) => {
    directives[field].push(...list(value));
    return value !== '';
};
const flag = (field: 'required' | 'keepAfterMatch' | 'dontAfterMatch'): Apply => (directives, value) => {
    directives[field] = value !== 'false';
    return true;
};
/** The host knows its own decorators only as whole lines: `@@activate true` does nothing there. */
const bare = (field: 'activate' | 'dontActivate'): Apply => (directives, value) => {
    directives[field] ||= value === '';
    return value === '';
};

const directiveTable: Record<string, Apply> = {
    // SillyTavern's own
    activate: bare('activate'),
    dont_activate: bare('dontActivate'),
    // this extension's
    required: flag('required'),
    requires: many('requires'),
    conflict: many('conflicts'),
    audience: named('audience', { planner: 'planner', planning: 'planner', 规划: 'planner', writer: 'writer', writing: 'writer', actor: 'writer', 写作: 'writer', all: 'all', 全部: 'all' }),
    when: (directives, value) => {
        const condition = parseCondition(value);
        directives.when.push(condition);
        return condition !== null;
    },
    priority: (directives, value) => {
        if (!/^[+-]?\d+(\.\d+)?$/.test(value)) return false;
        directives.priority = Number(value);
        return true;
    },
    scan_depth: number('scanDepth'),
    // character card V3
    depth: number('depth'),
    role: named('role', { system: 0, user: 1, assistant: 2 }),
    position: named('position', { before_desc: 0, after_desc: 1, before_char: 0, after_char: 1, at_depth: 4 }),
    activate_only_after: number('onlyAfter'),
    activate_only_every: number('onlyEvery'),
    keep_activate_after_match: flag('keepAfterMatch'),
    dont_activate_after_match: flag('dontAfterMatch'),
    additional_keys: many('additionalKeys'),
    exclude_keys: many('excludeKeys'),
    ignore_on_max_context: (directives) => {
        directives.priority = Math.min(directives.priority, -1000);
        return true;
    },
};

/** All that is understood, for whoever lists them. */
export const directiveNames: readonly string[] = Object.keys(directiveTable);

/** Decorators of the V3 specification that mean nothing in this pipeline: stripped, and told once. */
const meaningless = new Set(['instruct_depth', 'reverse_depth', 'reverse_instruct_depth', 'instruct_scan_depth', 'is_greeting', 'is_user_icon', 'disable_ui_prompt']);

/**
 * Splits the leading `@@` lines off an entry's content. All of them are stripped, as in the host, so one book works in both; `@@@name` is
 * looked at only where the directive above it is unknown (its fallback). Unknown or unreadable ones are told, never fatal.
 * Null directives: there were none.
 */
export function parseDirectives(content: string, entry: { book: string; title: string }): { directives: Directives | null; content: string; notices: Notice[] } {
    if (!content.startsWith('@@')) return { directives: null, content, notices: [] };
    const directives: Directives = {
        activate: false, dontActivate: false, required: false, requires: [], conflicts: [], audience: 'all', when: [], priority: 0, scanDepth: null, position: null,
        depth: null, role: null, onlyAfter: null, onlyEvery: null, keepAfterMatch: false, dontAfterMatch: false, additionalKeys: [], excludeKeys: [],
    };
    const notices: Notice[] = [];
    const lines = content.split('\n');
    let index = 0;
    let lastUnknown = false;
    for (; index < lines.length; index++) {
        const line = (lines[index] ?? '').trimEnd();
        if (!line.startsWith('@@')) break;
        const fallback = line.startsWith('@@@');
        if (fallback && !lastUnknown) continue;
        const parts = /^@{2,3}([\w-]+)\s*[:：]?\s*([\s\S]*)$/.exec(line);
        const name = (parts?.[1] ?? '').toLowerCase().replaceAll('-', '_');
        const value = (parts?.[2] ?? '').trim();
        const apply = Object.hasOwn(directiveTable, name) ? directiveTable[name] : undefined;
        lastUnknown = apply === undefined;
        if (apply === undefined) {
            const code = meaningless.has(name) ? 'worldbook.directive-ignored' : 'worldbook.unknown-directive';
            notices.push(notice(meaningless.has(name) ? 'info' : 'warning', code, { ...entry, line }));
        } else if (!apply(directives, value)) {
            notices.push(notice('warning', name === 'when' ? 'worldbook.unreadable-condition' : 'worldbook.unreadable-directive', { ...entry, line }));
        }
    }
    return { directives, content: lines.slice(index).join('\n'), notices };
}
