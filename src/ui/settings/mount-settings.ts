import { effect } from '@preact/signals';
import { h, render } from 'preact';
import shell from '../../../settings.html?raw';
import { UiContext, type UiStore } from '../store';
import { SettingsPane } from './settings-pane';

/** Puts the drawer of settings.html into the host's extension settings and keeps it in step with the configuration. */
export function mountSettings(store: UiStore, parent: HTMLElement, signal: AbortSignal): void {
    const template = document.createElement('template');
    template.innerHTML = shell;
    const drawer = template.content.firstElementChild;
    if (!(drawer instanceof HTMLElement)) throw new Error('settings.html holds no element');
    parent.append(drawer);

    const enabled = drawer.querySelector<HTMLInputElement>('#narrative_agent_enabled');
    const label = drawer.querySelector('#narrative_agent_enabled_label');
    const version = drawer.querySelector('#narrative_agent_version');
    const body = drawer.querySelector('#narrative_agent_settings_body');
    if (!enabled || !label || !version || !body) throw new Error('settings.html lacks a part');

    label.textContent = store.t('setting.enabled.label');
    enabled.addEventListener('change', () => store.intents.setConfig('enabled', enabled.checked), { signal });
    const stop = effect(() => {
        enabled.checked = store.view.value.config.enabled;
        version.textContent = `v${store.view.value.version}`;
    });
    body.classList.add('na-root');
    body.setAttribute('lang', store.language);
    render(h(UiContext.Provider, { value: store }, h(SettingsPane, null)), body);

    signal.addEventListener(
        'abort',
        () => {
            stop();
            render(null, body);
            drawer.remove();
        },
        { once: true },
    );
}
