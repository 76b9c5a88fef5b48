/** 32-bit hash of a text (FNV-1a with a final mix). Not cryptographic: it tells texts apart and seeds small decisions. */
export function hash32(text: string, start = 0x811c9dc5): number {
    let hash = start;
    let i = 0;
    // Two characters a step: whole books pass through here every turn. The rotation carries high bits down to where the product cannot.
    for (; i + 1 < text.length; i += 2) {
        hash = Math.imul(hash ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), 0x01000193);
        hash = (hash << 13) | (hash >>> 19);
    }
    if (i < text.length) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash ^= text.length;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
}

/** The hash as at most seven characters, short enough to be stored once per decision. */
export function shortHash(text: string): string {
    return hash32(text).toString(36);
}

/**
 * A number in [0, 1) that depends on nothing but its arguments. One roll per entry instead of one shared stream, so an
 * entry added elsewhere in the book does not change anybody else's luck, and any roll can be replayed alone.
 */
export function roll(seed: string, purpose: string): number {
    const text = `${seed}\u0000${purpose}`;
    const high = hash32(text) >>> 5;
    const low = hash32(text, 0x9747b28c) >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
}
