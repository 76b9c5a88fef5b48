import { notice, type Notice } from '../notice';
import type { SandboxPort } from '../ports';
import type { PromptLanguage } from '../prompt/prompt-input';
import type { ToolDefinition, ToolEntry } from './definition';
import { readToolEntry, type ToolReading } from './read-tool-entry';
import { rollDiceName, rollDiceTool } from './roll-dice-tool';

export interface RegistryOptions {
    /** `tools.rollDiceAlways`: roll_dice is there without an entry. */
    rollDiceAlways: boolean;
    /** Language of the built-in tool's description. */
    language?: PromptLanguage;
    /** Tools of ours (mvu_extract); entries cannot take their names. They come last. */
    automatic?: ToolDefinition[];
}

export interface Registration {
    tools: ToolDefinition[];
    faults: Notice[];
}

/**
 * The tools of this turn, from the `[TOOL:…]` entries that are active, in the entries' order. Faulty and duplicate ones
 * are left out; `faults` say which entry, which line, and the mend. Code is not compiled here: see registerCheckedTools.
 */
export function registerTools(entries: ToolEntry[], options: RegistryOptions): Registration {
    return settle(entries.map((entry) => readToolEntry(entry, options.language)), options);
}

/** What is known of codes already compiled; keep one for the session, so that a tool is compiled once. */
export type SyntaxMemory = Map<string, { message: string; line?: number } | null>;

/** As registerTools, with the syntax of custom code checked in the sandbox, which reads the code but does not run it. */
export async function registerCheckedTools(entries: ToolEntry[], options: RegistryOptions & { sandbox: Pick<SandboxPort, 'checkSyntax'>; checked?: SyntaxMemory }): Promise<Registration> {
    const readings = entries.map((entry) => readToolEntry(entry, options.language));
    const memory = options.checked ?? new Map();
    for (const reading of readings) {
        const code = reading.tool?.code;
        if (code === undefined) continue;
        const fault = memory.has(code) ? memory.get(code) : await options.sandbox.checkSyntax(code);
        memory.set(code, fault ?? null);
        if (fault == null) continue;
        reading.faults.push(notice('error', 'tools.code-syntax', { ...reading.place, tool: reading.tool?.name ?? '', message: fault.message, line: reading.codeLine, codeLine: fault.line ?? 1 }));
        reading.tool = null;
    }
    return settle(readings, options);
}

/** The first of a name stays. */
function settle(readings: ToolReading[], options: RegistryOptions): Registration {
    const tools: ToolDefinition[] = [];
    const faults: Notice[] = [];
    const automatic = options.automatic ?? [];
    for (const { tool, faults: found, place } of readings) {
        faults.push(...found);
        if (tool === null) continue;
        if (automatic.some((own) => own.name === tool.name)) {
            faults.push(notice('error', 'tools.name-reserved', { ...place, tool: tool.name, line: 1 }));
            continue;
        }
        const first = tools.find((other) => other.name === tool.name);
        if (first !== undefined) faults.push(notice('error', 'tools.duplicate', { ...place, tool: tool.name, first: first.title, firstId: first.source, line: 1 }));
        else tools.push(tool);
    }
    if (options.rollDiceAlways && !tools.some((tool) => tool.name === rollDiceName)) tools.push(rollDiceTool(options.language));
    return { tools: [...tools, ...automatic], faults };
}
