import type { PromptMessage, Role } from '../ports';
import type { BuiltPrompt, PromptSection } from './prompt-input';

/** A section, or nothing: empty ones leave no trace in a prompt. */
export type MaybeSection = PromptSection | null;

/** `<tag>` block on lines of its own; null when there is nothing to put in it. */
export function tagged(role: Role, tag: string, content: string | readonly string[]): MaybeSection {
    const body = typeof content === 'string' ? content : content.filter((part) => part.trim() !== '').join('\n');
    return body.trim() === '' ? null : { role, name: tag, text: `<${tag}>\n${body}\n</${tag}>` };
}

/** A block without a tag. */
export function plain(role: Role, name: string, text: string): MaybeSection {
    return text.trim() === '' ? null : { role, name, text };
}

/** Joins sections into one message a run of the same role, an empty line between sections. */
export function builtPrompt(sections: readonly MaybeSection[]): BuiltPrompt {
    const present = sections.filter((section): section is PromptSection => section !== null);
    const messages: PromptMessage[] = [];
    for (const section of present) {
        const last = messages[messages.length - 1];
        if (last?.role === section.role) last.content += `\n\n${section.text}`;
        else messages.push({ role: section.role, content: section.text });
    }
    return { messages, sections: present };
}
