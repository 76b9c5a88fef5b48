import { notice, type Notice } from '../notice';
import type { PatchResult } from '../turn-record';
import { applyPatches, type ApplyOptions } from './apply-patches';
import type { PlannedPatch } from './mvu-dialect';
import { parsePath } from './parse-path';
import { isContainer, sameValue, valueAt, type VariableTree } from './tree';

/** Paths whose value an operation changes: the list itself where its elements shift. */
function touched(tree: VariableTree, planned: PlannedPatch): string[][] {
    const { patch } = planned;
    return [patch.path, ...(patch.from === undefined ? [] : [patch.from])].map((text) => {
        const path = parsePath(text, tree);
        return Array.isArray(valueAt(tree, path.slice(0, -1))) ? path.slice(0, -1) : path;
    });
}

function overlap(one: string[], other: string[]): boolean {
    const length = Math.min(one.length, other.length);
    return one.slice(0, length).every((key, index) => key === other[index]);
}

interface Group {
    planned: PlannedPatch[];
    paths: string[][];
}

/** Operations that cannot influence each other are judged apart. */
function groups(tree: VariableTree, planned: readonly PlannedPatch[]): Group[] {
    let found: Group[] = [];
    for (const each of planned) {
        const paths = touched(tree, each);
        const joined = found.filter((group) => group.paths.some((path) => paths.some((own) => overlap(path, own))));
        found = [
            ...found.filter((group) => !joined.includes(group)),
            { planned: [...joined.flatMap((group) => group.planned), each].sort((one, other) => one.position - other.position), paths: [...joined.flatMap((group) => group.paths), ...paths] },
        ];
    }
    return found;
}

function bits(mask: number): number {
    return mask === 0 ? 0 : (mask & 1) + bits(mask >> 1);
}

/** The largest choice of a group's operations that explains what is there now; null where none does. */
function accepted(before: VariableTree, after: VariableTree, group: Group, options: ApplyOptions): Set<PlannedPatch> | null {
    const size = group.planned.length;
    if (size > 8) return null;
    const masks = Array.from({ length: 1 << size }, (_, mask) => mask).sort((one, other) => bits(other) - bits(one));
    for (const mask of masks) {
        const chosen = group.planned.filter((_, index) => (mask >> index) & 1);
        const { tree, results } = applyPatches(before, chosen.map((each) => each.patch), options);
        if (results.every((result) => result.ok) && group.paths.every((path) => sameValue(valueAt(tree, path), valueAt(after, path)))) return new Set(chosen);
    }
    return null;
}

function shown(value: unknown): string {
    const text = isContainer(value) ? JSON.stringify(value) : String(value);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * What MVU made of a turn's operations, found by comparing the tree before and after: accepted, refused (with the reason
 * where the schema tells it), or adjusted by the card (clamped, coerced) to another value.
 */
export function judge(before: VariableTree, after: VariableTree, planned: readonly PlannedPatch[], schema: unknown, byUser = false): PatchResult[] {
    const zod = typeof schema === 'string';
    const options: ApplyOptions = zod ? { createMissing: true, byUser } : { schema, byUser };
    const results = new Map<number, PatchResult>();
    for (const group of groups(before, planned)) {
        const taken = accepted(before, after, group, options);
        for (const each of group.planned) {
            const path = touched(before, each)[0] ?? [];
            const now = valueAt(after, path);
            const pathText = each.patch.path;
            const refused: Notice = each.closed ?? notice('warning', zod ? 'mvu.refused-by-schema' : 'mvu.refused', { path: pathText });
            if (taken?.has(each)) results.set(each.position, { ...each.patch, ok: true });
            else if (taken || sameValue(valueAt(before, path), now)) results.set(each.position, { ...each.patch, ok: false, reason: refused });
            else results.set(each.position, { ...each.patch, ok: true, reason: notice('info', 'mvu.adjusted', { path: pathText, value: shown(now) }) });
        }
    }
    return planned.map((each) => results.get(each.position) ?? { ...each.patch, ok: false, reason: notice('warning', 'mvu.refused', { path: each.patch.path }) });
}
