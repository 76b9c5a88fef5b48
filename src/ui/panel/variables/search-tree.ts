/** A value of the tree with its path, `/主角/生命值`. */
export interface TreeLeaf {
    path: string;
    value: unknown;
}

/** The path of a child: names may hold the signs that paths are made of. */
export function childPath(path: string, key: string): string {
    return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isBranch(value: unknown): value is object {
    return typeof value === 'object' && value !== null;
}

/** A value and its description, as MVU keeps them: `[100, '0 to 100']`. Two texts are taken for a list. */
export function describedValue(value: unknown): { value: unknown; description: string } | null {
    if (!Array.isArray(value) || value.length !== 2) return null;
    const [own, description] = value as [unknown, unknown];
    return typeof description === 'string' && typeof own !== 'string' && !isBranch(own) ? { value: own, description } : null;
}

/** The leaves whose path or value holds the words, ignoring case. */
export function searchTree(tree: unknown, words: string): TreeLeaf[] {
    const wanted = words.trim().toLowerCase();
    const found: TreeLeaf[] = [];
    const visit = (value: unknown, path: string) => {
        if (isBranch(value) && !describedValue(value) && Object.keys(value).length > 0) {
            for (const [key, child] of Object.entries(value)) visit(child, childPath(path, key));
            return;
        }
        if (`${path} ${JSON.stringify(value) ?? ''}`.toLowerCase().includes(wanted)) found.push({ path, value });
    };
    visit(tree, '');
    return found;
}
