import { deepestScan, type DecideContext, type ScanRules } from './context';
import type { Entry } from './entry';
import { haystack, type Haystack } from './key';

export type ScanPhase = 'initial' | 'recursion' | 'min-activations';

/** One of the texts that were joined. */
export interface Place {
    where: 'message' | 'state' | 'field' | 'recursion';
    /** Messages: 1 = the newest. */
    number: number;
    /** Fields: which; recursion: the entry whose text it is. */
    name: string;
}

/** The joined texts that one entry's keys are searched in. */
export interface ScanText extends Haystack {
    /** Which text a position lies in; null where that is not known. */
    placeOf(position: number): Place | null;
}

/** What keys are searched in (ST WorldInfoBuffer, notes 5.2). */
export interface ScanBuffer {
    /** Grown by min activations. */
    depth(): number;
    deepen(): void;
    get(entry: Entry, phase: ScanPhase): ScanText;
    /** The texts of entries that became active together. */
    addRecursion(sources: { title: string; text: string }[]): void;
    hasRecursion(): boolean;
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
    // The host's buffer ends at the oldest message that says something.
    const spoken = context.texts.findLastIndex((text) => text !== '') + 1;
    const texts = context.texts.slice(0, Math.min(reach, spoken)).map((text) => text.trim());
    const always = context.alwaysScanned.filter((text) => text !== '');
    const recursion: { title: string; text: string }[][] = [];
    let skew = 0;
    let told = 0;
    let toldRecursion = 0;
    const cache = new Map<string, ScanText>();
    const empty: ScanText = { ...haystack(''), placeOf: () => null };

    const depthOf = (entry: Entry): number => Math.min(entry.scanDepth ?? rules.depth + skew, deepestScan);
    const maskOf = (entry: Entry): number => fields.reduce((mask, [flag, field], bit) => (entry[flag] && context.character[field] !== '' ? mask | (1 << bit) : mask), 0);

    function join(depth: number, mask: number, withRecursion: boolean): ScanText {
        const starts: number[] = [];
        const places: Place[] = [];
        let text = '';
        const add = (place: Place, part: string, before: string): void => {
            text += before;
            starts.push(text.length);
            places.push(place);
            text += part;
        };
        const message = (number: number): Place => ({ where: 'message', number, name: '' });
        // With no message at all the joined texts still begin with one mark.
        if (texts.length === 0) add(message(1), '', mark);
        texts.slice(0, depth).forEach((part, index) => add(message(index + 1), part, index === 0 ? mark : joiner));
        fields.forEach(([, field], bit) => (mask & (1 << bit)) !== 0 && add({ where: 'field', number: 0, name: field }, context.character[field], joiner));
        for (const part of always) add({ where: 'state', number: 0, name: '' }, part, joiner);
        if (withRecursion) {
            for (const sources of recursion) sources.forEach((source, index) => add({ where: 'recursion', number: 0, name: source.title }, source.text, index === 0 ? joiner : '\n'));
        }
        return {
            ...haystack(text),
            placeOf(position) {
                if (position < 0) return null;
                let low = 0;
                for (let high = starts.length; low < high;) {
                    const middle = (low + high) >> 1;
                    if ((starts[middle] ?? 0) <= position) low = middle + 1;
                    else high = middle;
                }
                return places[Math.max(low - 1, 0)] ?? null;
            },
        };
    }

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
            let scanText = cache.get(name);
            if (!scanText) cache.set(name, (scanText = join(depth, mask, withRecursion)));
            return scanText;
        },
        addRecursion(sources) {
            recursion.push(sources);
        },
        hasRecursion: () => recursion.length > 0,
        freshTexts() {
            const fresh: string[] = told === 0 ? [...fields.map(([, field]) => context.character[field]), ...always] : [];
            fresh.push(...texts.slice(told), ...recursion.slice(toldRecursion).flatMap((sources) => sources.map(({ text }) => text)));
            told = Math.max(texts.length, 1);
            toldRecursion = recursion.length;
            return fresh.filter((text) => text !== '').map(haystack);
        },
    };
}
