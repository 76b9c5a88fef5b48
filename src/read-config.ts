import { configSchema, type Config } from './config';
import { notice, type Notice } from './notice';

type Plain = Record<string, unknown>;

function isPlain(value: unknown): value is Plain {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(value: unknown, path: PropertyKey[]): unknown {
    const [head, ...rest] = path;
    if (head === undefined) return undefined;
    if (Array.isArray(value)) return rest.length === 0 ? undefined : value;
    if (!isPlain(value)) return value;
    const copy: Plain = { ...value };
    const key = String(head);
    const inner = rest.length === 0 ? undefined : without(copy[key], rest);
    if (inner === undefined) delete copy[key];
    else copy[key] = inner;
    return copy;
}

/**
 * Reads stored settings. A broken value falls back to its default with a notice that names it; everything else is kept.
 * Never throws: settings written by hand or by another version must not cost the user the extension.
 */
export function readConfig(stored: unknown): { config: Config; notices: Notice[] } {
    const notices: Notice[] = [];
    let candidate: unknown = isPlain(stored) ? stored : {};
    if (stored !== undefined && stored !== null && !isPlain(stored)) notices.push(notice('warning', 'config.broken', { path: '' }));
    for (;;) {
        const parsed = configSchema.safeParse(candidate);
        if (parsed.success) return { config: parsed.data, notices };
        for (const issue of parsed.error.issues) {
            notices.push(notice('warning', 'config.broken', { path: issue.path.map(String).join('.') }));
            candidate = without(candidate, issue.path);
        }
    }
}

/** A copy of the stored settings with one value set (`path` as `pipeline.delivery`); unknown keys stay. */
export function withSetting(stored: unknown, path: string, value: unknown): Plain {
    const [head = '', ...rest] = path.split('.');
    const copy: Plain = isPlain(stored) ? { ...stored } : {};
    copy[head] = rest.length === 0 ? value : withSetting(copy[head], rest.join('.'), value);
    return copy;
}
