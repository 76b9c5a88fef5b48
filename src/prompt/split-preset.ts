import type { PromptMessage } from '../ports';
import type { PresetContext } from './prompt-input';

/** What of the host's own prompt is no preset text. */
export interface PresetExclusions {
    /** Messages of the chat, the user's new line included. */
    chat: readonly string[];
    /** Worldbook texts as the host rendered them: lore, tools, [initvar], [mvu_update]. */
    worldInfo: readonly string[];
    /** Anything else that has a section of its own (persona, card). */
    others?: readonly string[];
}

const nothing: PresetContext = { planningContext: '', writingSystemContext: '', writingUserContext: '' };

/**
 * The preset's texts out of the host's finished prompt (seed: presetMode split): its system messages for planning and
 * writing, its user messages for writing; chat history, worldbook texts and assistant messages left out. The host may have
 * joined several texts into one message, or put a name before a chat line.
 */
export function splitPreset(prompt: readonly PromptMessage[], exclude: PresetExclusions): PresetContext {
    const removed = [...exclude.worldInfo, ...(exclude.others ?? [])].map((text) => text.trim()).filter((text) => text !== '').sort((a, b) => b.length - a.length);
    const chat = exclude.chat.map(flat).filter((text) => text !== '');
    const system: string[] = [];
    const user: string[] = [];
    for (const message of prompt) {
        if (message.role === 'assistant' || typeof message.content !== 'string') continue;
        if (isChat(message.content, chat)) continue;
        let rest = message.content.replace(/\r\n?/g, '\n');
        for (const text of removed) rest = without(rest, text);
        rest = rest.replace(/\n{3,}/g, '\n\n').trim();
        if (rest === '' || flat(rest) === '') continue;
        (message.role === 'system' ? system : user).push(rest);
    }
    if (system.length === 0 && user.length === 0) return nothing;
    const systemText = system.join('\n\n');
    return { planningContext: systemText, writingSystemContext: systemText, writingUserContext: user.join('\n\n') };
}

/** A text without blanks and without the marks that display regexes like to change. */
function flat(text: string): string {
    return text.replace(/<[^<>]*>/g, '').replace(/[\s*_`"“”'‘’]+/g, '');
}

function isChat(content: string, chat: readonly string[]): boolean {
    const whole = flat(content);
    if (whole === '') return true;
    return chat.some((text) => {
        if (whole === text) return true;
        // A name before it (`旅人: …`), or a part of it where a regex shortened the line.
        if (whole.endsWith(text) && whole.length - text.length <= 40 && /[:：]$/.test(whole.slice(0, whole.length - text.length))) return true;
        if (text.length >= 12 && whole.includes(text) && text.length >= whole.length * 0.6) return true;
        return whole.length >= 12 && text.includes(whole);
    });
}

function without(text: string, part: string): string {
    if (part.length < 4) return text.trim() === part ? '' : text;
    return text.split(part).join('');
}
