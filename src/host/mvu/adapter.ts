import { applyPatches } from '../../mvu/apply-patches';
import { judge } from '../../mvu/judge';
import { planForMvu } from '../../mvu/mvu-dialect';
import { pointerOf, targetOf } from '../../mvu/parse-path';
import type { Patch } from '../../mvu/patch';
import type { InitialOutcome, LocatedInitvarEntry, UpdateOutcome, VariableKeeper, VariablesPort } from '../../mvu/port';
import { patchesIn } from '../../mvu/read-patches';
import { deriveSchema } from '../../mvu/schema';
import { copyTree, isObject, type VariableTree } from '../../mvu/tree';
import { buildUpdateBlock, updateBlockOf } from '../../mvu/update-block';
import { notice, type Notice } from '../../notice';
import type { PatchResult } from '../../turn-record';
import { initialiseVariables } from './initialise';
import { mvuApi, mvuEvents, type MvuHost, type MvuMessage } from './mvu-host';
import { watchMvu, type MvuWatch } from './mvu-settled';
import { copyOfTable, hasData, nearestWithData, removeSwipeTable, swipeOf, tableOf, writeTable, type VariableTable } from './tables';

/** The adapter, and how to take it down: `stop` removes every listener. */
export interface VariablesAdapter extends VariablesPort {
    stop(): void;
}

function extraModelMode(settings: unknown): boolean {
    if (!isObject(settings) || settings['更新方式'] !== '额外模型解析') return false;
    const details = settings['额外模型解析配置'];
    return !(isObject(details) && details['启用自动请求'] === false);
}

function dropped(patches: readonly Patch[], reason: Notice): UpdateOutcome {
    return { results: patches.map((patch): PatchResult => ({ ...patch, ok: false, reason })), block: '', tree: null, dropped: reason };
}

/** What became of the operations MVU's own second model asked for. */
function resultsOfMvu(before: VariableTable | undefined, after: VariableTable | undefined, block: string): PatchResult[] {
    if (!hasData(before) || !hasData(after)) return [];
    const tree = before.stat_data;
    const planned = patchesIn(block).map((patch, position) => ({ position, patch: { ...patch, path: pointerOf(targetOf(patch, tree)) } }));
    return judge(tree, after.stat_data, planned, before['schema']);
}

/** Carries a message's variables from one tree to the next. Knows both keepers. */
async function advance(host: MvuHost, watch: MvuWatch, base: VariableTable & { stat_data: VariableTree }, patches: readonly Patch[], byUser: boolean): Promise<{ table: VariableTable; results: PatchResult[]; block: string }> {
    const table = copyOfTable(base);
    const tree = copyTree(base.stat_data);
    const mvu = mvuApi(host.mvu());
    if (!mvu) {
        const { tree: next, results } = applyPatches(tree, patches, { schema: table['schema'], byUser });
        const applied = patches.flatMap((patch, index) => (results[index]?.ok ? [{ ...patch, path: results[index].path, from: results[index].from }] : []));
        const block = buildUpdateBlock(applied);
        return { table: { ...table, stat_data: next, schema: applied.length > 0 ? deriveSchema(next, table['schema']) : table['schema'] }, results, block };
    }
    const plan = planForMvu(tree, table['schema'], patches, { overrideClosed: host.config().overrideClosed, byUser });
    const block = buildUpdateBlock(plan.sent);
    // Also without an operation: cards change values of their own in MVU's events.
    const parsed = await watch.ours(() => mvu.parseMessage(block, copyTree(base)));
    const next = isObject(parsed) && isObject(parsed['stat_data']) ? parsed : table;
    const nextTree = isObject(next['stat_data']) ? next['stat_data'] : tree;
    delete nextTree['$internal'];
    const judged = judge(tree, nextTree, plan.planned, table['schema'], byUser);
    const results = patches.map((patch, position): PatchResult => plan.refused.get(position) ?? judged[plan.planned.findIndex((each) => each.position === position)] ?? { ...patch, ok: false });
    return { table: { ...table, ...next }, results, block };
}

/**
 * The variables of the open chat (notes on MVU, sections 3, 9, 10). With `window.Mvu` every change goes through its
 * parseMessage; without it an embedded store keeps the same tables in the same place, so that MVU can take over later.
 * Swipes, deletions and branches follow by themselves: every swipe of every message has its own table.
 */
export function createVariables(host: MvuHost): VariablesAdapter {
    const watch = watchMvu(host);
    let announced = false;

    const keeper = (): VariableKeeper => {
        if (!host.config().enabled) return 'none';
        if (mvuApi(host.mvu())) return 'mvu';
        return announced || nearestWithData(host.chat(), host.chat().length) ? 'embedded' : 'none';
    };

    const extraMode = (): boolean => mvuApi(host.mvu()) !== null && extraModelMode(host.mvuSettings());
    const leftToMvu = (): boolean => extraMode() && host.config().whenExtraModel === 'mvu';

    /** Writes a finished table to a message, unless the chat has changed since. Does not save. */
    const write = async (chat: MvuMessage[], message: MvuMessage, index: number, swipe: number, table: VariableTable): Promise<boolean> => {
        if (host.chat() !== chat || chat[index] !== message || swipe >= Math.max(message.swipes?.length ?? 1, 1)) return false;
        const mvu = mvuApi(host.mvu());
        const old = tableOf(message, swipe);
        const whole = { ...(old ?? {}), ...table };
        if (mvu && swipeOf(message) === swipe) {
            await mvu.replaceMvuData(copyTree(whole), { type: 'message', message_id: index });
        } else writeTable(message, swipe, whole);
        return true;
    };

    const onSent = async (id: unknown) => {
        if (keeper() !== 'embedded') return;
        const chat = host.chat();
        const index = Number(id);
        const message = chat[index];
        const base = nearestWithData(chat, index);
        if (!message?.is_user || !base || hasData(tableOf(message))) return;
        writeTable(message, swipeOf(message), copyOfTable(base.table));
        await host.saveChat();
    };

    const onSwipeDeleted = async (detail: unknown) => {
        if (!isObject(detail)) return;
        // Tavern Helper's own listener may come after this one.
        await host.wait(0);
        if (removeSwipeTable(host.chat()[Number(detail['messageId'])], Number(detail['swipeId']))) await host.saveChat();
    };
    host.events.on(mvuEvents.sent, onSent);
    host.events.on(mvuEvents.swipeDeleted, onSwipeDeleted);

    return {
        keeper,
        read(before) {
            if (keeper() === 'none') return null;
            const found = nearestWithData(host.chat(), before ?? host.chat().length);
            if (!found) return null;
            const tree = copyTree(found.table.stat_data);
            delete tree['$internal'];
            return Object.keys(tree).length === 0 ? null : { index: found.index, tree, schema: found.table['schema'] };
        },
        async initialise(entries: readonly LocatedInitvarEntry[]): Promise<InitialOutcome> {
            announced = entries.length > 0;
            return host.config().enabled ? initialiseVariables(host, entries) : { did: 'nothing', sources: [], notices: [] };
        },
        async update(index, swipe, patches) {
            if (!host.config().enabled) return dropped(patches, notice('info', 'mvu.disabled'));
            const chat = host.chat();
            const message = chat[index];
            if (!message) return dropped(patches, notice('warning', 'mvu.message-gone', { index }));
            // A chat without variables has nothing to wait for, whoever else uses MVU.
            if (!nearestWithData(chat, Math.max(index, 1)) && !leftToMvu()) return dropped(patches, notice('warning', 'mvu.no-variables'));
            if (mvuApi(host.mvu())) await watch.settled();
            if (host.chat() !== chat || chat[index] !== message) return dropped(patches, notice('warning', 'mvu.message-gone', { index }));
            // The greeting has nothing before it: its own table is the base.
            const base = nearestWithData(chat, Math.max(index, 1));
            if (leftToMvu()) {
                const table = tableOf(message, swipe);
                const block = updateBlockOf(message.mes);
                return { results: resultsOfMvu(base?.table, table, block), block, tree: hasData(table) ? copyTree(table.stat_data) : null };
            }
            if (!base) return dropped(patches, notice('warning', 'mvu.no-variables'));
            const advanced = await advance(host, watch, base.table, patches, false).catch((error: unknown) => notice('error', 'mvu.failed', { detail: error instanceof Error ? error.message : String(error) }));
            // Another script's failure must not cost the turn.
            if ('code' in advanced) return dropped(patches, advanced);
            const { table, results, block } = advanced;
            if (!(await write(chat, message, index, swipe, table))) return dropped(patches, notice('warning', 'mvu.message-gone', { index }));
            return { results, block, tree: isObject(table['stat_data']) ? copyTree(table['stat_data']) : null };
        },
        async announce(index, text) {
            const message = host.chat()[index];
            const table = tableOf(message);
            if (!mvuApi(host.mvu()) || !message || !hasData(table)) return text;
            const context = { variables: copyTree(table), message_content: text };
            const before = JSON.stringify(context.variables);
            await host.events.emit(mvuEvents.beforeMessage, context);
            if (JSON.stringify(context.variables) !== before) await write(host.chat(), message, index, swipeOf(message), context.variables);
            return typeof context.message_content === 'string' ? context.message_content : text;
        },
        async edit(path, value) {
            const chat = host.chat();
            const found = nearestWithData(chat, chat.length);
            const message = found ? chat[found.index] : undefined;
            const patch: Patch = { op: 'replace', path, value, byUser: true };
            if (!found || !message) return { ...dropped([patch], notice('warning', 'mvu.no-variables')), index: -1 };
            const { table, results, block } = await advance(host, watch, found.table, [patch], true);
            const written = results[0]?.ok === true && (await write(chat, message, found.index, swipeOf(message), table));
            if (written) await host.saveChat();
            return { results, block: written ? block : '', tree: written && isObject(table['stat_data']) ? copyTree(table['stat_data']) : null, index: found.index };
        },
        extraModelMode: extraMode,
        lookup: (before) => (scope) => {
            if (scope !== 'message') return host.variables(scope);
            const chat = host.chat();
            for (let index = Math.min(before ?? chat.length, chat.length) - 1; index >= 0; index -= 1) {
                const table = tableOf(chat[index]);
                if (table && Object.keys(table).length > 0) return table;
            }
            return undefined;
        },
        stop() {
            watch.stop();
            host.events.off(mvuEvents.sent, onSent);
            host.events.off(mvuEvents.swipeDeleted, onSwipeDeleted);
        },
    };
}
