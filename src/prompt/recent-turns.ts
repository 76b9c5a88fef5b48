import { isVisible, turnNarrative, type Turn } from '../text/turn';
import type { PromptInput, PromptLanguage } from './prompt-input';
import { windowOf } from './window';

/**
 * The turns an n+m window shows. How the story opens (turn 0) stands before turn 1 while the window still begins there and
 * does not count; hidden turns are not there.
 */
export function recentTurns(turns: readonly Turn[], window: { n: number; m: number }): Turn[] {
    const visible = turns.filter(isVisible);
    const numbered = visible.filter((turn) => turn.number > 0);
    const shown = windowOf(numbered, window.n, window.m);
    return shown.length === numbered.length ? [...visible.filter((turn) => turn.number === 0), ...shown] : shown;
}

/** `[轮3] 用户: … | AI: …` (seed), with the speakers' names where several members speak. */
export function turnLine(turn: Turn, language: PromptLanguage, named: boolean): string {
    const zh = language === 'zh';
    const parts: string[] = [];
    if (turn.user !== '') parts.push(`${zh ? '用户' : 'User'}: ${turn.user}`);
    const spoken = turn.replies.filter((reply) => !reply.hidden && reply.narrative !== '');
    if (named && spoken.length > 0 && !turn.narration) parts.push(...spoken.map((reply) => `${reply.speaker}: ${reply.narrative}`));
    else {
        const narrative = turnNarrative(turn);
        if (narrative !== '') parts.push(named && spoken.length > 0 ? narrative : `AI: ${narrative}`);
    }
    return `${zh ? `[轮${turn.number}]` : `[Turn ${turn.number}]`} ${parts.join(' | ')}`;
}

/** Whether replies are told apart by their speakers: a group's chat, or a turn that several answered. */
export function isNamed(turns: readonly Turn[], speaker: string | undefined): boolean {
    return speaker !== undefined || turns.some((turn) => new Set(turn.replies.map((reply) => reply.speaker)).size > 1);
}

/** The text of `<recent_turns>`. */
export function recentTurnsText(shown: readonly Turn[], language: PromptLanguage, named: boolean): string {
    return shown.map((turn) => turnLine(turn, language, named)).join('\n');
}

/** The window of the agent that writes: its own in the seed's layout, the common one where planner and writer share a prefix. */
export function writerWindow(windows: PromptInput['windows'], layout: PromptInput['layout'], mode: 'merged' | 'planning'): { n: number; m: number } {
    const { planning, writing } = windows;
    return layout === 'shared' && mode === 'planning' ? { n: Math.max(planning.n, writing.n), m: Math.max(planning.m, writing.m) } : writing;
}
