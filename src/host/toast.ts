import type { Notice } from '../notice';

interface Toastr {
    info(text: string, title?: string, options?: object): void;
    warning(text: string, title?: string, options?: object): void;
    error(text: string, title?: string, options?: object): void;
}

/** Shows a sentence as one of ST's toasts; nothing where toastr is absent. HTML in it is shown as text. */
export function toast(level: Notice['level'], sentence: string): void {
    const toastr = (globalThis as { toastr?: Toastr }).toastr;
    toastr?.[level](sentence, 'Narrative Agent', { escapeHtml: true, preventDuplicates: true });
}
