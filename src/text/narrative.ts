import { cleanProse } from './clean';
import { textHash } from './hash';
import { withoutReasoning } from './reasoning';
import { elementsOf } from './tags';

/** The prose of a message, and whether it had a `<context>` block (written by this extension, or in its format). */
export interface Narrative {
    narrative: string;
    tagged: boolean;
}

/** What stands inside `<context>` as written, formatting kept; null where there is no such block. Several blocks are joined by an empty line. */
export function contextOf(text: string): string | null {
    const elements = elementsOf(text, 'context');
    if (elements.length === 0) {
        // Some models are led past the opening tag: what stands before a lone closing one is the story.
        const lone = /<\/\s*context\s*>/i.exec(text);
        return lone ? text.slice(0, lone.index) : null;
    }
    return elements
        .map((element) => {
            const inner = text.slice(element.innerStart, element.innerEnd);
            // Cut off before its end: our own blocks are no part of it.
            return element.closed ? inner : inner.replace(/<(?:summary|UpdateVariable)[\s>][\s\S]*$/i, '');
        })
        .map((inner) => inner.trim())
        .filter((inner) => inner !== '')
        .join('\n\n');
}

interface Known extends Narrative {
    hash: string;
}

/** Readings by text, per set of output tags. A chat is read anew for every turn; its texts hardly change. */
const known = new Map<string, Map<string, Known>>();
const knownLimit = 4000;

function read(text: string, outputTags: readonly string[]): Known {
    const tags = outputTags.join(' ');
    let texts = known.get(tags);
    if (!texts) {
        if (known.size >= 20) known.clear();
        known.set(tags, (texts = new Map()));
    }
    const before = texts.get(text);
    if (before) return before;
    const spoken = withoutReasoning(text);
    const context = contextOf(spoken);
    const narrative = cleanProse(context ?? spoken, outputTags);
    const result = { narrative, tagged: context !== null, hash: textHash(narrative.replace(/\s+/g, ' ')) };
    if (texts.size >= knownLimit) texts.clear();
    texts.set(text, result);
    return result;
}

/**
 * The prose alone of a message text (seed: narrative = inside `<context>`, cleaned); of a text without the block its
 * cleaned whole. A narrative already cleaned comes back as it is.
 */
export function narrativeOf(text: string, outputTags: readonly string[] = []): Narrative {
    const { narrative, tagged } = read(text, outputTags);
    return { narrative, tagged };
}

/** Hash of a message's prose, the same for the whole message, its raw and its cleaned narrative. Blanks do not count. */
export function narrativeHash(text: string): string {
    return read(text, []).hash;
}
