import type { WritingGuide } from '../prompt/prompt-input';
import type { ToolRun, TurnRecord } from '../turn-record';
import type { AgentCalls } from './agent-calls';
import type { CallDeps } from './call-model';
import type { TurnContext } from './turn-context';

/** A reply whose narrative is there and whose rest is still to be made. */
export interface TurnWork {
    chatKey: string;
    record: TurnRecord;
    /** The narrative as written, unwrapped. */
    narrative: string;
    /** The message's text when the work began: another text at the end means the user edited it meanwhile. */
    text: string;
    context: TurnContext;
    agents: AgentCalls;
    calls: CallDeps;
    guide: WritingGuide | null;
    /** Runs of planning tools that the record already holds. */
    planningRuns: ToolRun[];
    /** The greeting's text is the author's: it is analysed, never rewritten. */
    keepText: boolean;
    /** Which parts to make; all by default. */
    analyse: boolean;
    /** Names of the post_pipeline tools to run; all active ones when absent. */
    onlyTools?: string[];
}

/** Outputs paid for so far, kept for the case of a reload. */
export interface TurnJournal {
    get(purpose: string): string | null;
    keep(purpose: string, text: string): void;
}
