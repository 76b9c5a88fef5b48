import { effect } from '@preact/signals';
import { h, render, type FunctionComponent } from 'preact';
import type { Notice } from '../notice';
import { Panel } from './panel/panel';
import type { AppView, Intents } from './port';
import { ProgressLine } from './progress/progress-line';
import { mountSettings } from './settings/mount-settings';
import { createStore, UiContext, type UiStore } from './store';
import type { UiHost } from './ui-host';

export interface MountedUi {
    /** Shows a new view; cheap when it is called often. */
    update(view: AppView): void;
    /** Takes every element and listener of the UI out of the page. */
    dispose(): void;
}

/** Puts the side panel, the progress line and the settings drawer into the host's page. Aborting `signal` disposes too. */
export function mountUi({ initial, intents, host, signal }: { initial: AppView; intents: Intents; host: UiHost; signal?: AbortSignal }): MountedUi {
    const store = createStore(initial, intents, host);
    const ending = new AbortController();
    signal?.addEventListener('abort', () => ending.abort(), { signal: ending.signal });

    mountComponent(store, Panel, 'narrative_agent_root', host.body, ending.signal);
    if (host.form) {
        mountComponent(store, ProgressLine, 'narrative_agent_progress_anchor', host.form, ending.signal);
        keepClearOf(host.form, host.body, ending.signal);
    }
    if (host.settings) mountSettings(store, host.settings, ending.signal);

    const body = host.body;
    onEnd(ending.signal, effect(() => {
        const { config } = store.view.value;
        body.classList.toggle('na-enabled', config.enabled);
        body.classList.toggle('na-hide-summary', !config.ui.showSummary);
    }));
    onEnd(ending.signal, () => body.classList.remove('na-enabled', 'na-hide-summary'));

    return {
        update(view) {
            tellErrors(store, store.view.value.notices, view.notices);
            if (view.chatKey !== store.view.value.chatKey) store.chosenTurn.value = null;
            store.view.value = view;
        },
        dispose: () => ending.abort(),
    };
}

function onEnd(signal: AbortSignal, work: () => void): void {
    signal.addEventListener('abort', work, { once: true });
}

function mountComponent(store: UiStore, component: FunctionComponent, id: string, parent: HTMLElement, signal: AbortSignal): void {
    const root = document.createElement('div');
    root.id = id;
    root.className = 'na-root';
    // Quotation marks and the like come from the right font.
    root.lang = store.language;
    parent.prepend(root);
    render(h(UiContext.Provider, { value: store }, h(component, null)), root);
    onEnd(signal, () => {
        render(null, root);
        root.remove();
    });
}

/** Tells the style sheet how high the send form is, so that the panel ends above it. */
function keepClearOf(form: HTMLElement, body: HTMLElement, signal: AbortSignal): void {
    const measure = () => body.style.setProperty('--na-form-height', `${Math.round(form.getBoundingClientRect().height)}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(form);
    measure();
    onEnd(signal, () => {
        observer.disconnect();
        body.style.removeProperty('--na-form-height');
    });
}

/** Errors that came in while the panel is closed are said in a toast: they would go unseen. */
function tellErrors(store: UiStore, before: readonly Notice[], after: readonly Notice[]): void {
    if (store.open.value) return;
    const known = new Set(before.map((notice) => JSON.stringify(notice)));
    for (const notice of after) {
        if (notice.level === 'error' && !known.has(JSON.stringify(notice))) store.host.toast('error', store.t(notice.code, notice.params));
    }
}
