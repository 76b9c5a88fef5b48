/** What an agent's settings ask of the host's own writing call; null leaves the host's value. */
export interface WritingLimits {
    maxTokens: number | null;
    temperature: number | null;
}

const lengthFields = ['max_completion_tokens', 'max_tokens', 'max_new_tokens', 'num_predict', 'n_predict', 'max_length'] as const;

/**
 * Applies the limits to a request body of the host's. The names differ from API to API: those that are there are set.
 * A body without a temperature is of a model that takes none.
 */
export function applyWritingLimits(body: Record<string, unknown>, { maxTokens, temperature }: WritingLimits, fallback: 'max_tokens' | null): void {
    if (maxTokens !== null) {
        const present = lengthFields.filter((name) => name in body && body[name] !== undefined);
        for (const name of present) body[name] = maxTokens;
        if (present.length === 0 && fallback !== null) body[fallback] = maxTokens;
    }
    if (temperature !== null && body['temperature'] !== undefined) body['temperature'] = temperature;
}
