import { notice, type Notice } from '../notice';
import type { PatchResult } from '../turn-record';
import { applyPatch, type ApplyOptions } from './apply-patches';
import { parsePath, pointerOf, targetOf } from './parse-path';
import type { Patch } from './patch';
import { numberOf } from './read-patches';
import { schemaAt } from './schema';
import { isObject, looksLikePair, valueAt, type VariableTree } from './tree';

/** One operation as it will be tried by MVU. */
export interface PlannedPatch {
    /** Position among the operations of the turn. */
    position: number;
    /** The operation with its path as a pointer. */
    patch: Patch;
    /** Why MVU will probably refuse it: the tree is closed there. */
    closed?: Notice;
}

export interface MvuPlan {
    /** What goes into the update block, in MVU's dialect. */
    sent: Patch[];
    planned: PlannedPatch[];
    /** Operations refused before MVU sees them, by position. */
    refused: Map<number, PatchResult>;
}

/** True where MVU, which joins a path's keys with dots, can reach the path. */
function reachable(path: readonly string[]): boolean {
    return path.every((key, index) => key !== '' && !/[[\]/"'`\\]/.test(key) && key === key.trim() && !/^0\d/.test(key) && (path.length === 1 && index === 0 ? true : !key.includes('.')));
}

/** Where a closed tree stands against an insert or a removal, with the author's mend. */
function closedReason(tree: VariableTree, schema: unknown, op: 'insert' | 'remove', path: readonly string[], value: unknown): Notice | undefined {
    const target = valueAt(tree, path);
    const parentPath = path.slice(0, -1);
    const parent = valueAt(tree, parentPath);
    const key = path.at(-1) ?? '';
    if (op === 'remove') {
        const node = schemaAt(schema, parentPath);
        return node?.type === 'object' && node.properties[key]?.required === true ? notice('warning', 'mvu.closed-required', { path: pointerOf(path), parent: pointerOf(parentPath) }) : undefined;
    }
    const listPath = Array.isArray(parent) ? parentPath : Array.isArray(target) ? path : null;
    if (listPath) {
        const node = schemaAt(schema, listPath);
        return node?.type === 'array' && node.extensible !== true ? notice('warning', 'mvu.closed-array', { path: pointerOf(listPath) }) : undefined;
    }
    const objectPath = isObject(target) && isObject(value) ? path : parentPath;
    const node = schemaAt(schema, objectPath);
    if (node?.type !== 'object' || node.extensible === true) return undefined;
    const added = objectPath === path && isObject(target) && isObject(value) ? Object.keys(value).some((each) => !Object.hasOwn(target, each)) : target === undefined;
    return added ? notice('warning', 'mvu.closed-object', { path: pointerOf(objectPath) }) : undefined;
}

/** The nearest container at or above `path` that MVU can replace as a whole, with what it holds afterwards. */
function asReplacement(before: VariableTree, after: VariableTree, path: readonly string[]): Patch[] {
    for (let length = path.length; length > 0; length -= 1) {
        const each = path.slice(0, length);
        const old = valueAt(before, each);
        if (old !== undefined && valueAt(after, each) !== undefined && !looksLikePair(old) && reachable(each)) return [{ op: 'replace', path: pointerOf(each), value: valueAt(after, each) }];
    }
    return [{ op: 'replace', path: '', value: after }];
}

/** The operation as MVU understands it, given the tree before and after it. */
function translated(patch: Patch, path: string[], before: VariableTree, after: VariableTree): Patch[] {
    const old = valueAt(before, path);
    const now = valueAt(after, path);
    if (!reachable(path)) return asReplacement(before, after, path.slice(0, -1));
    if (patch.op === 'replace' || patch.op === 'delta') {
        const pair = looksLikePair(old);
        const value = pair && looksLikePair(now) && now[1] === old[1] ? now[0] : now;
        if (pair && Array.isArray(value)) return asReplacement(before, after, path.slice(0, -1));
        const counted = patch.op === 'delta' && (typeof (pair ? old[0] : old) === 'number' || Number.isNaN(Number(pair ? old[0] : old)));
        return [counted ? { op: 'delta', path: pointerOf(path), value: numberOf(patch.value) } : { op: 'replace', path: pointerOf(path), value }];
    }
    if (patch.op === 'insert') {
        if (Array.isArray(old)) return (Array.isArray(patch.value) ? patch.value : [patch.value]).map((value: unknown) => ({ op: 'insert', path: `${pointerOf(path)}/-`, value }));
        if (isObject(old)) return [{ op: 'replace', path: pointerOf(path), value: now }];
        // An insert's key goes through lodash once more: one with a dot is only reached by a replacement.
        if (path.some((key) => key.includes('.'))) return old === undefined ? asReplacement(before, after, []) : [{ op: 'replace', path: pointerOf(path), value: now }];
        return [{ op: 'insert', path: pointerOf(path), value: patch.value }];
    }
    return [{ ...patch, path: pointerOf(path) }];
}

/** The same for mvu_zod, which knows no pairs, replaces lists whole and executes moves itself. */
function translatedForZod(patch: Patch, old: unknown, now: unknown): Patch[] {
    if (patch.op === 'replace') return [{ ...patch, value: now }];
    if (patch.op === 'delta') return [{ ...patch, value: numberOf(patch.value) }];
    if (patch.op === 'insert' && Array.isArray(old)) return (Array.isArray(patch.value) ? patch.value : [patch.value]).map((value: unknown) => ({ op: 'insert', path: `${patch.path}/-`, value }));
    return patch.op === 'insert' && isObject(old) ? [{ op: 'replace', path: patch.path, value: now }] : [patch];
}

/**
 * Prepares a turn's operations for MVU: each is checked first, then written in the dialect MVU executes (a bare value for a
 * pair, no delta on a number kept as text, a move as removal and insert). Nothing that would be done by halves is sent.
 * `overrideClosed` expresses what a closed tree refuses as a replacement of the list or object around it.
 */
export function planForMvu(tree: VariableTree, schema: unknown, patches: readonly Patch[], { overrideClosed = false, byUser = false }: { overrideClosed?: boolean; byUser?: boolean } = {}): MvuPlan {
    const zod = typeof schema === 'string';
    const options: ApplyOptions = zod ? { createMissing: true, byUser } : { schema, byUser };
    const plan: MvuPlan = { sent: [], planned: [], refused: new Map() };
    let current = tree;
    patches.forEach((patch, position) => {
        const path = targetOf(patch, current);
        const from = patch.op === 'move' ? parsePath(patch.from ?? '', current) : undefined;
        const named: Patch = { op: patch.op, ...(patch.op === 'remove' ? {} : { value: patch.value }), path: pointerOf(path), ...(from ? { from: pointerOf(from) } : {}), ...(patch.byUser ? { byUser: true } : {}) };
        const outcome = applyPatch(current, patch, options);
        if ('reason' in outcome) {
            plan.refused.set(position, { ...named, ok: false, reason: outcome.reason });
            return;
        }
        if (zod) {
            plan.sent.push(...translatedForZod(named, valueAt(current, path), valueAt(outcome.tree, path)));
            plan.planned.push({ position, patch: named });
            current = outcome.tree;
            return;
        }
        let closed: Notice | undefined;
        let sent: Patch[];
        if (from) {
            const removed = applyPatch(current, { op: 'remove', path: pointerOf(from) }, options);
            const value = valueAt(current, from);
            const between = 'tree' in removed ? removed.tree : current;
            closed = closedReason(current, schema, 'remove', from, undefined) ?? closedReason(between, schema, 'insert', path, value);
            sent = [{ op: 'remove', path: pointerOf(from) }, ...translated({ op: 'insert', path: named.path, value }, path, between, outcome.tree)];
            if (!reachable(from)) sent = asReplacement(current, outcome.tree, []);
        } else {
            closed = patch.op === 'insert' || patch.op === 'remove' ? closedReason(current, schema, patch.op, path, patch.value) : undefined;
            sent = translated(named, path, current, outcome.tree);
        }
        if (closed && overrideClosed) {
            const shared = from ? path.slice(0, path.findIndex((key, index) => key !== from[index])) : null;
            const list = Array.isArray(valueAt(current, path)) ? path : path.slice(0, -1);
            sent = asReplacement(current, outcome.tree, shared ?? list);
            closed = undefined;
        } else if (closed && sent.some((each) => each.op === 'replace' && patch.op !== 'replace') || (closed && sent.length > 1)) {
            // Sent as it is, a replacement would pass the author's lock, and two halves could part.
            plan.refused.set(position, { ...named, ok: false, reason: closed });
            return;
        }
        plan.sent.push(...sent);
        plan.planned.push({ position, patch: named, ...(closed ? { closed } : {}) });
        if (!closed) current = outcome.tree;
    });
    return plan;
}
