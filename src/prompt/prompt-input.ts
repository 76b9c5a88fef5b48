import type { AgentName, PromptMessage, Role } from '../ports';
import type { Turn } from '../text/turn';

export type PromptLanguage = 'zh' | 'en';

/** Rendered entry texts of one audience, in prompt order. */
export interface RoutedEntries {
    worldinfo1: string[];
    worldinfo2: string[];
    worldinfo3: string[];
}

/** The preset's texts in `split` mode (seed: 预设条目注意事项); all empty in `none`. */
export interface PresetContext {
    planningContext: string;
    writingSystemContext: string;
    writingUserContext: string;
}

/** The planning agent's guide (seed: 规划 output). */
export interface WritingGuide {
    narrative_direction: string;
    scene_setting: string;
    key_points: string[];
    tone: string;
    pacing: string;
    continuity_notes: string[];
    tool_calls: { tool: string; params: Record<string, unknown> }[];
    text_recall: number[];
}

/** Everything a prompt can be made of. Each agent takes only what the seed lets it see. */
export interface PromptInput {
    language: PromptLanguage;
    layout: 'seed' | 'shared';
    preset: PresetContext;
    planner: RoutedEntries;
    writer: RoutedEntries;
    /** One line each, oldest first. */
    summaries: string[];
    persona: string;
    /** The card's description fields, where the `characterCard` setting asks for them; per agent. */
    characterCard: { planning: string; writing: string };
    /** All finished turns before this one, the greeting included; windows are cut from it. */
    turns: Turn[];
    windows: { planning: { n: number; m: number }; writing: { n: number; m: number } };
    stateSummary: string;
    userInput: string;
    /** Group chats: whose reply this is. */
    speaker?: string;
    guide: WritingGuide | null;
    /** `检定结果：1d20 = …`, one text a planning tool. */
    toolResults: string[];
    /** The list of planning tools, empty when there are none. */
    toolListText: string;
    textRecallEnabled: boolean;
    recalled: { turn: number; text: string }[];
    /** This turn's narrative, for the analysis. */
    narrative: string;
    turnNumber: number;
    /** `agents.mergedAnalysis.antiHallucination`. */
    antiHallucination: boolean;
    /** What the user appends to each agent's prompt. */
    extraInstructions: Partial<Record<AgentName, string>>;
}

/** One block of a prompt, kept apart for the panel and the trace. */
export interface PromptSection {
    role: Role;
    /** Tag name, or a name of its own for untagged blocks: preset, engine, tool_list, tool_binding, instruction, extra. */
    name: string;
    text: string;
}

/** A finished prompt: the messages sent, and the sections they were joined from, in order. */
export interface BuiltPrompt {
    messages: PromptMessage[];
    sections: PromptSection[];
}
