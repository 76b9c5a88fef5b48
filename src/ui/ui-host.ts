import type { Notice } from '../notice';

/** What the UI needs of the page it lives in. The integrator supplies it; the UI puts in and takes out all its own elements. */
export interface UiHost {
    /** Takes the side panel and its edge button: the page's body. */
    body: HTMLElement;
    /** The block around the host's send form (`#form_sheld`): the progress line hangs on its upper edge, the panel ends above it. */
    form: HTMLElement | null;
    /** Column of the host's extension settings (`#extensions_settings2`); takes the settings drawer. */
    settings: HTMLElement | null;
    /** The host's UI locale, e.g. `zh-cn`. */
    locale: string;
    toast(level: Notice['level'], text: string): void;
    /** Asks before something that cannot be undone; `window.confirm` where absent. */
    confirm?(text: string): Promise<boolean>;
}
