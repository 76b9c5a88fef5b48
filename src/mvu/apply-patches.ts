import { notice, type Notice } from '../notice';
import type { PatchResult } from '../turn-record';
import { parsePath, pointerOf, targetOf } from './parse-path';
import type { Patch } from './patch';
import { numberOf } from './read-patches';
import { schemaAt, withoutMarkers } from './schema';
import { copyTree, copyValue, isContainer, isForbiddenKey, isObject, isReservedKey, looksLikePair, valueAt, type VariableTree } from './tree';

export interface ApplyOptions {
    /** The tree's schema in MVU's shape: templates, explicitly required keys, an opened root. Closedness is not enforced. */
    schema?: unknown;
    /** The user's own edit: read-only keys and new root keys are allowed, and any shape. */
    byUser?: boolean;
    /** Another keeper has the last word on what may be created (mvu_zod): missing leaves and new root keys are let through. */
    createMissing?: boolean;
}

/** Why an operation was refused: a notice code and its parameters. */
class Refused extends Error {
    constructor(readonly reason: Notice) {
        super(reason.code);
    }
}

function refuse(code: string, params: Notice['params']): never {
    throw new Refused(notice('warning', code, params));
}

/** Takes the value in: no markers, no shared references, no prototype keys. */
function taken(value: unknown): unknown {
    return withoutMarkers(copyValue(value));
}

function checkPath(path: readonly string[], options: ApplyOptions): void {
    const pointer = pointerOf(path);
    if (path.length === 0) refuse('mvu.whole-tree', {});
    if (path.some((key) => isForbiddenKey(key) || isReservedKey(key))) refuse('mvu.forbidden-key', { path: pointer });
    if (!options.byUser && path.some((key) => key.startsWith('_'))) refuse('mvu.read-only', { path: pointer });
}

/** The container a path's last key is in. */
function parentOf(tree: VariableTree, path: readonly string[]): Record<string, unknown> | unknown[] {
    const parent = valueAt(tree, path.slice(0, -1));
    if (!isContainer(parent)) refuse('mvu.no-parent', { path: pointerOf(path), parent: pointerOf(path.slice(0, -1)) });
    return parent;
}

function existing(tree: VariableTree, path: readonly string[]): unknown {
    const value = valueAt(tree, path);
    if (value === undefined) refuse('mvu.no-such-path', { path: pointerOf(path) });
    return value;
}

function store(tree: VariableTree, path: readonly string[], value: unknown): void {
    const parent = parentOf(tree, path);
    const key = path.at(-1) ?? '';
    if (Array.isArray(parent)) {
        if (!/^\d+$/.test(key) || Number(key) >= parent.length) refuse('mvu.no-such-path', { path: pointerOf(path) });
        parent[Number(key)] = value;
    } else parent[key] = value;
}

function isEmptyContainer(value: unknown): boolean {
    return isContainer(value) && Object.keys(value).length === 0;
}

/** The new value as the field's kind asks for it; refuses what would turn a number into a word or a tree into a leaf. */
function fitted(old: unknown, value: unknown, pointer: string): unknown {
    if (value === null || old === null) return value;
    if (typeof old === 'number' && typeof value !== 'number') {
        const number = typeof value === 'string' ? numberOf(value) : null;
        if (number === null) refuse('mvu.not-a-number', { path: pointer });
        return number;
    }
    if (typeof old === 'boolean' && typeof value === 'string') {
        if (/^(true|是|真)$/i.test(value.trim())) return true;
        if (/^(false|否|假)$/i.test(value.trim())) return false;
        refuse('mvu.not-a-boolean', { path: pointer });
    }
    if (isContainer(old) && !isContainer(value) && !isEmptyContainer(old)) refuse('mvu.would-lose-structure', { path: pointer });
    return value;
}

function replace(tree: VariableTree, path: readonly string[], raw: unknown, options: ApplyOptions): void {
    const value = taken(raw);
    if (options.createMissing && valueAt(tree, path) === undefined) return store(tree, path, value);
    const old = existing(tree, path);
    if (options.byUser) return store(tree, path, value);
    const pointer = pointerOf(path);
    // A pair keeps its description: the bare value is meant, or the whole pair is given again.
    if (looksLikePair(old) && !Array.isArray(value)) old[0] = fitted(old[0], value, pointer);
    else if (looksLikePair(old) && looksLikePair(value) && value[1] === old[1]) old[0] = fitted(old[0], value[0], pointer);
    else if (Array.isArray(old) && isObject(value) && old.length > 0) refuse('mvu.would-lose-structure', { path: pointer });
    else store(tree, path, withReserved(old, fitted(old, value, pointer)));
}

/** A replaced object keeps the keys that only its author may write (`_` read-only, `$` hidden), at every level it still has. */
function withReserved(old: unknown, value: unknown): unknown {
    if (!isObject(old) || !isObject(value)) return value;
    const kept: Record<string, unknown> = { ...value };
    for (const [key, child] of Object.entries(old)) {
        if (/^[_$]/.test(key)) kept[key] = child;
        else if (Object.hasOwn(kept, key)) kept[key] = withReserved(child, kept[key]);
    }
    return kept;
}

const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** `old + amount`, rounded to 12 digits; a number kept as text stays text; a date moves by milliseconds (as in MVU). */
function added(old: unknown, amount: number, pointer: string): unknown {
    if (typeof old === 'string' && isoDate.test(old)) return new Date(Date.parse(old) + amount).toISOString();
    const number = numberOf(old);
    if (number === null) refuse('mvu.not-a-number', { path: pointer });
    const sum = Number((number + amount).toPrecision(12));
    if (!Number.isFinite(sum)) refuse('mvu.not-a-number', { path: pointer });
    return typeof old === 'string' ? String(sum) : sum;
}

function delta(tree: VariableTree, path: readonly string[], raw: unknown): void {
    const pointer = pointerOf(path);
    const old = existing(tree, path);
    const amount = numberOf(raw);
    if (amount === null) refuse('mvu.delta-not-a-number', { path: pointer });
    if (looksLikePair(old)) old[0] = added(old[0], amount, pointer);
    else store(tree, path, added(old, amount, pointer));
}

/** A new element with the fields its container's template names. */
function fromTemplate(value: unknown, template: unknown): unknown {
    if (!isObject(template) || !isObject(value)) return value;
    const filled: Record<string, unknown> = { ...copyTree(template) };
    for (const [key, child] of Object.entries(value)) {
        filled[key] = Object.hasOwn(filled, key) ? fromTemplate(child, filled[key]) : child;
    }
    return withoutMarkers(filled);
}

/** Objects are merged into objects, whatever else is there is replaced. */
function mergeInto(target: Record<string, unknown>, value: Record<string, unknown>): void {
    for (const [key, child] of Object.entries(value)) {
        const old = Object.hasOwn(target, key) ? target[key] : undefined;
        if (isObject(old) && isObject(child)) mergeInto(old, child);
        else target[key] = child;
    }
}

function insert(tree: VariableTree, path: readonly string[], raw: unknown, options: ApplyOptions): void {
    const pointer = pointerOf(path);
    const key = path.at(-1) ?? '';
    const parent = parentOf(tree, path);
    const node = schemaAt(options.schema, path.slice(0, -1));
    const template = node?.type === 'array' || node?.type === 'object' ? node.template : undefined;
    const value = fromTemplate(taken(raw), template);
    if (Array.isArray(parent)) {
        if (key !== '-' && !/^\d+$/.test(key)) refuse('mvu.not-an-index', { path: pointer });
        parent.splice(key === '-' ? parent.length : Math.min(Number(key), parent.length), 0, value);
        return;
    }
    const old = Object.hasOwn(parent, key) ? parent[key] : undefined;
    if (Array.isArray(old)) {
        // Inserting at a list itself means adding to it; it must never replace it.
        const own = schemaAt(options.schema, path);
        const element = own?.type === 'array' ? own.template : undefined;
        old.push(...(Array.isArray(value) ? value : [fromTemplate(value, element)]));
    } else if (isObject(old)) {
        if (!isObject(value)) refuse('mvu.would-lose-structure', { path: pointer });
        mergeInto(old, value);
    } else {
        const open = options.byUser || options.createMissing || (node?.type === 'object' && node.extensible === true);
        if (path.length === 1 && old === undefined && Object.keys(tree).length > 0 && !open) refuse('mvu.new-root', { path: pointer });
        parent[key] = old === undefined ? value : fitted(old, value, pointer);
    }
}

function remove(tree: VariableTree, path: readonly string[], options: ApplyOptions): unknown {
    const old = existing(tree, path);
    const parent = parentOf(tree, path);
    const key = path.at(-1) ?? '';
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else {
        const node = schemaAt(options.schema, path.slice(0, -1));
        // Every child of a closed object is required by derivation; only in an open one was it the author's word.
        const required = node?.type === 'object' && node.extensible === true && node.properties[key]?.required === true;
        if (required && !options.byUser) refuse('mvu.required', { path: pointerOf(path) });
        delete parent[key];
    }
    return old;
}

function applyTo(tree: VariableTree, patch: Patch, options: ApplyOptions): string {
    const path = targetOf(patch, tree);
    checkPath(path, options);
    const pointer = pointerOf(path);
    if (patch.op === 'move') {
        const from = parsePath(patch.from ?? '', tree);
        checkPath(from, options);
        if (from.every((key, index) => key === path[index])) refuse('mvu.move-into-itself', { path: pointer, from: pointerOf(from) });
        insert(tree, path, remove(tree, from, options), options);
    } else if (patch.op === 'replace') replace(tree, path, patch.value, options);
    else if (patch.op === 'delta') delta(tree, path, patch.value);
    else if (patch.op === 'insert') insert(tree, path, patch.value, options);
    else remove(tree, path, options);
    return pointer;
}

/** One operation on a copy of the tree: the new tree, or why it was refused. The given tree is never changed. */
export function applyPatch(tree: VariableTree, patch: Patch, options: ApplyOptions = {}): { tree: VariableTree; pointer: string } | { reason: Notice } {
    const copy = copyTree(tree);
    try {
        return { pointer: applyTo(copy, patch, patch.byUser ? { ...options, byUser: true } : options), tree: copy };
    } catch (error) {
        if (error instanceof Refused) return { reason: error.reason };
        throw error;
    }
}

/**
 * The embedded executor of the seed's dialect: replace, delta, insert, remove, move, in order, each wholly or not at all.
 * Pairs [value, description] keep their description, numbers kept as text stay text, `_` keys are read-only, no operation
 * reaches a prototype. A refused one is reported (`mvu.…`) and harms no other.
 */
export function applyPatches(tree: VariableTree, patches: readonly Patch[], options: ApplyOptions = {}): { tree: VariableTree; results: PatchResult[] } {
    let current = tree;
    const results = patches.map((patch): PatchResult => {
        const outcome = applyPatch(current, patch, options);
        if ('reason' in outcome) return { ...patch, ok: false, reason: outcome.reason };
        current = outcome.tree;
        return { ...patch, path: outcome.pointer, ok: true };
    });
    return { tree: current === tree ? copyTree(tree) : current, results };
}
