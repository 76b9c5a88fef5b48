import { condensePrompt } from '../agents/condense/prompt';
import { condensePlan } from '../state/condense-plan';
import type { AgentCalls } from './agent-calls';
import type { ChatReader } from './chat-state';
import type { Commit } from './commit';
import type { PipelineDeps } from './deps';
import type { PromptLanguage } from '../prompt/prompt-input';

/**
 * Condenses the oldest summaries into one chapter when all of them pass the limit of the settings. The chapter is kept in
 * the record of the last turn it covers, the originals stay in theirs. Does nothing when there is nothing to do.
 */
export async function condenseSummaries(deps: Pick<PipelineDeps, 'tokens' | 'progress' | 'notify' | 'config' | 'changed'> & { reader: ChatReader; commit: Commit }, agents: AgentCalls, language: PromptLanguage, signal: AbortSignal): Promise<void> {
    const limit = deps.config().pipeline.summaryTokenLimit;
    const { view, fold, turns } = deps.reader.now();
    const plan = condensePlan(fold, (text) => deps.tokens.estimate(text), limit);
    const carrier = plan && turns.find((turn) => turn.number === plan.to)?.replies.findLast((reply) => reply.record !== null)?.record;
    if (!plan || !carrier || view.chatKey === null) return;
    deps.progress({ stage: 'condense', subject: `${plan.from}–${plan.to}` });
    const tokens = plan.lines.reduce((sum, line) => sum + deps.tokens.estimate(line), 0);
    const result = await agents.condense(condensePrompt(plan.lines, tokens / 4, language), signal);
    if (!result.ok) {
        if (result.kind !== 'aborted') deps.notify(result.notice);
        return;
    }
    // The record may have changed while the model wrote.
    const current = deps.reader.now().turns.flatMap((turn) => turn.replies).find((reply) => reply.record?.id === carrier.id)?.record;
    if (!current) return;
    await deps.commit.finish(carrier.id, view.chatKey, { record: { ...current, chapter: { from: plan.from, to: plan.to, of: plan.of, text: result.value } } });
    deps.changed();
}
