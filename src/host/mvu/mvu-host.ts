import type { Config } from '../../config';
import { isObject } from '../../mvu/tree';

/** The part of a SillyTavern chat message that variables touch. */
export interface MvuMessage {
    mes: string;
    name?: string;
    is_user?: boolean;
    is_system?: boolean;
    swipe_id?: number;
    swipes?: string[];
    /** One table a swipe (MVU and Tavern Helper keep them there); a plain object where another extension wrote it. */
    variables?: unknown;
}

/** What the variables adapter needs of SillyTavern. Everything is looked up at each use: MVU comes late and may go. */
export interface MvuHost {
    /** The live chat array. */
    chat(): MvuMessage[];
    saveChat(): Promise<unknown>;
    /** `window.Mvu` as it is now. */
    mvu(): unknown;
    /** `extension_settings.mvu_settings`. */
    mvuSettings(): unknown;
    /** Worlds MVU can see: selected global ones, the character's primary and additional ones. */
    boundBooks(): string[];
    /** Variables of the other scopes of Tavern Helper. */
    variables(scope: 'chat' | 'character' | 'preset' | 'global'): unknown;
    events: {
        on(name: string, listener: (...args: unknown[]) => unknown): void;
        off(name: string, listener: (...args: unknown[]) => unknown): void;
        emit(name: string, ...args: unknown[]): Promise<unknown>;
    };
    /** Macros of the host. */
    substitute(text: string): string;
    config(): Config['mvu'];
    /** Ms since the epoch. */
    now(): number;
    /** Ms. */
    wait(ms: number): Promise<void>;
}

/** MVU's global as far as we use it. */
export interface MvuApi {
    replaceMvuData(data: unknown, options: { type: 'message'; message_id: number }): unknown;
    parseMessage(text: string, data: unknown): Promise<unknown>;
    isDuringExtraAnalysis?: () => boolean;
}

/** MVU, when it is there and has what we call. */
export function mvuApi(value: unknown): MvuApi | null {
    return isObject(value) && typeof value['parseMessage'] === 'function' && typeof value['replaceMvuData'] === 'function' ? (value as unknown as MvuApi) : null;
}

/** Event names of SillyTavern and MVU. */
export const mvuEvents = {
    received: 'message_received',
    sent: 'message_sent',
    swipeDeleted: 'message_swipe_deleted',
    initialised: 'mag_variable_initialized',
    updateEnded: 'mag_variable_update_ended',
    beforeMessage: 'mag_before_message_update',
} as const;
