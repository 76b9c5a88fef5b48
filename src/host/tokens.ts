import type { TokenPort } from '../ports';
import { tavern } from './context';

/** Letters of alphabets (Latin, Greek, Cyrillic …): tokenizers join them into words. */
function isLetter(code: number): boolean {
    return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0x58f);
}

/**
 * Estimates the tokens of a text without asking anyone: East Asian characters one each, words by length, digits in
 * threes, marks a little over half. Within a tenth of o200k on Chinese and English prose, high on JSON.
 */
export function estimateTokens(text: string): number {
    let tokens = 0;
    let letters = 0;
    let digits = 0;
    for (let position = 0; position <= text.length; position++) {
        const code = position < text.length ? text.charCodeAt(position) : 0;
        if (isLetter(code)) {
            letters += 1;
            continue;
        }
        if (letters > 0) {
            tokens += Math.max(1, letters / 5.5);
            letters = 0;
        }
        if (code >= 48 && code <= 57) {
            digits += 1;
            continue;
        }
        if (digits > 0) {
            tokens += Math.ceil(digits / 3);
            digits = 0;
        }
        if (code === 10) tokens += 0.4;
        else if (code > 0x2e7f) tokens += 1;
        else if (code > 32) tokens += 0.6;
    }
    return Math.ceil(tokens);
}

/** What ST adds to each count on chat completion: the text is counted as one whole message. */
let overhead: Promise<number> | null = null;

async function messageOverhead(): Promise<number> {
    const context = tavern();
    if (context.mainApi !== 'openai') return 0;
    // One letter is one token in every tokenizer ST has; what is counted beyond it is the wrapping.
    overhead ??= context.getTokenCountAsync('a').then((counted) => Math.max(0, counted - 1));
    return overhead.catch(() => {
        overhead = null;
        return 0;
    });
}

/** Counts with ST's tokenizer of the main connection; an uncached text costs one request to its server. */
export function createTokens(): TokenPort {
    return {
        estimate: estimateTokens,
        async count(text) {
            if (text === '') return 0;
            const [counted, extra] = await Promise.all([tavern().getTokenCountAsync(text), messageOverhead()]);
            return Math.max(1, counted - extra);
        },
    };
}
