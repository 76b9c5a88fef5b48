import type { Core } from '../pipeline/core';
import { readInitvar, type InitialVariables } from '../mvu/initvar';
import type { AppView } from './port';
import { extraModelNotice } from '../pipeline/turn-context';
import type { BookIndex } from '../worldbook/book-index';
import type { Session } from './session';

export interface ViewSources {
    version: string;
    session: Session;
    core: Core;
    profiles(): { id: string; name: string }[];
    oldData(): AppView['oldData'];
}

const initialOf = new WeakMap<BookIndex, InitialVariables | null>();

/** The initial values the loaded books give, read once a book version. */
function initialVariables(index: BookIndex): InitialVariables | null {
    const known = initialOf.get(index);
    if (known !== undefined) return known;
    const items = index.items.filter((item) => item.kind === 'initvar');
    const read = items.length > 0 ? readInitvar(items.map((item) => ({ id: item.entry.id, comment: item.entry.comment, content: item.content }))) : null;
    initialOf.set(index, read);
    return read;
}

/** Reads everything the panel shows, at one moment. Cheap: what has not changed keeps its object. */
export function readView({ version, session, core, profiles, oldData }: ViewSources): AppView {
    const config = session.config();
    const { view, turns, fold } = core.reader.now();
    const context = core.lastContext();
    const ofThisChat = context && context.before.view.chatKey === view.chatKey ? context : null;
    const seen = core.tools();
    const tools = seen?.chatKey === view.chatKey ? seen : null;
    const library = core.library.current();
    const keeper = config.mvu.enabled ? core.variables.keeper() : 'none';
    const read = library && config.mvu.enabled ? initialVariables(library.index) : null;
    const extraModel = keeper === 'mvu' ? extraModelNotice(config, core.variables) : null;
    return {
        version,
        config,
        configNotices: session.configNotices(),
        chatKey: view.chatKey,
        fold,
        turns,
        progress: session.progress(),
        notices: session.notices(),
        worldbook: {
            snapshot: ofThisChat?.snapshot ?? null,
            index: library?.index ?? null,
            notices: [...(library?.notices ?? []), ...(ofThisChat?.snapshot.notices.filter((each) => !library?.notices.includes(each)) ?? [])],
            loadedAt: null,
        },
        tools: { registered: tools?.registered ?? [], faults: tools?.faults ?? [] },
        variables: {
            keeper,
            tree: keeper === 'none' ? null : (core.variables.read()?.tree ?? null),
            initial: read?.sources ?? [],
            notices: [...(extraModel ? [extraModel] : []), ...(read?.notices ?? [])],
        },
        oldData: oldData(),
        profiles: profiles(),
    };
}
