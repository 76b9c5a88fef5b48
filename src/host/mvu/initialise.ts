import { readInitvar } from '../../mvu/initvar';
import { applyPatches } from '../../mvu/apply-patches';
import { notice } from '../../notice';
import { parseTextToVariables } from '../../mvu/parse-text';
import type { InitialOutcome, LocatedInitvarEntry } from '../../mvu/port';
import { patchesIn } from '../../mvu/read-patches';
import { deriveSchema, withoutMarkers } from '../../mvu/schema';
import { copyTree, isObject, type VariableTree } from '../../mvu/tree';
import { mvuApi, mvuEvents, type MvuHost, type MvuMessage } from './mvu-host';
import { copyOfTable, hasData, nearestWithData, swipeOf, tableOf, writeTable, type VariableTable } from './tables';

/** How long MVU may take to set up its values (ms) after we first looked. */
const mvuDeadline = 2_000;

function isEmpty(tree: VariableTree): boolean {
    return Object.keys(tree).length === 0;
}

/** MVU reads worlds by name from these places only. */
function visibleToMvu(entry: LocatedInitvarEntry, bound: readonly string[]): boolean {
    return entry.origin === 'character' || entry.origin === 'additional' || entry.origin === 'global' || bound.includes(entry.book);
}

/** Values for one greeting: its own `<initvar>` replaces the book's, its update commands are applied on top. */
function forGreeting(text: string, tree: VariableTree, schema: unknown, substitute: (text: string) => string): { tree: VariableTree; schema: unknown } {
    const own = /<initvar>([\s\S]*?)<\/initvar>/i.exec(text)?.[1];
    const raw = own === undefined ? null : parseTextToVariables(substitute(own));
    const clean = raw ? withoutMarkers(raw) : null;
    const start = isObject(clean) ? { tree: clean, schema: deriveSchema(raw ?? {}) as unknown } : { tree: copyTree(tree), schema };
    const patches = patchesIn(substitute(text.replace(/<initvar>[\s\S]*?<\/initvar>/gi, '')));
    if (patches.length === 0) return start;
    const after = applyPatches(start.tree, patches, { schema: start.schema }).tree;
    return { tree: after, schema: deriveSchema(after, start.schema) };
}

async function waitForMvu(host: MvuHost, chat: MvuMessage[], same: () => boolean): Promise<void> {
    const until = host.now() + mvuDeadline;
    // MVU lists a book as soon as it has looked at it, whether it found an [initvar] or not.
    while (host.now() < until && same() && !nearestWithData(chat, chat.length)) await host.wait(100);
}

/**
 * Gives the chat its initial values where nobody has: left to MVU where it can see the book, done here where it cannot (a
 * book that exists only inside the card) and where there is no MVU. Values go to every greeting, and to later messages whose
 * table MVU left empty.
 */
export async function initialiseVariables(host: MvuHost, entries: readonly LocatedInitvarEntry[]): Promise<InitialOutcome> {
    const chat = host.chat();
    const present = nearestWithData(chat, chat.length);
    if (present && !isEmpty(present.table.stat_data)) return { did: 'present', sources: [], notices: [] };
    const initial = readInitvar(entries, (text) => host.substitute(text));
    const first = chat[0];
    if (!initial.tree || isEmpty(initial.tree) || !first) return { did: 'nothing', sources: initial.sources, notices: initial.notices };
    // SillyTavern keeps one array for all chats: the first message tells them apart.
    const same = (): boolean => host.chat()[0] === first;
    const mvu = mvuApi(host.mvu());
    const bound = host.boundBooks();
    if (mvu && (bound.length > 0 || entries.some((entry) => visibleToMvu(entry, bound)))) {
        await waitForMvu(host, chat, same);
        if (!same()) return { did: 'nothing', sources: [], notices: [] };
        const found = nearestWithData(chat, chat.length);
        if (found && !isEmpty(found.table.stat_data)) return { did: 'mvu', sources: [], notices: [] };
    }
    const books = Object.fromEntries(entries.map((entry) => [entry.book, []]));
    const filled = (old: VariableTable | undefined, tree: VariableTree, schema: unknown): VariableTable => ({
        ...(old ?? {}),
        initialized_lorebooks: { ...books, ...(isObject(old?.['initialized_lorebooks']) ? old['initialized_lorebooks'] : {}) },
        stat_data: tree,
        // mvu_zod keeps a text in this place: it is never replaced.
        schema: typeof old?.['schema'] === 'string' ? old['schema'] : schema,
    });
    const greetings = first.swipes && first.swipes.length > 0 && !first.is_user ? first.swipes : [first.mes];
    const shown = swipeOf(first);
    for (const [swipe, stored] of greetings.entries()) {
        const text = swipe === shown ? first.mes : stored;
        const { tree, schema } = first.is_user ? { tree: initial.tree, schema: initial.schema } : forGreeting(text, initial.tree, initial.schema, (each) => host.substitute(each));
        const table = filled(tableOf(first, swipe), tree, schema);
        if (mvu) await host.events.emit(mvuEvents.initialised, table, swipe);
        if (!same()) return { did: 'nothing', sources: [], notices: [] };
        writeTable(first, swipe, table);
        if (mvu && swipe === shown) await mvu.replaceMvuData(copyTree(table), { type: 'message', message_id: 0 });
    }
    // Tables that MVU left empty on later messages would hide the greeting's. The user's new line carries them on, as MVU has it.
    const start = tableOf(first);
    const last = chat.at(-1);
    if (start && last && last !== first && last.is_user && !hasData(tableOf(last))) writeTable(last, swipeOf(last), copyOfTable({ ...(tableOf(last) ?? {}), ...start }));
    for (const message of chat.slice(1)) {
        const table = tableOf(message);
        if (start && table && isObject(table['stat_data']) && isEmpty(table['stat_data']) && isObject(start['stat_data'])) writeTable(message, swipeOf(message), filled(table, start['stat_data'], start['schema']));
    }
    await host.saveChat();
    return { did: 'written', sources: initial.sources, notices: [...initial.notices, notice('info', mvu ? 'mvu.initialised-for-mvu' : 'mvu.initialised', { entries: initial.sources.length })] };
}
