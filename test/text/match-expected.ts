/** Compares with the markers of the shared cases: $any, $absent, $ignore, $contains; otherwise the listed keys, arrays whole. */
export function matchesExpected(actual: unknown, expected: unknown): boolean {
    if (isObject(expected)) {
        if ('$ignore' in expected) return true;
        if ('$absent' in expected) return actual === undefined;
        if (Array.isArray(expected.$any)) return expected.$any.some((each) => matchesExpected(actual, each));
        if (Array.isArray(expected.$contains)) return typeof actual === 'string' && expected.$contains.every((each) => actual.includes(String(each)));
        if (!isObject(actual)) return false;
        return Object.entries(expected).every(([key, value]) => matchesExpected(actual[key], value));
    }
    if (Array.isArray(expected)) {
        return Array.isArray(actual) && actual.length === expected.length && expected.every((each, position) => matchesExact(actual[position], each));
    }
    return Object.is(actual, expected);
}

/** Inside arrays objects have no further keys. */
function matchesExact(actual: unknown, expected: unknown): boolean {
    if (isObject(expected) && !Object.keys(expected).some((key) => key.startsWith('$')) && isObject(actual)) {
        if (Object.keys(actual).some((key) => !(key in expected))) return false;
    }
    return matchesExpected(actual, expected);
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
