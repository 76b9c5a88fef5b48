import type { PresetContext } from '../prompt/prompt-input';
import type { PromptMessage } from '../ports';
import { importTavernModule, tavern, type ModuleImporter, type TavernContext, type TavernPrompt } from './context';
import { withoutSilentMacros } from './silent-macros';

/** The part of openai.js's promptManager that is read; its messages are those of the prompt being sent. */
interface PromptManager {
    activeCharacter?: { id?: number | string } | null;
    messages?: { collection?: unknown[] } | null;
}

interface SentMessage {
    identifier?: string;
    role?: string;
    content?: unknown;
    collection?: SentMessage[];
}

// Places for what is not the preset's own: history, world info, card and persona (they have sections of their own).
const markers = new Set(['worldInfoBefore', 'worldInfoAfter', 'charDescription', 'charPersonality', 'scenario', 'personaDescription', 'dialogueExamples', 'chatHistory']);

/** ST keeps one order for all characters under this id (openai.js setupChatCompletionPromptManager). */
const sharedOrderId = 100001;

function textOf(content: unknown): string {
    if (typeof content === 'string') return content;
    if (!Array.isArray(content)) return '';
    return (content as { text?: unknown }[]).map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
}

/** Prompts the preset has switched on for this kind of generation, in its order, markers left out. */
function ownPrompts(context: TavernContext, manager: PromptManager | undefined, generationType: string): TavernPrompt[] {
    const settings = context.chatCompletionSettings;
    const orders = settings.prompt_order ?? [];
    const id = manager?.activeCharacter?.id ?? sharedOrderId;
    const order = (orders.find((candidate) => String(candidate.character_id) === String(id)) ?? orders.find((candidate) => Number(candidate.character_id) === sharedOrderId) ?? orders.at(-1))?.order ?? [];
    return order.filter((entry) => entry.enabled && !markers.has(entry.identifier)).flatMap((entry) => {
        const prompt = settings.prompts?.find((candidate) => candidate.identifier === entry.identifier);
        if (prompt === undefined || prompt.marker === true) return [];
        const triggers = prompt.injection_trigger ?? [];
        return triggers.length === 0 || triggers.includes(generationType) ? [prompt] : [];
    });
}

/** The card's own main prompt or post-history instructions stand in for the preset's, where the user prefers them. */
function overridden(prompt: TavernPrompt, context: TavernContext): string {
    const own = prompt.content ?? '';
    if (prompt.forbid_overrides === true || (prompt.identifier !== 'main' && prompt.identifier !== 'jailbreak')) return own;
    const fields = context.getCharacterCardFields?.();
    const card = (prompt.identifier === 'main' ? fields?.system : fields?.jailbreak) ?? '';
    return card === '' ? own : card.replaceAll(/\{\{original\}\}/gi, () => own);
}

/**
 * The preset's own messages, in its order, as ST has them in the prompt it is about to send. Call it inside
 * CHAT_COMPLETION_PROMPT_READY, before `data.chat` is replaced.
 *
 * A prompt that ST keeps under its name is taken as sent. Where that name is lost (squashed system messages, prompts
 * placed inside the chat) its text is substituted anew, without macros that only set variables: those have run already.
 * Chat history, world info, card fields, persona, author's note and other extensions' prompts are never in it.
 */
export async function readPresetMessages(generationType: string | undefined, importModule: ModuleImporter = importTavernModule): Promise<PromptMessage[]> {
    const context = tavern();
    if (context.mainApi !== 'openai') return systemPromptOf(context);
    const openai: Record<string, unknown> = await importModule('/scripts/openai.js').catch(() => ({}));
    const manager = openai['promptManager'] as PromptManager | undefined;
    const groups = ((manager?.messages?.collection ?? []) as SentMessage[]).filter((item) => Array.isArray(item.collection));
    const messages: PromptMessage[] = [];
    for (const prompt of ownPrompts(context, manager, (generationType ?? 'normal').toLowerCase())) {
        const inChat = prompt.injection_position === 1;
        // Squashing leaves no group behind; otherwise a missing one means that ST sends nothing of this prompt.
        if (!inChat && groups.length > 0) {
            const sent = groups.filter((group) => group.identifier === prompt.identifier).flatMap((group) => group.collection ?? []).filter((message) => message.identifier === prompt.identifier);
            for (const message of sent) add(messages, message.role, textOf(message.content));
        } else {
            add(messages, prompt.role, context.substituteParams(withoutSilentMacros(overridden(prompt, context))));
        }
    }
    return messages;
}

function add(messages: PromptMessage[], role: string | undefined, text: string): void {
    const content = text.trim();
    if (content !== '') messages.push({ role: role === 'user' || role === 'assistant' ? role : 'system', content });
}

/** A text-completion "preset" is the user's system prompt. */
function systemPromptOf(context: TavernContext): PromptMessage[] {
    const system = context.powerUserSettings['sysprompt'] as { enabled?: boolean; content?: string } | undefined;
    if (system?.enabled !== true) return [];
    const messages: PromptMessage[] = [];
    add(messages, 'system', context.substituteParams(withoutSilentMacros(system.content ?? '')));
    return messages;
}

/** The preset in the seed's `split` shape: system texts for planning and writing, user texts for writing. Assistant texts (prefills) have no place there. */
export async function readPreset(generationType: string | undefined, importModule: ModuleImporter = importTavernModule): Promise<PresetContext> {
    const messages = await readPresetMessages(generationType, importModule);
    const joined = (role: string): string => messages.filter((message) => message.role === role).map((message) => message.content).join('\n\n');
    return { planningContext: joined('system'), writingSystemContext: joined('system'), writingUserContext: joined('user') };
}
