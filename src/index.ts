/** Composition root: builds everything, wires the ports, and takes it all down when the page ends. */
import manifest from '../manifest.json';
import { createDriver } from './app/driver';
import { createIntents } from './app/intents';
import { createSession } from './app/session';
import { readView } from './app/view';
import { forgetChat } from './app/forget-chat';
import { importOldData, oldDataOf, oldDataOfChat } from './app/old-data';
import { apiNotice } from './host/api-limits';
import { connectBridge } from './host/bridge';
import { probeCapabilities, versionNotice } from './host/capabilities';
import { createChatPort } from './host/chat-port';
import { renumberSwipes } from './host/chat-records';
import { watchMessageBlocks } from './host/chat-watch';
import { createClock } from './host/clock';
import { importTavernModule, tavern } from './host/context';
import { on } from './host/events';
import { createJournal } from './host/journal';
import { createLog } from './host/log';
import { createModelClient, profiles } from './host/model-client';
import { isOwnPrompt } from './host/model-raw';
import { createVariables } from './host/mvu/adapter';
import { jumpToMessage, pagePlaces, showStopButton } from './host/page';
import { readPreset } from './host/preset-reader';
import { createReaders, type RegexModule } from './host/readers';
import { createTabGuard } from './host/tab-guard';
import { deleteOldData, deleteOldItems, findOldData, readStoredConfig, writeStoredConfig } from './host/settings-store';
import { toast } from './host/toast';
import { createTokens } from './host/tokens';
import { createTraceStore } from './host/trace-store';
import { createVariablesHost } from './host/variables-host';
import { createWorldbookLoader } from './host/worldbook-loader';
import type { WorldInfoModule } from './host/worldbook-sources';
import { notice } from './notice';
import { createCore } from './pipeline/core';
import { createOrchestrator } from './pipeline/orchestrator';
import { createPageExecution } from './sandbox/page-execution';
import { createWorkerSandbox } from './sandbox/worker-sandbox';
import { mountUi, type MountedUi } from './ui/mount';

async function start(): Promise<void> {
    const ending = new AbortController();
    const { signal } = ending;
    const clock = createClock();
    let ui: MountedUi | null = null;

    // Many things change within one turn of the event loop; the panel is redrawn once.
    let drawing = false;
    const changed = (): void => {
        if (drawing || !ui) return;
        drawing = true;
        setTimeout(() => {
            drawing = false;
            ui?.update(view());
            showStopButton(session.progress() !== null && orchestrator.working());
        }, 20);
    };

    const session = createSession({ read: readStoredConfig, write: writeStoredConfig }, clock.now, changed);
    const log = createLog(() => session.config().ui.logLevel);
    const sandbox = createWorkerSandbox();
    signal.addEventListener('abort', () => sandbox.dispose(), { once: true });
    const worldInfo = (await importTavernModule('/scripts/world-info.js').catch(() => ({}))) as WorldInfoModule;
    const regex = (await importTavernModule('/scripts/extensions/regex/engine.js').catch(() => ({}))) as RegexModule;
    const variables = createVariables(createVariablesHost(() => session.config().mvu, () => worldInfo));
    signal.addEventListener('abort', () => variables.stop(), { once: true });
    let reloading: ReturnType<typeof setTimeout> | undefined;
    const worldbooks = createWorldbookLoader({
        signal,
        onChange() {
            changed();
            clearTimeout(reloading);
            reloading = setTimeout(() => loadBooks().catch(logFailure('worldbooks could not be loaded')), 300);
        },
    });

    const tabs = createTabGuard({
        shared: () => session.notify(notice('info', 'host.chat-in-two-tabs')),
        // A closed edit box would write what it shows over what the other tab told.
        busy: () => document.body.dataset.generating === 'true' || orchestrator.working() || document.querySelector('#chat .edit_textarea') !== null,
        reloaded: () => session.notify(notice('info', 'host.other-tab-reloaded')),
        signal,
    });

    const core = createCore({
        chat: createChatPort(),
        model: createModelClient(),
        tokens: createTokens(),
        clock,
        log,
        traces: createTraceStore(log),
        journal: createJournal(log, () => session.config().state.persistToLocalStorage),
        readers: createReaders(regex),
        worldbooks,
        sandbox,
        config: session.config,
        progress: session.report,
        notify: session.notify,
        changed,
        hold: tabs.hold,
        newId: () => crypto.randomUUID().slice(0, 13),
    }, variables, createPageExecution());
    const orchestrator = createOrchestrator(core);
    const view = () => readView({ version: manifest.version, session, core, profiles, oldData: () => oldDataOf(core, findOldData()) });

    const loadBooks = async (): Promise<void> => {
        if (core.chat.read().chatKey === null) return;
        const { notices } = await core.library.load(session.config().worldbookSource);
        // A world that is missing concerns the player too, not only who opens the worldbook tab.
        for (const each of notices) if (each.code.startsWith('host.') && each.level !== 'info') session.notify(each);
        changed();
        await core.preview();
    };
    const logFailure = (what: string) => (error: unknown): void => log.error(what, error);

    const driver = createDriver({
        core,
        orchestrator,
        session,
        readPreset,
        renumberSwipes,
        apiNotice,
        tabs,
        chatOpened: () => {
            tabs.opened();
            importOldData(core, session, findOldData()).catch(logFailure('old data could not be imported'));
            loadBooks().catch(logFailure('worldbooks could not be loaded'));
        },
    });
    connectBridge(driver, isOwnPrompt, signal);

    watchMessageBlocks(driver.messagesChanged, signal);

    const forget = (kind: 'char' | 'group') => (chatName: string): void => {
        forgetChat({
            ...core.deps,
            deleteOldData: (name) => {
                const found = findOldData();
                if (found) deleteOldItems(oldDataOfChat(found, name));
            },
        }, kind, String(chatName)).catch(logFailure('a deleted chat could not be forgotten'));
    };
    on('CHAT_DELETED', forget('char'), signal);
    on('GROUP_CHAT_DELETED', forget('group'), signal);
    on('CHAT_RENAMED', ({ oldFileName, newFileName }: { oldFileName: string; newFileName: string }) => {
        const { chatKey } = core.chat.read();
        const plain = (name: string): string => name.replace(/\.jsonl$/i, '');
        // The renamed chat is the open one by now.
        if (chatKey?.endsWith(`/${plain(newFileName)}`)) void core.deps.traces.moveChat(chatKey.slice(0, -plain(newFileName).length) + plain(oldFileName), chatKey);
    }, signal);

    on('APP_READY', () => {
        if (ui) return;
        const places = pagePlaces();
        ui = mountUi({
            initial: view(),
            intents: createIntents({
                core,
                orchestrator,
                session,
                refreshWorldbook: async () => {
                    worldbooks.refresh();
                    core.library.forget();
                    await loadBooks();
                },
                jumpTo: jumpToMessage,
                stopGeneration: () => void tavern().stopGeneration(),
                deleteOldData: async () => {
                    deleteOldData();
                    changed();
                },
                changed,
            }),
            host: { ...places, toast },
            signal,
        });
        probeCapabilities()
            .then((capabilities) => {
                const told = versionNotice(capabilities);
                if (told) session.notify(told);
            })
            .catch(logFailure('the host could not be probed'));
    }, signal);
    // A chat may already be open when the module loads late.
    if (tavern().getCurrentChatId() !== undefined) driver.chatChanged();
}

void start().catch((error: unknown) => {
    // Nothing else is there yet to tell the user.
    console.error('Narrative Agent could not start', error);
});
