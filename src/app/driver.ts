import type { TurnDriver } from './turn-driver';
import type { Core } from '../pipeline/core';
import type { Orchestrator } from '../pipeline/orchestrator';
import { TurnStopped } from '../pipeline/prepare-turn';
import type { HoldChat } from '../pipeline/job-queue';
import { notice, type Notice } from '../notice';
import type { PresetContext } from '../prompt/prompt-input';
import type { Session } from './session';

export interface DriverParts {
    core: Core;
    orchestrator: Orchestrator;
    session: Session;
    /** The preset's own texts in the prompt the host is about to send. */
    readPreset(kind: string): Promise<PresetContext>;
    renumberSwipes(index: number, swipe: number): boolean;
    chatOpened(): void;
    /** Keeps other tabs out of the chat while a turn is told here; absent = there are none. */
    tabs?: { hold: HoldChat; isOutdated(): boolean };
    /** What the user's API cannot do for us; null when nothing. */
    apiNotice?(): Notice | null;
}

const noPreset: PresetContext = { planningContext: '', writingSystemContext: '', writingUserContext: '' };

/** What the host's events mean to the pipeline. */
export function createDriver({ core, orchestrator, session, readPreset, renumberSwipes, chatOpened, apiNotice, tabs }: DriverParts): TurnDriver {
    const { deps } = core;
    const told = new Set<string>();
    /** Once a page: what the user has read and dismissed does not come back with every turn. */
    const tellOfApi = (): void => {
        const limits = apiNotice?.() ?? null;
        if (limits === null || told.has(JSON.stringify(limits))) return;
        told.add(JSON.stringify(limits));
        session.notify(limits);
    };
    let release: () => void = () => undefined;
    const letGo = (): void => {
        release();
        release = () => undefined;
    };
    return {
        enabled: () => session.config().enabled,
        async starting({ kind, chatKey, controller }) {
            letGo();
            if (!tabs) return 'go';
            const there = new AbortController();
            deps.clock.wait(300, there.signal).then(() => session.notify(notice('info', 'host.other-tab-busy')), () => undefined);
            const held = await tabs.hold(chatKey, controller.signal);
            there.abort();
            if (held !== null) {
                release = held;
                return 'go';
            }
            return kind === 'normal' ? 'reload' : 'refuse';
        },
        refused: () => session.notify(notice('warning', 'host.other-tab-refused')),
        async prepare(generation) {
            const { kind, chatKey, controller } = generation;
            if (kind === 'continue') return null;
            tellOfApi();
            try {
                const preset = session.config().presetMode === 'split' ? await readPreset(kind) : noPreset;
                return await orchestrator.prepare({ kind, chatKey, preset, signal: controller.signal });
            } catch (error) {
                session.report(null);
                if (error instanceof TurnStopped) throw error;
                // The user's turn goes on as plain SillyTavern: a failure never costs the narrative.
                deps.log.error('a turn could not be prepared', error);
                session.notify(notice('error', 'pipeline.prepare-failed', { detail: error instanceof Error ? error.message : String(error) }));
                return null;
            }
        },
        received: (_generation, index, cut) => orchestrator.received(index, cut),
        finished: () => orchestrator.finished(),
        continuing: () => orchestrator.continuing(),
        continued: (_generation, index, cut) => orchestrator.continued(index, cut),
        stopped: () => orchestrator.stop(),
        ended() {
            orchestrator.ended();
            // The host saves the reply within a moment, and its analysis takes a hold of its own.
            const held = release;
            release = () => undefined;
            void deps.clock.wait(1500).then(held);
        },
        chatChanged() {
            letGo();
            session.clearNotices();
            orchestrator.chatChanged();
            chatOpened();
        },
        edited: (index) => orchestrator.edited(index),
        messagesChanged: () => orchestrator.messagesChanged(),
        swiped: () => orchestrator.messagesChanged(),
        swipeDeleted(index, swipe) {
            const { chatKey } = deps.chat.read();
            if (renumberSwipes(index, swipe) && chatKey !== null) void deps.chat.save(chatKey);
            orchestrator.messagesChanged();
        },
        writingLimits() {
            // The placeholder call of the relay delivery is no agent's.
            const agent = orchestrator.writingAgent();
            if (agent === null) return { maxTokens: null, temperature: null };
            const settings = session.config().agents[agent];
            return { maxTokens: settings.maxTokens > 0 ? settings.maxTokens : null, temperature: settings.temperature };
        },
    };
}
