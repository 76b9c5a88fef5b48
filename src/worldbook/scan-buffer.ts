import { deepestScan, type DecideContext, type ScanRules } from './context';
import type { Entry } from './entry';
import { haystack, type Haystack } from './key';

export type ScanPhase = 'initial' | 'recursion' | 'min-activations';

/** One place where a key may have matched, for the explanation. */
export interface Segment {
    where: 'message' | 'state' | 'field' | 'recursion';
    /** Messages: 1 = the newest. */
    number: number;
    /** Fields: which; recursion: the entry whose text it is. */
    name: string;
    hay: Haystack;
}

/** What keys are searched in (ST WorldInfoBuffer, notes 5.2). */
export interface ScanBuffer {
    /** Grown by min activations. */
    depth(): number;
    deepen(): void;
    get(entry: Entry, phase: ScanPhase): Haystack;
    addRecursion(text: string, sources: { title: string; text: string }[]): void;
    hasRecursion(): boolean;
    segments(entry: Entry, phase: ScanPhase): Segment[];
    /** Every text that any entry could see now and that was not yet asked for: for the key index. */
    freshTexts(): Haystack[];
}

const fields = [
    ['matchPersonaDescription', 'personaDescription'], ['matchCharacterDescription', 'description'], ['matchCharacterPersonality', 'personality'],
    ['matchCharacterDepthPrompt', 'depthPrompt'], ['matchScenario', 'scenario'], ['matchCreatorNotes', 'creatorNotes'],
] as const;

// Every text begins with this character, so that /^/ alone never sits before the first letter of a message.
const mark = '\u0001';
const joiner = `\n${mark}`;

/** `deepest`: no entry's own scan depth is greater. */
export function createScanBuffer(context: DecideContext, rules: ScanRules, deepest: number): ScanBuffer {
    const reach = rules.minActivations > 0 ? deepestScan : Math.min(Math.max(rules.depth, deepest, 0), deepestScan);
    const texts = context.texts.slice(0, reach).map((text) => text.trim());
    const always = context.alwaysScanned.filter((text) => text !== '');
    const recursion: string[] = [];
    const sources: { title: string; text: string }[] = [];
    let skew = 0;
    let told = 0;
    let toldRecursion = 0;
    const cache = new Map<string, Haystack>();
    const empty = haystack('');

    const depthOf = (entry: Entry): number => Math.min(entry.scanDepth ?? rules.depth + skew, deepestScan);
    const maskOf = (entry: Entry): number => fields.reduce((mask, [flag, field], bit) => (entry[flag] && context.character[field] !== '' ? mask | (1 << bit) : mask), 0);
    const fieldTexts = (mask: number) => fields.filter((_, bit) => (mask & (1 << bit)) !== 0).map(([, field]) => ({ name: field, text: context.character[field] }));

    return {
        depth: () => rules.depth + skew,
        deepen() {
            skew++;
        },
        get(entry, phase) {
            const depth = depthOf(entry);
            if (!(depth > 0)) return empty;
            const mask = maskOf(entry);
            const withRecursion = recursion.length > 0 && phase !== 'min-activations';
            const name = `${Math.min(depth, texts.length)}|${mask}|${withRecursion ? recursion.length : 0}`;
            let hay = cache.get(name);
            if (!hay) {
                const parts = [texts.slice(0, depth).join(joiner), ...fieldTexts(mask).map(({ text }) => text), ...always, ...(withRecursion ? recursion : [])];
                hay = haystack(mark + parts.join(joiner));
                cache.set(name, hay);
            }
            return hay;
        },
        addRecursion(text, from) {
            recursion.push(text);
            sources.push(...from);
        },
        hasRecursion: () => recursion.length > 0,
        segments(entry, phase) {
            const depth = depthOf(entry);
            if (!(depth > 0)) return [];
            const of = (where: Segment['where'], number: number, name: string, text: string): Segment => ({ where, number, name, hay: haystack(mark + text) });
            return [
                ...texts.slice(0, depth).map((text, index) => of('message', index + 1, '', text)),
                ...fieldTexts(maskOf(entry)).map(({ name, text }) => of('field', 0, name, text)),
                ...always.map((text) => of('state', 0, '', text)),
                ...(phase === 'min-activations' ? [] : sources.map(({ title, text }) => of('recursion', 0, title, text))),
            ];
        },
        freshTexts() {
            const fresh: string[] = told === 0 ? [...fields.map(([, field]) => context.character[field]), ...always] : [];
            fresh.push(...texts.slice(told), ...recursion.slice(toldRecursion));
            told = Math.max(texts.length, 1);
            toldRecursion = recursion.length;
            return fresh.filter((text) => text !== '').map(haystack);
        },
    };
}
