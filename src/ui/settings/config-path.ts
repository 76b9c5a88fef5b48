import { configSchema } from '../../config';

/** The value at `pipeline.enableTextRecall` in a config; undefined where there is none. */
export function valueAt(config: unknown, path: string): unknown {
    return path.split('.').reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined), config);
}

const defaults = configSchema.parse({});

/** What the setting is when nobody has touched it. */
export function defaultAt(path: string): unknown {
    return valueAt(defaults, path);
}
