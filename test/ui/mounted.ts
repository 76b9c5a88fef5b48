import { afterEach, vi } from 'vitest';
import { mountUi, type MountedUi } from '../../src/ui/mount';
import type { AppView, Intents } from '../../src/ui/port';
import { sampleView } from './preview/sample';

const open: MountedUi[] = [];
afterEach(() => {
    for (const ui of open.splice(0)) ui.dispose();
    document.body.innerHTML = '';
});

/** Lets the renderer catch up with clicks and new views. */
export async function settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
}

function spies() {
    const done = () => vi.fn(async () => undefined);
    return {
        setConfig: vi.fn<Intents['setConfig']>(),
        refreshWorldbook: done(),
        reanalyse: vi.fn<Intents['reanalyse']>(async () => undefined),
        rerunTool: vi.fn<Intents['rerunTool']>(async () => undefined),
        correct: vi.fn<Intents['correct']>(async () => undefined),
        undoCorrection: done(),
        jumpTo: vi.fn<Intents['jumpTo']>(),
        tryTool: vi.fn<Intents['tryTool']>(async (name, params) => ({ run: { name, trigger: 'planning', params, ok: true, output: 'seven' }, sandbox: { ok: true, value: 7, log: ['said aloud'], ms: 3, memory: 2048 } })),
        replay: vi.fn<Intents['replay']>(async (run) => run),
        loadTrace: vi.fn<Intents['loadTrace']>(async () => null),
        editVariable: vi.fn<Intents['editVariable']>(async () => undefined),
        exportChat: vi.fn(async () => '{}'),
        importChat: vi.fn<Intents['importChat']>(async () => undefined),
        deleteOldData: done(),
        dismissNotice: vi.fn<Intents['dismissNotice']>(),
        stop: vi.fn<Intents['stop']>(),
    } satisfies Intents;
}

/** The UI in a page like the host's, with intents that only remember. */
export async function mounted(change: (view: AppView) => void = () => undefined, { locale = 'en', confirm = true } = {}) {
    document.body.innerHTML = '<div id="form_sheld"><div id="send_form"></div></div><div id="extensions_settings2"></div>';
    const view = sampleView();
    view.progress = null;
    change(view);
    const intents = spies();
    const toast = vi.fn<(level: string, text: string) => void>();
    const ui = mountUi({
        initial: view,
        intents,
        host: {
            body: document.body,
            form: document.querySelector<HTMLElement>('#form_sheld'),
            settings: document.querySelector<HTMLElement>('#extensions_settings2'),
            locale,
            toast,
            confirm: async () => confirm,
        },
    });
    open.push(ui);
    await settle();
    return {
        ui,
        view,
        intents,
        toast,
        /** Shows the view with some of it replaced. */
        async show(part: Partial<AppView>) {
            ui.update({ ...view, ...part });
            await settle();
        },
        async click(selector: string) {
            element(selector).click();
            await settle();
        },
        async type(selector: string, text: string, event = 'input') {
            const field = element(selector) as HTMLInputElement;
            field.value = text;
            field.dispatchEvent(new Event(event, { bubbles: true }));
            await settle();
        },
        async press(selector: string, key: string) {
            element(selector).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
            await settle();
        },
    };
}

/** The element; fails the test where there is none. */
export function element(selector: string): HTMLElement {
    const found = document.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`Nothing is ${selector}`);
    return found;
}

export function text(selector: string): string {
    return element(selector).textContent ?? '';
}

export function all(selector: string): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>(selector)];
}
