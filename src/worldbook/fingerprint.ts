import type { Book } from './entry';
import { hash32 } from './hash';

/** Fields that change nothing about what is selected or shown to a model: the editor's own bookkeeping. */
const inert = new Set(['displayIndex', 'display_index', 'addMemo', 'originalData']);

/**
 * A short text that differs whenever anything in the book that matters differs (seed: 条目特征指纹). Walks the data instead of
 * serialising it, because it runs every turn. Order of fields counts: two files written differently may differ.
 */
export function bookFingerprint(book: Book): string {
    let hash = hash32(`${book.shape}\u0000${book.origin}\u0000${book.name}`);
    let fields = 0;
    const walk = (value: unknown, depth: number): void => {
        fields++;
        if (typeof value === 'string') {
            hash = hash32(value, hash ^ value.length);
        } else if (value === null || typeof value !== 'object') {
            hash = hash32(String(value), hash + 1);
        } else if (depth < 12) {
            const list = Array.isArray(value);
            hash = hash32(list ? '[' : '{', hash);
            for (const [name, part] of Object.entries(value)) {
                if (inert.has(name)) continue;
                if (!list) hash = hash32(name, hash);
                walk(part, depth + 1);
            }
            hash = hash32(list ? ']' : '}', hash);
        }
    };
    walk(book.data, 0);
    return `${hash.toString(36)}-${fields.toString(36)}`;
}
