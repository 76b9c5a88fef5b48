import type { Config } from '../config';
import type { ModelPort, ModelRequest } from '../ports';
import type { ModelCall } from './call-model';

/**
 * Adds structured output to a call as the setting says. `auto`: where the host is known to pass it on, and an API that
 * refuses it is asked again without and remembered. `on`: always, and a refusal is the call's failure. `off`: never.
 */
export function withStructuredOutput(
    request: ModelRequest,
    output: () => ModelRequest['structuredOutput'],
    setting: Config['structuredOutput'],
    model: Pick<ModelPort, 'passesStructuredOutput'>,
): Pick<ModelCall<unknown>, 'request' | 'insistOnStructuredOutput'> {
    if (setting === 'off' || (setting === 'auto' && model.passesStructuredOutput?.(request) === false)) return { request };
    return { request: { ...request, structuredOutput: output() }, insistOnStructuredOutput: setting === 'on' };
}
