import type { GameState } from '../state/state';
import { isObject } from './parameter-schema';

/**
 * What a code tool sees as `state`: the seven fields of the game state, with MVU on also the variable tree as `stat_data`
 * and its top-level names beside (so `state.主角` works), where they do not hide a field. A copy: what the code does to it
 * stays with the code.
 */
export function toolState(state: GameState, variables?: unknown): Record<string, unknown> {
    const tree = isObject(variables) ? variables : null;
    const copied: unknown = JSON.parse(JSON.stringify({ ...tree, ...state, ...(tree === null ? {} : { stat_data: tree }) }));
    return isObject(copied) ? copied : {};
}
