import type { Locator, Page } from 'playwright-core';
import type { ModelServer } from './storyteller/server';
import type { ChatFileMessage } from './page-context';
import type { Player } from './person';

/** How long one step may take before the test says what it waited for. Ms. */
const patience = 30_000;

/** Waits for SillyTavern to be ready: the chat of the active character open, the API connected. */
export async function waitReady(page: Page, expectChat = true): Promise<void> {
    await page.waitForFunction(() => typeof window.SillyTavern === 'object' && document.querySelector('#preloader') === null, undefined, { timeout: 180_000 });
    if (!expectChat) return;
    await page.waitForFunction(() => {
        const context = window.SillyTavern.getContext();
        return context.onlineStatus !== 'no_connection' && context.chat.length > 0 && context.chatId !== undefined && document.querySelectorAll('#chat .mes').length > 0;
    }, undefined, { timeout: 180_000 });
}

/** Makes a player of an open page. `server` tells whether requests are still open. */
export function createPlayer(page: Page, server: Pick<ModelServer, 'open'>): Player {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
    });
    page.setDefaultTimeout(patience);

    const message = (index: number): Locator => page.locator(`#chat .mes[mesid="${index}"]`);
    const chat = (): Promise<ChatFileMessage[]> => page.evaluate(() => structuredClone(window.SillyTavern.getContext().chat.map((m) => JSON.parse(JSON.stringify(m)) as typeof m)));
    const chatId = (): Promise<string> => page.evaluate(() => String(window.SillyTavern.getContext().chatId));
    const generating = (): Promise<boolean> => page.evaluate(() => document.body.dataset.generating === 'true');

    const waitTurnDone = async (): Promise<ChatFileMessage> => {
        const until = Date.now() + 3 * patience;
        let quiet = 0;
        // Something may begin right after something else ended: quiet means quiet for a while.
        while (quiet < 3) {
            const pending = await page.evaluate(() => {
                const last = window.SillyTavern.getContext().chat.at(-1);
                const record = last?.extra?.narrative_agent as { status?: string } | undefined;
                return document.body.dataset.generating === 'true' || record?.status === 'pending';
            });
            quiet = pending || server.open().length > 0 ? 0 : quiet + 1;
            if (Date.now() > until) throw new Error(`the turn did not end: generating ${await generating()}, open requests: ${server.open().map((r) => r.agent).join(', ') || 'none'}, last record ${JSON.stringify((await chat()).at(-1)?.extra?.narrative_agent ?? null)}`);
            await page.waitForTimeout(75);
        }
        const last = (await chat()).at(-1);
        if (!last) throw new Error('the chat is empty');
        return last;
    };
    const waitGenerating = async (): Promise<void> => {
        // A generation may be over before we look: then its request is in the past already.
        await page.waitForFunction(() => document.body.dataset.generating === 'true', undefined, { timeout: 3000, polling: 20 }).catch((error: unknown) => {
            if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
        });
    };
    const option = async (id: string): Promise<void> => {
        await page.locator('#options_button').click();
        await page.locator(`#${id}`).click();
    };
    const confirm = async (): Promise<void> => {
        const popup = page.locator('dialog.popup[open]').last();
        await popup.locator('.popup-button-ok').click();
        await popup.waitFor({ state: 'detached' });
    };
    const extraButton = async (index: number, name: string): Promise<void> => {
        await message(index).scrollIntoViewIfNeeded();
        const button = message(index).locator(`.${name}`);
        if (!(await button.isVisible())) await message(index).locator('.extraMesButtonsHint').click();
        await button.click();
    };
    const waitChat = async (before: string): Promise<void> => {
        await page.waitForFunction((id) => {
            const now = window.SillyTavern.getContext().chatId;
            return now !== undefined && now !== id && document.querySelectorAll('#chat .mes').length > 0;
        }, before);
        await waitTurnDone();
    };
    const startSwipe = async (): Promise<void> => {
        await page.locator('#chat .last_mes .swipe_right').click();
    };
    const startRegenerate = async (): Promise<void> => {
        await option('option_regenerate');
        await waitGenerating();
    };
    const send = async (text: string): Promise<void> => {
        const before = (await chat()).length;
        await page.locator('#send_textarea').fill(text);
        await page.locator('#send_but').click();
        await page.waitForFunction((count) => window.SillyTavern.getContext().chat.length > count, before);
    };
    const openPanel = async (tab = 'state'): Promise<void> => {
        if ((await page.locator('#narrative_agent_panel').count()) === 0) await page.locator('#narrative_agent_panel_toggle').click();
        await page.locator(`#narrative_agent_tab_${tab}`).click();
        await page.locator('#narrative_agent_tabpanel').waitFor();
    };
    const reload = async (): Promise<void> => {
        await page.reload();
        await waitReady(page);
        await waitTurnDone();
    };
    const saved = (): Promise<unknown> => page.evaluate(() => window.SillyTavern.getContext().saveChat());

    return {
        page,
        complaints,
        type: (text) => page.locator('#send_textarea').fill(text),
        send,
        turn: async (text) => {
            await send(text);
            return waitTurnDone();
        },
        waitTurnDone,
        swipeRight: async () => {
            await startSwipe();
            await page.waitForTimeout(300);
            await waitTurnDone();
        },
        swipeLeft: async () => {
            await page.locator('#chat .last_mes .swipe_left').click();
            await page.waitForTimeout(300);
            await waitTurnDone();
        },
        startSwipe,
        regenerate: async () => {
            await startRegenerate();
            await waitTurnDone();
        },
        startRegenerate,
        continueReply: async () => {
            await option('option_continue');
            await waitGenerating();
            await waitTurnDone();
        },
        impersonate: async () => {
            await option('option_impersonate');
            await waitGenerating();
            await waitTurnDone();
        },
        stop: () => page.locator('#mes_stop').click(),
        editMessage: async (index, text) => {
            await message(index).scrollIntoViewIfNeeded();
            await message(index).locator('.mes_edit').click();
            await message(index).locator('.edit_textarea').fill(text);
            await message(index).locator('.mes_edit_done').click();
            await message(index).locator('.edit_textarea').waitFor({ state: 'detached' });
            await waitTurnDone();
        },
        deleteMessage: async (index) => {
            const before = (await chat()).length;
            await message(index).scrollIntoViewIfNeeded();
            await message(index).locator('.mes_edit').click();
            await message(index).locator('.mes_edit_delete').click();
            const popup = page.locator('dialog.popup[open]').last();
            await popup.locator('.popup-button-ok').waitFor();
            const whole = popup.locator('.popup-button-custom');
            if ((await whole.count()) > 0) await whole.first().click();
            else await popup.locator('.popup-button-ok').click();
            await page.waitForFunction((count) => window.SillyTavern.getContext().chat.length === count - 1, before);
            await waitTurnDone();
            await saved();
        },
        deleteFrom: async (index) => {
            await option('option_delete_mes');
            await message(index).locator('.del_checkbox').waitFor({ state: 'visible' });
            await message(index).locator('.del_checkbox').click();
            await page.locator('#dialogue_del_mes_ok').click();
            await page.waitForFunction((count) => window.SillyTavern.getContext().chat.length === count, index);
            await waitTurnDone();
        },
        hide: async (index) => {
            await extraButton(index, 'mes_hide');
            await page.waitForFunction((at) => window.SillyTavern.getContext().chat[at]?.is_system === true, index);
        },
        unhide: async (index) => {
            await extraButton(index, 'mes_unhide');
            await page.waitForFunction((at) => window.SillyTavern.getContext().chat[at]?.is_system === false, index);
        },
        newChat: async () => {
            const before = await chatId();
            await option('option_start_new_chat');
            await confirm();
            await waitChat(before);
        },
        switchChat: async (id) => {
            const before = await chatId();
            await option('option_select_chat');
            await page.locator(`.select_chat_block[file_name="${id}"], .select_chat_block[file_name="${id}.jsonl"]`).first().click();
            await waitChat(before);
        },
        openCharacter: async (name) => {
            const before = await chatId();
            await page.evaluate(async (wanted) => {
                const context = window.SillyTavern.getContext();
                const at = context.characters.findIndex((character) => character.name === wanted);
                if (at < 0) throw new Error(`no character "${wanted}"`);
                await context.selectCharacterById(at);
            }, name);
            await waitChat(before);
        },
        branch: async (index) => {
            const before = await chatId();
            await extraButton(index, 'mes_create_branch');
            await waitChat(before);
        },
        checkpoint: async (index, name) => {
            await extraButton(index, 'mes_create_bookmark');
            await page.locator('dialog.popup[open] .popup-input').last().fill(name);
            await confirm();
            await waitTurnDone();
        },
        reload,
        openExtensionSettings: async () => {
            const drawer = page.locator('#narrative_agent_settings');
            const header = drawer.locator('.inline-drawer-header').first();
            if (!(await header.isVisible())) await page.locator('#extensions-settings-button .drawer-toggle').click();
            await header.scrollIntoViewIfNeeded();
            if (!(await drawer.locator('#narrative_agent_enabled').isVisible())) await header.click();
            await drawer.locator('#narrative_agent_enabled').waitFor({ state: 'visible' });
            // The drawer slides open; a screenshot taken at once shows half of it.
            await page.waitForTimeout(500);
        },
        confirm,
        chat,
        chatId,
        records: async () => (await chat()).map((m) => (m.extra?.narrative_agent as Record<string, unknown> | undefined) ?? null),
        shown: (index) => message(index).locator('.mes_text').innerText(),
        toasts: () => page.locator('#toast-container .toast').allInnerTexts(),
        openPanel,
        closePanel: async () => {
            if ((await page.locator('#narrative_agent_panel').count()) > 0) await page.locator('#narrative_agent_panel_toggle').click();
        },
        panelField: async (field) => {
            // Left as it was found: on narrow pages it lies over the chat.
            const wasOpen = (await page.locator('#narrative_agent_panel').count()) > 0;
            await openPanel();
            const text = await page.locator(`#narrative_agent_tabpanel [data-field="${field}"]`).innerText();
            if (!wasOpen) await page.locator('#narrative_agent_panel_toggle').click();
            return text;
        },
        panelText: async () => {
            if ((await page.locator('#narrative_agent_panel_toggle').count()) === 0) return null;
            await openPanel();
            return page.locator('#narrative_agent_tabpanel').innerText();
        },
        setConfig: async (path, value) => {
            await page.evaluate(([dotted, given]) => {
                const context = window.SillyTavern.getContext();
                const own = (context.extensionSettings['narrative-agent'] ??= {});
                let at = (own.config ??= {}) as Record<string, unknown>;
                const keys = String(dotted).split('.');
                for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Record<string, unknown>;
                at[keys.at(-1) ?? ''] = given;
                context.saveSettingsDebounced();
            }, [path, value] as const);
            // The settings are saved a second after the last change.
            await page.waitForTimeout(1500);
            await reload();
        },
        screenshot: async (file) => {
            await page.screenshot({ path: file });
        },
    };
}
