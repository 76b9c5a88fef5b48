import { tavern } from './context';

/** Where in the host's page the UI goes; elements an old version lacks are null. */
export interface PagePlaces {
    body: HTMLElement;
    form: HTMLElement | null;
    settings: HTMLElement | null;
    locale: string;
}

export function pagePlaces(): PagePlaces {
    const find = (selector: string): HTMLElement | null => document.querySelector<HTMLElement>(selector);
    return {
        body: document.body,
        form: find('#form_sheld'),
        settings: find('#extensions_settings2') ?? find('#extensions_settings'),
        locale: tavern().getCurrentLocale?.() ?? navigator.language,
    };
}

/** Scrolls a message into view and lets it stand out for a moment. Messages not loaded into the page stay where they are. */
export function jumpToMessage(index: number): void {
    const element = document.querySelector<HTMLElement>(`#chat .mes[mesid="${index}"]`);
    if (!element) return;
    element.scrollIntoView({ behavior: 'smooth', block: 'start' });
    element.classList.add('na-jumped');
    setTimeout(() => element.classList.remove('na-jumped'), 1600);
}

/**
 * Keeps the host's own Stop button in sight while we work without a generation of the host: one place to stop everything.
 * Hides it again only where the host does not need it itself.
 */
export function showStopButton(visible: boolean): void {
    const button = document.querySelector<HTMLElement>('#mes_stop');
    if (!button || document.body.dataset.generating === 'true') return;
    button.style.display = visible ? 'flex' : 'none';
}
