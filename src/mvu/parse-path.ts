import type { Patch } from './patch';
import { hasPath, isContainer, sameValue, valueAt } from './tree';

/** A path as its keys, or null for a text that names no path. The empty path is the whole tree. */
function candidates(text: string): string[][] {
    const trimmed = text.trim().replace(/^#(?=\/)/, '').replace(/^\$(?=[./[]|$)/, '');
    const decode = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~');
    const body = trimmed.replace(/^\//, '').replace(/\/$/, '');
    if (body === '') return [[]];
    const slashed = body.split('/').map(decode);
    const found: string[][] = [];
    if (trimmed.startsWith('/') || body.includes('/')) {
        found.push(slashed, slashed.flatMap(dotted));
    } else {
        found.push(dotted(body));
    }
    return found;
}

/** Keys of a lodash-like path: `a.b[0]["c d"]`. */
function dotted(text: string): string[] {
    const keys: string[] = [];
    for (const match of text.matchAll(/\[\s*(?:"([^"]*)"|'([^']*)'|([^\]]*))\s*\]|"([^"]+)"|([^.[\]]+)/g)) {
        const key = match[1] ?? match[2] ?? match[3]?.trim() ?? match[4] ?? match[5] ?? '';
        if (key !== '') keys.push(key);
    }
    return keys;
}

/** How much of a path exists: 2 all of it, 1 its parent, 0 less. */
function fit(tree: unknown, path: string[]): number {
    if (hasPath(tree, path)) return 2;
    return path.length > 0 && isContainer(valueAt(tree, path.slice(0, -1))) ? 1 : 0;
}

/**
 * The keys a patch's path means in this tree. JSON pointers (`/a/b`, `~0` and `~1` decoded), the older dotted style
 * (`a.b[0]`), a `stat_data` prefix and a `$` root are all understood; where a text can be read in several ways, the reading
 * that exists in the tree wins, then the one whose parent exists.
 */
export function parsePath(text: string, tree: unknown): string[] {
    if (hasPath(tree, [text])) return [text];
    const readings = candidates(text).map((path) => (path[0] === 'stat_data' && !hasPath(tree, ['stat_data']) ? path.slice(1) : path));
    let best = readings[0] ?? [];
    let bestFit = -1;
    // `/世界.天气` fits as a new key of the root and as a key of 世界: the deeper reading is the one meant.
    for (const path of readings) {
        const score = fit(tree, path);
        if (score > bestFit || (score === bestFit && score === 1 && path.length > best.length)) {
            best = path;
            bestFit = score;
        }
    }
    return best;
}

/**
 * Where an operation acts. A removal may name a list's element by its value (`/行囊/绳子`, or `value` beside the list's path):
 * that is the element's index; -1 where the list has no such element.
 */
export function targetOf(patch: Patch, tree: unknown): string[] {
    const path = parsePath(patch.path, tree);
    if (patch.op !== 'remove') return path;
    const target = valueAt(tree, path);
    if (Array.isArray(target) && patch.value !== undefined && patch.value !== null) return [...path, String(target.findIndex((each) => sameValue(each, patch.value)))];
    const key = path.at(-1) ?? '';
    const parent = valueAt(tree, path.slice(0, -1));
    if (!Array.isArray(parent) || /^\d+$/.test(key)) return path;
    return [...path.slice(0, -1), String(parent.findIndex((each) => each === key))];
}

/** The path as a JSON pointer, for messages and the panel. */
export function pointerOf(path: readonly string[]): string {
    return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
