/** A parsed regular expression, as far as matching one needs it. Single characters and classes keep their source. */
export type Node =
    | { type: 'char'; source: string }
    | { type: 'sequence'; parts: Node[] }
    | { type: 'choice'; options: Node[] }
    | { type: 'repeat'; body: Node; min: number; max: number }
    | { type: 'assert'; kind: 'start' | 'end' | 'boundary' | 'not-boundary' }
    | { type: 'look'; behind: boolean; negative: boolean; body: Node }
    | { type: 'reference' };

/** Parses a pattern that the platform's RegExp has already accepted. Null where it uses something this reader does not know. */
export function parseRegex(pattern: string, unicode: boolean): Node | null {
    let at = 0;
    let failed = false;
    let depth = 0;

    function choice(): Node {
        const options = [sequence()];
        while (pattern[at] === '|') {
            at++;
            options.push(sequence());
        }
        return options.length === 1 && options[0] ? options[0] : { type: 'choice', options };
    }

    function sequence(): Node {
        const parts: Node[] = [];
        while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')' && !failed) parts.push(quantified());
        return { type: 'sequence', parts };
    }

    function quantified(): Node {
        const body = atom();
        const found = /^(?:\*|\+|\?|\{(\d+)(?:(,)(\d*))?\})\??/.exec(pattern.slice(at, at + 24));
        if (!found) return body;
        at += found[0].length;
        if (found[0].startsWith('*')) return { type: 'repeat', body, min: 0, max: Infinity };
        if (found[0].startsWith('+')) return { type: 'repeat', body, min: 1, max: Infinity };
        if (found[0].startsWith('?')) return { type: 'repeat', body, min: 0, max: 1 };
        const min = Number(found[1]);
        return { type: 'repeat', body, min, max: found[2] === undefined ? min : found[3] === '' ? Infinity : Number(found[3]) };
    }

    function atom(): Node {
        const char = pattern[at] ?? '';
        if (char === '(') return group();
        if (char === '[') return characterClass();
        if (char === '\\') return escape();
        if (char === '^' || char === '$') {
            at++;
            return { type: 'assert', kind: char === '^' ? 'start' : 'end' };
        }
        return literal(unicode ? String.fromCodePoint(pattern.codePointAt(at) ?? 0) : char);
    }

    function literal(source: string): Node {
        at += source.length;
        return { type: 'char', source };
    }

    function group(): Node {
        const opening = /^\((?:\?(?::|=|!|<=|<!|<[^>=!]+>))?/.exec(pattern.slice(at))?.[0] ?? '(';
        at += opening.length;
        // Inline modifiers such as (?i:…) would need flags per node.
        if (opening === '(' && pattern[at] === '?') failed = true;
        if (++depth > 200) failed = true;
        const body: Node = failed ? { type: 'reference' } : choice();
        depth--;
        if (pattern[at] !== ')') failed = true;
        at++;
        if (opening === '(?=' || opening === '(?!') return { type: 'look', behind: false, negative: opening === '(?!', body };
        if (opening === '(?<=' || opening === '(?<!') return { type: 'look', behind: true, negative: opening === '(?<!', body };
        return body;
    }

    function characterClass(): Node {
        let end = at + 1;
        while (end < pattern.length && pattern[end] !== ']') end += pattern[end] === '\\' ? 2 : 1;
        return literal(pattern.slice(at, end + 1));
    }

    function escape(): Node {
        const next = pattern[at + 1] ?? '';
        if (next === 'b' || next === 'B') {
            at += 2;
            return { type: 'assert', kind: next === 'b' ? 'boundary' : 'not-boundary' };
        }
        if (/[1-9]/.test(next) || (next === 'k' && pattern[at + 2] === '<')) {
            failed = true;
            at += 2;
            return { type: 'reference' };
        }
        const long = /^\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]*\}|c[a-z])/i.exec(pattern.slice(at, at + 64));
        return literal(long ? long[0] : pattern.slice(at, at + 2));
    }

    const tree = choice();
    return failed || at < pattern.length ? null : tree;
}

/**
 * How badly backtracking can go: the power of the text's length that a search may cost. 1 = one pass; every unbounded repetition
 * in a row adds one; Infinity where a repetition contains a choice or another repetition.
 */
export function backtrackingPower(node: Node): number {
    switch (node.type) {
        case 'sequence': return node.parts.reduce((sum, part) => sum + backtrackingPower(part), 0);
        case 'choice': return Math.max(...node.options.map(backtrackingPower));
        case 'look': return backtrackingPower(node.body) + (node.behind ? 1 : 0);
        case 'repeat': {
            if (node.max <= 1) return backtrackingPower(node.body);
            const single = node.body.type === 'char';
            if (node.max <= 8) return single ? 0 : backtrackingPower(node.body) * node.max + (varies(node.body) ? Infinity : 0);
            if (single) return 1;
            return varies(node.body) ? Infinity : 1;
        }
        default: return 0;
    }
}

/** Whether a node can match in more than one way from one place. */
function varies(node: Node): boolean {
    switch (node.type) {
        case 'sequence': return node.parts.some(varies);
        case 'choice': return true;
        case 'repeat': return node.min !== node.max || varies(node.body);
        case 'look': return true;
        default: return node.type === 'reference';
    }
}
