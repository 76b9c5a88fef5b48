import { jsonrepair } from 'jsonrepair';

const number = /^[+-]?(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?=[\s,，}\]/]|$)/;

/**
 * Outside texts and comments: JSON5's number forms become JSON's (`+5`, `.5`, `5.`, `0x10`), full-width `：` and `，` become
 * ASCII. The rest is left to jsonrepair, which knows comments, bare keys, single quotes, missing commas and braces.
 */
export function plainPunctuation(text: string): string {
    const out: string[] = [];
    let previous = '';
    let position = 0;
    const add = (piece: string, length = piece.length) => {
        out.push(piece);
        previous = piece.at(-1) ?? previous;
        position += length;
    };
    while (position < text.length) {
        const rest = text.slice(position);
        const skipped = /^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\/)/.exec(rest);
        if (skipped) {
            add(skipped[0]);
            continue;
        }
        const value = /[:：,，[\s]/.test(previous) ? number.exec(rest) : null;
        if (value) {
            const parsed = Number(value[0].replace(/^\+/, ''));
            add(Number.isFinite(parsed) ? String(parsed) : value[0], value[0].length);
            continue;
        }
        const character = text[position] ?? '';
        add(character === '：' ? ': ' : character === '，' ? ', ' : character, 1);
    }
    return out.join('');
}

/** Reads JSON, JSON5 and damaged JSON; undefined where nothing can be read. */
export function parseLooseJson(text: string): unknown {
    for (const attempt of [() => text, () => jsonrepair(text), () => jsonrepair(plainPunctuation(text))]) {
        try {
            return JSON.parse(attempt()) as unknown;
        } catch (error) {
            // Each attempt is more lenient than the one before; only the last failure means unreadable.
            if (!(error instanceof Error)) throw error;
        }
    }
    return undefined;
}
