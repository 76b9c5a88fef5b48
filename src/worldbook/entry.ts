/** Where a book was found; the order of the host's scan depends on it. */
export type BookOrigin = 'card' | 'character' | 'additional' | 'global' | 'chat' | 'persona';

/** A book as loaded: raw entries of either storage shape (world file or character_book), unchecked. */
export interface Book {
    name: string;
    origin: BookOrigin;
    /** `world` = `{entries: {uid: entry}}`, `card` = `character_book` with `extensions.*`. */
    shape: 'world' | 'card';
    data: unknown;
}

/** The host's world-info settings that take part in activation. */
export interface GlobalScanSettings {
    depth: number;
    recursive: boolean;
    maxRecursionSteps: number;
    caseSensitive: boolean;
    matchWholeWords: boolean;
    minActivations: number;
    minActivationsDepthMax: number;
    useGroupScoring: boolean;
    includeNames: boolean;
    /** Percent of the context, 0–100. */
    budgetPercent: number;
    /** Tokens, 0 = none. */
    budgetCap: number;
    /** Tokens. */
    maxContext: number;
    /** 0 evenly, 1 character first, 2 global first. */
    characterStrategy: 0 | 1 | 2;
}

export interface CharacterFilter {
    isExclude: boolean;
    names: string[];
    tags: string[];
}

/**
 * One worldbook entry, whichever shape it was stored in. Field names are the world file's
 * (notes: sillytavern.md 5.9); what an author set and we do not read stays in `extensions`.
 */
export interface Entry {
    /** `<book>#<uid>`, unique among the loaded books. */
    id: string;
    book: string;
    origin: BookOrigin;
    uid: number;
    comment: string;
    content: string;
    key: string[];
    keysecondary: string[];
    constant: boolean;
    selective: boolean;
    /** 0 AND_ANY, 1 NOT_ALL, 2 NOT_ANY, 3 AND_ALL. Null = a world entry without it: AND_ANY, but its secondary keys score nothing (ST). */
    selectiveLogic: number | null;
    order: number;
    position: number;
    disable: boolean;
    depth: number;
    /** At-depth role: 0 system, 1 user, 2 assistant. */
    role: number;
    /** Null = missing, which never passes while `useProbability` is on (ST). */
    probability: number | null;
    useProbability: boolean;
    excludeRecursion: boolean;
    preventRecursion: boolean;
    /** 0 = no, 1.. = recursion level. */
    delayUntilRecursion: number;
    scanDepth: number | null;
    caseSensitive: boolean | null;
    matchWholeWords: boolean | null;
    useGroupScoring: boolean | null;
    group: string;
    groupOverride: boolean;
    groupWeight: number;
    sticky: number | null;
    cooldown: number | null;
    delay: number | null;
    matchPersonaDescription: boolean;
    matchCharacterDescription: boolean;
    matchCharacterPersonality: boolean;
    matchCharacterDepthPrompt: boolean;
    matchScenario: boolean;
    matchCreatorNotes: boolean;
    triggers: string[];
    ignoreBudget: boolean;
    vectorized: boolean;
    outletName: string;
    characterFilter: CharacterFilter | null;
    extensions: Record<string, unknown>;
}
