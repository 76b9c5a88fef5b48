import { notice } from '../notice';
import { greetingOf, interruptedOf, placeholdersOf, repliesIn, type NumberedReply } from './catch-up';
import type { Core } from './core';
import type { JobQueue } from './job-queue';
import type { OpenTurnSteps } from './open-turn';
import type { ReplyWork } from './reply-work';
import { rerunTool } from './rerun-tool';

/** The work on replies that stand in the chat, as jobs in the background. */
export interface ReplyJobs {
    /** Queues work that belongs to a turn. Resolves when it is over, however it ended. */
    add(chatKey: string, turnId: string, run: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
    /** The greeting, where it is yet to be analysed. */
    greeting(chatKey: string): void;
    /** Turns that were in flight when the page, the chat or the swipe was left; `open` is in flight still. */
    resume(open: string | undefined): void;
    /** A reply's text was edited. */
    edited(index: number): void;
    reanalyse(index: number, onwards: boolean): Promise<void>;
    rerunTool(index: number, tool: string): Promise<void>;
    /** Entries of the open chat's turns that nothing waits for any more. */
    clearJournal(chatKey: string): void;
}

export function createReplyJobs(parts: { core: Core; queue: JobQueue; replies: ReplyWork; takeBack: OpenTurnSteps['takeBack'] }): ReplyJobs {
    const { core, queue, replies, takeBack } = parts;
    const { deps, reader, commit } = core;

    const add: ReplyJobs['add'] = (chatKey, id, run) => queue.add(id, chatKey, async (signal) => void (await run(signal))).promise;

    /** Analyses a reply in the background, wherever it stands by then and whatever was done to it before. */
    const analyseLater = (chatKey: string, { reply, turn }: NumberedReply, force: boolean): Promise<void> => {
        const id = reply.record?.id;
        return add(chatKey, id ?? `unrecorded:${reply.index}`, async (signal) => {
            const now = repliesIn(reader.now().turns).find((each) => (id === undefined ? each.reply.index === reply.index && each.reply.record === null : each.reply.record?.id === id));
            // It is on another swipe now: what it lacks is made up for when it is shown again.
            if (!now) return;
            deps.progress({ stage: 'catch_up', subject: String(turn) });
            await replies.analyse(now.reply, now.turn, signal, force);
        });
    };

    const resume = (open: string | undefined): void => {
        const { view, turns } = reader.now();
        const { chatKey } = view;
        if (chatKey === null || !deps.config().enabled) return;
        for (const gap of interruptedOf(turns)) {
            const id = gap.reply.record?.id;
            if (id !== open && !queue.jobs().some((job) => job.turnId === id && !job.controller.signal.aborted)) void analyseLater(chatKey, gap, false);
        }
        for (const { reply } of placeholdersOf(turns)) {
            const id = reply.record?.id;
            if (id === undefined || id === open || queue.jobs().some((job) => job.turnId === id)) continue;
            deps.notify(notice('info', 'pipeline.relay-interrupted'));
            void add(chatKey, id, () => takeBack(id, chatKey));
        }
    };

    const clearJournal = (chatKey: string): void => {
        for (const { turnId, chatKey: of } of deps.journal.turns()) {
            if (of === '' || (of === chatKey && commit.standing(turnId, chatKey)?.status !== 'pending')) deps.journal.clear(turnId);
        }
    };

    const greeting = (chatKey: string): void => {
        const reply = greetingOf(reader.now().turns);
        if (reply) void add(chatKey, 'greeting', (signal) => replies.analyse(reply, 0, signal, false));
    };

    return {
        add,
        greeting,
        resume,
        clearJournal,

        edited(index) {
            if (!deps.config().enabled || !deps.config().pipeline.reanalyseEdits) return;
            const { view, turns } = reader.now();
            const found = repliesIn(turns).find(({ reply }) => reply.index === index);
            if (found?.reply.stale && view.chatKey !== null) void analyseLater(view.chatKey, found, true);
        },

        async reanalyse(index, onwards) {
            const { view, turns } = reader.now();
            const { chatKey } = view;
            if (chatKey === null) return;
            const chosen = repliesIn(turns).filter(({ reply }) => (onwards ? reply.index >= index : reply.index === index));
            await Promise.all(chosen.map((each) => analyseLater(chatKey, each, true)));
        },

        async rerunTool(index, tool) {
            const chatKey = deps.chat.read().chatKey;
            const record = reader.now().turns.flatMap((turn) => turn.replies).find((reply) => reply.index === index)?.record;
            if (chatKey === null || !record) return;
            await add(chatKey, record.id, async (signal) => {
                deps.progress({ stage: 'post_tools', subject: tool });
                const work = await replies.gather(index, record, { analyse: false, onlyTools: [tool] });
                await rerunTool(core, work, tool, signal);
                await work.trace.save(record.id, chatKey);
            });
        },
    };
}
