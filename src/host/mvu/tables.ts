import { copyTree, copyValue, isObject, type VariableTree } from '../../mvu/tree';
import type { MvuMessage } from './mvu-host';

/** One swipe's table: `stat_data`, `schema` and whatever else lives there. */
export type VariableTable = Record<string, unknown>;

/** The swipe on display. */
export function swipeOf(message: MvuMessage): number {
    return typeof message.swipe_id === 'number' && message.swipe_id >= 0 ? message.swipe_id : 0;
}

/** The table of a swipe, undefined where there is none. Not a copy. */
export function tableOf(message: MvuMessage | undefined, swipe?: number): VariableTable | undefined {
    const tables = message?.variables;
    if (!message || typeof tables !== 'object' || tables === null) return undefined;
    const table = (tables as Record<number, unknown>)[swipe ?? swipeOf(message)];
    return isObject(table) ? table : undefined;
}

/** A table as MVU counts it: both `stat_data` and `schema` are there. */
export function hasData(table: VariableTable | undefined): table is VariableTable & { stat_data: VariableTree } {
    return table !== undefined && isObject(table['stat_data']) && table['schema'] !== undefined && table['schema'] !== null;
}

/** The nearest message below `before` whose swipe on display has data (MVU clears old floors, so one may have to walk). */
export function nearestWithData(chat: readonly MvuMessage[], before: number): { index: number; table: VariableTable & { stat_data: VariableTree } } | null {
    for (let index = Math.min(before, chat.length) - 1; index >= 0; index -= 1) {
        const table = tableOf(chat[index]);
        if (hasData(table)) return { index, table };
    }
    return null;
}

/** A copy of a table without MVU's deprecated mirrors, which would be stale. */
export function copyOfTable(table: VariableTable): VariableTable {
    const copy = copyTree(table);
    delete copy['display_data'];
    delete copy['delta_data'];
    if (isObject(copy['stat_data'])) delete copy['stat_data']['$internal'];
    return copy;
}

/** Puts a copy of a table where MVU and Tavern Helper look for it: `message.variables[swipe]`, an array with a table a swipe. */
export function writeTable(message: MvuMessage, swipe: number, table: VariableTable): void {
    const old = message.variables;
    const tables: unknown[] = Array.isArray(old) ? old : isObject(old) ? Object.keys(old).filter((key) => /^\d+$/.test(key)).reduce<unknown[]>((list, key) => {
        list[Number(key)] = old[key];
        return list;
    }, []) : [];
    const length = Math.max(message.swipes?.length ?? 1, swipe + 1);
    for (let index = 0; index < length; index += 1) {
        if (!isObject(tables[index])) tables[index] = {};
    }
    tables[swipe] = copyValue(table);
    message.variables = tables;
}

/**
 * Repairs a message whose swipe was deleted while its tables stayed: the others would be off by one. Does nothing where
 * Tavern Helper has already done it. True when something changed.
 */
export function removeSwipeTable(message: MvuMessage | undefined, swipe: number): boolean {
    if (!message || !Array.isArray(message.variables) || !Array.isArray(message.swipes)) return false;
    if (message.variables.length <= message.swipes.length || swipe < 0 || swipe >= message.variables.length) return false;
    message.variables.splice(swipe, 1);
    return true;
}
