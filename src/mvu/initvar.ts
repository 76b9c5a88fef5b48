import { notice, type Notice } from '../notice';
import { parseTextToVariables } from './parse-text';
import { deriveSchema, withoutMarkers, type ObjectSchema } from './schema';
import { isObject, type VariableTree } from './tree';

/** One [initvar] entry; disabled ones count too, the caller passes them. */
export interface InitvarEntry {
    /** `<book>#<uid>`. */
    id: string;
    comment: string;
    content: string;
}

/** Initial values and where they came from. */
export interface InitialVariables {
    /** Null when no entry could be read. */
    tree: VariableTree | null;
    schema: ObjectSchema;
    /** What each readable entry gave, in the order they were merged. */
    sources: { entry: string; tree: VariableTree }[];
    notices: Notice[];
}

function bookAndUid(id: string): { book: string; uid: number } {
    const cut = id.lastIndexOf('#');
    const uid = Number(id.slice(cut + 1));
    return cut < 0 ? { book: '', uid: Number.isFinite(uid) ? uid : 0 } : { book: id.slice(0, cut), uid: Number.isFinite(uid) ? uid : 0 };
}

/** Objects are merged key by key, everything else (arrays too) is replaced by the later value. */
function merge(into: VariableTree, later: VariableTree): VariableTree {
    const merged = { ...into };
    for (const [key, value] of Object.entries(later)) {
        if (key === '__proto__') continue;
        const old = Object.hasOwn(merged, key) ? merged[key] : undefined;
        merged[key] = isObject(old) && isObject(value) ? merge(old, value) : value;
    }
    return merged;
}

/** Reads the tree of one entry: macros first, and again inside the texts if substituting first broke the syntax. */
function readEntry(content: string, substitute: (text: string) => string): VariableTree | null {
    const tree = parseTextToVariables(substitute(content));
    if (tree) return tree;
    const raw = parseTextToVariables(content);
    if (!raw) return null;
    const substituted = (value: unknown): unknown => {
        if (typeof value === 'string') return value.includes('{{') ? substitute(value) : value;
        if (Array.isArray(value)) return value.map(substituted);
        return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, substituted(child)])) : value;
    };
    const result = substituted(raw);
    return isObject(result) ? result : null;
}

/**
 * The initial variables of the [initvar] entries (notes: MVU's own reading). Inside a book entries are merged in the order of
 * uid, later ones win; between books the top-level keys of the earlier book win. `$meta` and array markers go to the schema.
 * An entry that is no tree is left out and reported (`mvu.initvar-unreadable`, `mvu.initvar-empty`); it costs no other entry.
 */
export function readInitvar(entries: readonly InitvarEntry[], substitute: (text: string) => string = (text) => text): InitialVariables {
    const notices: Notice[] = [];
    const sources: InitialVariables['sources'] = [];
    const books = new Map<string, { uid: number; entry: InitvarEntry }[]>();
    for (const entry of entries) {
        const { book, uid } = bookAndUid(entry.id);
        books.set(book, [...(books.get(book) ?? []), { uid, entry }]);
    }
    let whole: VariableTree | null = null;
    for (const list of books.values()) {
        let book: VariableTree | null = null;
        for (const { entry } of list.sort((one, other) => one.uid - other.uid)) {
            const tree = readEntry(entry.content, substitute);
            if (!tree) {
                const empty = entry.content.trim() === '';
                notices.push(notice(empty ? 'info' : 'error', empty ? 'mvu.initvar-empty' : 'mvu.initvar-unreadable', { entry: entry.id, title: entry.comment }));
                continue;
            }
            const clean = withoutMarkers(tree);
            sources.push({ entry: entry.id, tree: isObject(clean) ? clean : {} });
            book = merge(book ?? {}, tree);
        }
        if (book) whole = { ...book, ...(whole ?? {}) };
    }
    const schema = deriveSchema(whole ?? {});
    const clean = whole === null ? null : withoutMarkers(whole);
    return { tree: isObject(clean) ? clean : null, schema: typeof schema === 'string' ? { type: 'object', properties: {} } : schema, sources, notices };
}
