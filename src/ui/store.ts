import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { TurnRecord } from '../turn-record';
import type { TurnFold } from '../state/fold-types';
import type { Turn } from '../text/turn';
import { languageOf, translate, type Language, type Translate } from './i18n';
import type { AppView, Intents } from './port';
import type { UiHost } from './ui-host';

export const tabNames = ['state', 'worldbook', 'tools', 'variables', 'calls'] as const;
export type TabName = (typeof tabNames)[number];

/** The turn the panel looks at, with what the chat and the fold say about it. */
export interface SelectedTurn {
    /** Null when the chat has no turn yet. */
    number: number | null;
    isLatest: boolean;
    turn: Turn | null;
    fold: TurnFold | null;
    record: TurnRecord | null;
    /** Chat position of the turn's last reply. */
    replyIndex: number | null;
}

/** Everything the components share: the view, what the user has chosen to look at, and the way to ask for something. */
export interface UiStore {
    view: Signal<AppView>;
    intents: Intents;
    host: UiHost;
    language: Language;
    t: Translate;
    open: Signal<boolean>;
    tab: Signal<TabName>;
    /** Null follows the newest turn. */
    chosenTurn: Signal<number | null>;
    selected: ReadonlySignal<SelectedTurn>;
    toggle(): void;
    /** Runs an intent; an exception becomes a toast, so that a click is never silently lost. */
    run(work: () => Promise<unknown> | void): Promise<void>;
    confirm(text: string): Promise<boolean>;
}

export function createStore(initial: AppView, intents: Intents, host: UiHost): UiStore {
    const view = signal(initial);
    const open = signal(initial.config.ui.panelOpen);
    const chosenTurn = signal<number | null>(null);
    const t: Translate = (code, params) => translate(code, params, host.locale);
    return {
        view,
        intents,
        host,
        language: languageOf(host.locale),
        t,
        open,
        tab: signal<TabName>('state'),
        chosenTurn,
        selected: computed(() => selectTurn(view.value, chosenTurn.value)),
        toggle() {
            open.value = !open.value;
            intents.setConfig('ui.panelOpen', open.value);
        },
        async run(work) {
            try {
                await work();
            } catch (error) {
                host.toast('error', t('ui.failed', { message: error instanceof Error ? error.message : String(error) }));
            }
        },
        confirm: (text) => host.confirm?.(text) ?? Promise.resolve(window.confirm(text)),
    };
}

/** The chosen turn, or the newest where none is chosen or the chosen one is gone (deleted, another chat). */
export function selectTurn(view: AppView, chosen: number | null): SelectedTurn {
    const last = view.turns.at(-1);
    const turn = (chosen === null ? undefined : view.turns.find((one) => one.number === chosen)) ?? last ?? null;
    if (!turn) return { number: null, isLatest: true, turn: null, fold: null, record: null, replyIndex: null };
    const reply = turn.replies.at(-1);
    return {
        number: turn.number,
        isLatest: turn === last,
        turn,
        fold: view.fold.turns.find((one) => one.number === turn.number) ?? null,
        record: reply?.record ?? null,
        replyIndex: reply?.index ?? null,
    };
}

export const UiContext = createContext<UiStore | null>(null);

/** The store of the mounted UI. */
export function useUi(): UiStore {
    const store = useContext(UiContext);
    if (!store) throw new Error('A component was rendered outside of the UI');
    return store;
}
