/** Bounds of the game state. What lies beyond is refused, never cut to fit. */
export const limits = {
    /** Characters of a name: item, person, quest, flag. */
    name: 80,
    location: 120,
    /** Characters of a quest's stage or outcome. */
    note: 300,
    /** Characters of a flag's value as JSON. */
    flagValue: 2_000,
    flagDepth: 8,
    /** Of one event. */
    quantity: 1_000_000_000,
    /** Of one item owned. */
    owned: 1_000_000_000_000,
    relationship: 100,
    /** Minutes one event may let pass: a hundred years. */
    timeJump: 36_500 * 24 * 60,
    /** The last day the clock can show. */
    day: 100_000_000,
    /** Entries of each record of the state. */
    entries: 1_000,
    eventLog: 200,
} as const;
