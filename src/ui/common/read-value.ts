/** What a person typed as a value: JSON where it is JSON (`12`, `true`, `["a"]`), else the text itself. */
export function readValue(text: string): unknown {
    try {
        return JSON.parse(text) as unknown;
    } catch (error) {
        if (error instanceof SyntaxError) return text;
        throw error;
    }
}
