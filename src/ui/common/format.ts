import type { GameState } from '../../state/state';
import type { Translate } from '../i18n';

/** `1,234`. */
export function count(value: number): string {
    return value.toLocaleString('en-US');
}

/** Ms as `3 ms`, `0.8 s`, `12 s` or `2:05`. */
export function duration(ms: number): string {
    if (ms < 100) return `${Math.round(ms)} ms`;
    const seconds = ms / 1000;
    if (seconds < 10) return `${seconds.toFixed(1)} s`;
    if (seconds < 60) return `${Math.floor(seconds)} s`;
    return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

/** Whole seconds, for a clock that ticks: `7 s`, `1:05`. */
export function elapsed(ms: number): string {
    const seconds = Math.floor(Math.max(0, ms) / 1000);
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `14:05`. */
export function clock(time: GameState['time']): string {
    return `${String(time.hour).padStart(2, '0')}:${String(time.minute).padStart(2, '0')}`;
}

/** A JSON value on one line, cut where it is long. */
export function brief(value: unknown, limit = 120): string {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** A JSON value over several lines. */
export function pretty(value: unknown): string {
    return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** A state value as a reader would say it; absent values as a dash. */
export function stateValue(path: string, value: unknown, t: Translate): string {
    if (value === undefined || value === null) return '–';
    if (path === 'time' && isTime(value)) return t('ui.state.day-and-clock', { day: value.day, clock: clock(value) });
    if (path.startsWith('quests.') && typeof value === 'object') {
        const quest = value as { status?: string; stage?: string; outcome?: string };
        const status = quest.status ? t(`ui.quest.${quest.status}`) : '';
        return [status, quest.outcome ?? quest.stage].filter((part) => part).join(' · ');
    }
    return brief(value);
}

function isTime(value: unknown): value is GameState['time'] {
    return typeof value === 'object' && value !== null && 'day' in value && 'hour' in value && 'minute' in value;
}

/** `inventory.铜钥匙` → its field and the name within it. */
export function splitPath(path: string): { field: string; name: string } {
    const dot = path.indexOf('.');
    return dot < 0 ? { field: path, name: '' } : { field: path.slice(0, dot), name: path.slice(dot + 1) };
}
