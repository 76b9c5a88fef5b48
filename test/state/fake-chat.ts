import { turnRecordSchema, type TurnRecord } from '../../src/turn-record';
import type { ChatMessage } from '../../src/ports';
import type { ProposedEvent } from '../../src/state/event';
import { narrativeHash } from '../../src/text/narrative';

/**
 * A host in memory that treats messages as SillyTavern 1.18 does: `extra` belongs to the swipe on display, a new swipe inherits
 * a copy of it, `swipes` and `swipe_info` are brought in step only when the user swipes away, a branch is a deep copy, and
 * what is stored is JSON. Beside it stands what this extension does on its events, as little as the state depends on.
 */
interface Extra { narrative_agent?: TurnRecord }
interface StoredMessage {
    is_user: boolean;
    is_system: boolean;
    mes: string;
    extra: Extra;
    swipe_id?: number;
    swipes?: string[];
    swipe_info?: { extra: Extra }[];
}

/** An analysis under way: what it was started for, to be found again when it ends. */
export interface Job { chatKey: string; recordId: string; narrative: string }

export interface Outcome { status: 'complete' | 'incomplete'; events: ProposedEvent[]; summary?: string }

export interface FakeChat {
    key(): string;
    keys(): string[];
    view(): ChatMessage[];
    send(text: string): void;
    /** A new reply arrives; null when it was stopped before this extension saw it. */
    reply(prose: string, own: boolean): Job | null;
    swipeNew(prose: string, own: boolean): Job | null;
    swipeTo(swipe: number): void;
    deleteSwipe(swipe: number): void;
    deleteAt(index: number, count: number): void;
    edit(index: number, prose: string): void;
    hide(index: number, hidden: boolean): void;
    swap(index: number): void;
    branch(index: number, key: string): void;
    open(key: string): void;
    reload(): void;
    /** Starts the analysis of the reply on display anew. */
    reanalyse(index: number): Job | null;
    finish(job: Job, outcome: Outcome): boolean;
    correct(index: number, event: ProposedEvent): boolean;
    dispose(): void;
}

const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const written = (prose: string): string => `<context>\n${prose}\n</context>`;

export function createFakeChat(): FakeChat {
    const chats = new Map<string, StoredMessage[]>([['main', []]]);
    let key = 'main';
    let ids = 0;
    const chat = (): StoredMessage[] => chats.get(key) ?? [];

    /** What ST does when the swipe on display is left. */
    const syncSwipe = (message: StoredMessage): void => {
        if (!message.swipes || !message.swipe_info) return;
        const shown = message.swipe_id ?? 0;
        message.swipes[shown] = message.mes;
        message.swipe_info[shown] = { extra: clone(message.extra) };
    };
    const show = (message: StoredMessage, swipe: number): void => {
        message.swipe_id = swipe;
        message.mes = message.swipes?.[swipe] ?? '';
        message.extra = clone(message.swipe_info?.[swipe]?.extra ?? {});
    };
    /** The extension: a fresh record on the reply on display, written to where ST would look. */
    const begin = (message: StoredMessage): Job => {
        ids += 1;
        const record = turnRecordSchema.parse({ v: 1, id: `r${ids}`, swipe: message.swipe_id ?? 0, status: 'pending', mode: 'merged', delivery: 'stream', seed: 's', narrative: narrativeHash(message.mes) });
        message.extra.narrative_agent = record;
        return { chatKey: key, recordId: record.id, narrative: record.narrative };
    };
    /** The record's own places: the swipe whose number it bears, on display or not. */
    const update = (recordId: string, change: (record: TurnRecord) => TurnRecord): boolean => {
        for (const message of chat()) {
            const shown = message.swipe_id ?? 0;
            const own = (extra: Extra | undefined, swipe: number): TurnRecord | undefined =>
                extra?.narrative_agent?.id === recordId && extra.narrative_agent.swipe === swipe ? extra.narrative_agent : undefined;
            const visible = own(message.extra, shown);
            if (visible) {
                message.extra.narrative_agent = change(clone(visible));
                return true;
            }
            for (const [swipe, info] of (message.swipe_info ?? []).entries()) {
                const hidden = swipe === shown ? undefined : own(info.extra, swipe);
                if (!hidden) continue;
                info.extra.narrative_agent = change(clone(hidden));
                return true;
            }
        }
        return false;
    };
    const arrive = (message: StoredMessage, own: boolean): Job | null => (own ? begin(message) : null);

    return {
        key: () => key,
        keys: () => [...chats.keys()],
        view: () => chat().map((message, index) => ({
            index, name: message.is_user ? '我' : '旁白', isUser: message.is_user, isHidden: message.is_system, isNarrator: false,
            text: message.mes, swipe: message.swipe_id ?? 0, record: message.extra.narrative_agent,
        })),
        send(text) {
            chat().push({ is_user: true, is_system: false, mes: text, extra: {} });
        },
        reply(prose, own) {
            const message: StoredMessage = { is_user: false, is_system: false, mes: written(prose), extra: {}, swipe_id: 0, swipes: [written(prose)], swipe_info: [{ extra: {} }] };
            chat().push(message);
            return arrive(message, own);
        },
        swipeNew(prose, own) {
            const message = chat().at(-1);
            if (!message?.swipes || !message.swipe_info) return null;
            syncSwipe(message);
            message.swipe_id = message.swipes.length;
            message.mes = written(prose);
            message.swipes.push(message.mes);
            // ST keeps the old object's keys: our record is inherited.
            message.extra = clone(message.extra);
            message.swipe_info.push({ extra: clone(message.extra) });
            return arrive(message, own);
        },
        swipeTo(swipe) {
            const message = chat().at(-1);
            if (!message?.swipes) return;
            syncSwipe(message);
            show(message, swipe % message.swipes.length);
        },
        deleteSwipe(swipe) {
            const message = chat().at(-1);
            if (!message?.swipes || !message.swipe_info || message.swipes.length < 2) return;
            syncSwipe(message);
            const gone = swipe % message.swipes.length;
            const shown = message.swipe_id ?? 0;
            message.swipes.splice(gone, 1);
            message.swipe_info.splice(gone, 1);
            // The extension: records move down with their swipes, copies that were no swipe's own go.
            for (const [place, info] of message.swipe_info.entries()) {
                const record = info.extra.narrative_agent;
                if (!record || place < gone) continue;
                if (record.swipe === place + 1) record.swipe = place;
                else delete info.extra.narrative_agent;
            }
            show(message, gone < shown || shown === message.swipes.length ? shown - 1 : shown);
        },
        deleteAt(index, count) {
            chat().splice(index, count);
        },
        edit(index, prose) {
            const message = chat()[index];
            if (!message) return;
            message.mes = message.is_user ? prose : written(prose);
            if (message.swipes) message.swipes[message.swipe_id ?? 0] = message.mes;
        },
        hide(index, hidden) {
            const message = chat()[index];
            if (message) message.is_system = hidden;
        },
        swap(index) {
            const upper = chat()[index];
            const lower = chat()[index + 1];
            if (upper && lower) chat().splice(index, 2, lower, upper);
        },
        branch(index, name) {
            chats.set(name, clone(chat().slice(0, index + 1)));
            key = name;
        },
        open(name) {
            if (chats.has(name)) key = name;
        },
        reload() {
            for (const [name, messages] of chats) chats.set(name, clone(messages));
        },
        reanalyse(index) {
            const message = chat()[index];
            if (!message || message.is_user) return null;
            const record = message.extra.narrative_agent;
            if (!record || record.swipe !== (message.swipe_id ?? 0)) return begin(message);
            return { chatKey: key, recordId: record.id, narrative: narrativeHash(message.mes) };
        },
        finish(job, outcome) {
            return job.chatKey === key && update(job.recordId, (record) => ({ ...record, ...outcome, narrative: job.narrative }));
        },
        correct(index, event) {
            const message = chat()[index];
            const record = message?.extra.narrative_agent;
            if (!message || !record || record.swipe !== (message.swipe_id ?? 0)) return false;
            return update(record.id, (one) => ({ ...one, corrections: [...one.corrections, event] }));
        },
        dispose: () => chats.clear(),
    };
}
