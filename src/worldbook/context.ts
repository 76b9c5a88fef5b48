import type { Config } from '../config';
import type { GameState } from '../state/state';
import type { GlobalScanSettings } from './entry';
import type { Snapshot } from './snapshot';

/** The card's and the persona's texts that entries may scan, and what character filters ask. */
export interface ScanCharacter {
    /** Avatar file name without its extension, as character filters name it. */
    fileName: string;
    /** Null: the character has no tag list, and tag filters let everything pass (ST). */
    tags: string[] | null;
    personaDescription: string;
    description: string;
    personality: string;
    depthPrompt: string;
    scenario: string;
    creatorNotes: string;
}

/** Everything one turn's decisions depend on. */
export interface DecideContext {
    /** Texts to scan, newest first (scan-text.ts builds them). */
    texts: string[];
    /** Scanned whatever an entry's depth (unless it is 0): the state summary, in seed mode. */
    alwaysScanned: string[];
    /** What recall ranks against: the user's line and the scene. The newest text when empty. */
    query?: string;
    global: GlobalScanSettings;
    character: ScanCharacter;
    /** normal, continue, impersonate, swipe, regenerate, quiet; anything else counts as normal. */
    trigger: string;
    /** Messages of the chat: the clock of sticky, cooldown and delay. */
    messageCount: number;
    /** Replies of the story so far, for `@@activate_only_after` and `@@activate_only_every`. */
    replyCount: number;
    /** The previous turn's `snapshot.timed`. */
    timed: Snapshot['timed'];
    /** What the host or its vector storage forces in this turn. */
    forced: { world: string; uid: number }[];
    /** Seed of every random decision of the turn. */
    seed: string;
    config: Config['worldbook'];
    state: GameState;
    /** MVU's `stat_data`, for conditions. */
    variables?: unknown;
    /** The host's macro substitution. */
    substitute(text: string): string;
    /** The host's regex scripts for world info, applied to a rendered text; absent = none. `depth` of an entry at depth, else null. */
    rewrite?: (text: string, depth: number | null) => string;
    /** Tokens of a text. */
    estimate(text: string): number;
}

/** SillyTavern's shipped settings, for hosts that do not tell theirs. */
export const shippedScanSettings: GlobalScanSettings = {
    depth: 2, recursive: true, maxRecursionSteps: 0, caseSensitive: false, matchWholeWords: true, minActivations: 0, minActivationsDepthMax: 0,
    useGroupScoring: false, includeNames: true, budgetPercent: 25, budgetCap: 0, maxContext: 8192, characterStrategy: 1,
};

/** What rules the scan: the host's settings, or in seed mode the whole window as plain substrings without a host budget. */
export interface ScanRules {
    depth: number;
    recursive: boolean;
    maxRecursionSteps: number;
    caseSensitive: boolean;
    wholeWords: boolean;
    minActivations: number;
    minActivationsDepthMax: number;
    groupScoring: boolean;
    /** Tokens; Infinity = no host budget. */
    budget: number;
    /** Whether a key of blanks matches anything (ST) or nothing. */
    blankMatches: boolean;
}

/** Scan depths beyond this are cut (ST MAX_SCAN_DEPTH). */
export const deepestScan = 1000;

export function scanRules(context: DecideContext): ScanRules {
    const { global } = context;
    const shared = { recursive: global.recursive, maxRecursionSteps: global.maxRecursionSteps, groupScoring: global.useGroupScoring };
    if (context.config.scan === 'seed') {
        return { ...shared, depth: deepestScan, caseSensitive: false, wholeWords: false, minActivations: 0, minActivationsDepthMax: 0, budget: Infinity, blankMatches: false };
    }
    const share = Math.round(global.budgetPercent * global.maxContext / 100) || 1;
    return {
        ...shared,
        depth: global.depth,
        caseSensitive: global.caseSensitive,
        wholeWords: global.matchWholeWords,
        minActivations: global.minActivations,
        minActivationsDepthMax: global.minActivationsDepthMax,
        budget: global.budgetCap > 0 ? Math.min(share, global.budgetCap) : share,
        blankMatches: true,
    };
}
