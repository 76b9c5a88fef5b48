import type { ReaderPort } from '../ports';
import { speakingCharacterIndex, tavern, type TavernCardFields } from './context';

/** ST's persona position for "in no prompt at all" (personas.js persona_description_positions.NONE). */
const personaNowhere = 9;

function cardFields(): Partial<TavernCardFields> {
    const context = tavern();
    const index = speakingCharacterIndex(context);
    if (context.getCharacterCardFields !== undefined) return context.getCharacterCardFields(index === null ? {} : { chid: index });
    // 1.12.14 has no such function in its context.
    const card = index === null ? undefined : context.characters[index];
    const text = (value: unknown): string => (typeof value === 'string' ? context.substituteParams(value.trim()) : '');
    return {
        persona: text(context.powerUserSettings['persona_description']),
        description: text(card?.description ?? card?.data?.description),
        personality: text(card?.personality ?? card?.data?.personality),
        scenario: text(context.chatMetadata['scenario'] || card?.scenario),
        charDepthPrompt: text(card?.data?.extensions?.depth_prompt?.prompt),
        creatorNotes: text(card?.data?.creator_notes),
    };
}

/** What ST's regex extension exports (extensions/regex/engine.js); the user's scripts and switches are read at each call. */
export interface RegexModule {
    regex_placement?: Record<string, number>;
    getRegexedString?: (text: string, placement: number, options: { depth: number | null; isMarkdown: boolean; isPrompt: boolean }) => string;
}

/**
 * Reads persona and card as ST would put them into a prompt now, macros substituted. In a group the card is the speaking
 * member's (or the joined cards, where the group is set so). A shallow card reads as empty: loading the worldbook unshallows it.
 */
export function createReaders(regex: RegexModule = {}): ReaderPort {
    return {
        persona() {
            if (Number(tavern().powerUserSettings['persona_description_position']) === personaNowhere) return '';
            return (cardFields().persona ?? '').trim();
        },
        character() {
            const context = tavern();
            const index = speakingCharacterIndex(context);
            const card = index === null ? undefined : context.characters[index];
            const fields = cardFields();
            return {
                name: card?.name ?? context.name2,
                description: fields.description ?? '',
                personality: fields.personality ?? '',
                scenario: fields.scenario ?? '',
                depthPrompt: fields.charDepthPrompt ?? '',
                creatorNotes: fields.creatorNotes ?? '',
                avatar: card?.avatar ?? '',
                // Ids, not names: a worldbook's character filter holds tag ids.
                tags: card === undefined ? null : (context.tagMap?.[card.avatar] ?? null),
            };
        },
        substitute: (text) => tavern().substituteParams(text),
        rewriteEntry(text, depth) {
            const placement = regex.regex_placement?.['WORLD_INFO'];
            if (placement === undefined || regex.getRegexedString === undefined) return text;
            return regex.getRegexedString(text, placement, { depth, isMarkdown: false, isPrompt: true });
        },
    };
}
