import type { SandboxResult } from '../ports';
import type { SandboxOutcome } from './protocol';

/** The JSON text of a value handed in; a value JSON cannot say becomes null. */
export function toJson(value: unknown): string {
    return JSON.stringify(value) ?? 'null';
}

/** The port's result: the value parsed, the message with the line it happened in. */
export function toResult(outcome: SandboxOutcome): SandboxResult {
    if (!outcome.ok) {
        const { line, message, ...rest } = outcome;
        return { ...rest, message: line === undefined ? message : `${message} (line ${line})` };
    }
    const { text, ...rest } = outcome;
    return { ...rest, value: JSON.parse(text) as unknown };
}
