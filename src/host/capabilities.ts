import { notice, type Notice } from '../notice';
import { importTavernModule, tavern, type ModuleImporter } from './context';
import { eventName, type TavernEvent } from './events';

/** What this SillyTavern has, found by looking and not by its version number (1.13.5 to 1.19.0 are supported). */
export interface Capabilities {
    /** `generateRaw` takes an object (1.13+). */
    generateRaw: boolean;
    chatCompletionService: boolean;
    /** ST's own builder of a request body can be had (1.14+); before, the body is built from the settings. */
    generationParameters: boolean;
    /** Named connection profiles can be called: the service exists and its extension is enabled. */
    connectionProfiles: boolean;
    saveMetadataDebounced: boolean;
    swipeDeletedEvent: boolean;
    chatRenamedEvent: boolean;
    ignoreSymbol: boolean;
    updateMessageBlock: boolean;
    messageFormatting: boolean;
    cardFields: boolean;
    unshallow: boolean;
    worldInfoNames: boolean;
    localforage: boolean;
    /** What is missing that a user would notice; empty on supported versions. */
    missing: string[];
}

/** Whether the bundled Connection Manager is there and enabled: its service throws otherwise. */
export function connectionProfilesAvailable(): boolean {
    const context = tavern();
    const disabled = context.extensionSettings.disabledExtensions;
    const manager = context.extensionSettings.connectionManager as { profiles?: unknown } | undefined;
    return context.ConnectionManagerRequestService !== undefined
        && !(Array.isArray(disabled) && disabled.includes('connection-manager'))
        && Array.isArray(manager?.profiles);
}

/** Probes everything once; cheap enough to repeat. */
export async function probeCapabilities(importModule: ModuleImporter = importTavernModule): Promise<Capabilities> {
    const context = tavern();
    const has = (name: TavernEvent): boolean => eventName(name) !== undefined;
    const openai: Record<string, unknown> = await importModule('/scripts/openai.js').catch(() => ({}));
    const libraries = (globalThis as { SillyTavern?: { libs?: Record<string, unknown> } }).SillyTavern?.libs;
    const found = {
        generateRaw: typeof context.generateRaw === 'function',
        chatCompletionService: context.ChatCompletionService !== undefined,
        generationParameters: typeof openai['createGenerationParameters'] === 'function',
        connectionProfiles: connectionProfilesAvailable(),
        saveMetadataDebounced: typeof context.saveMetadataDebounced === 'function',
        swipeDeletedEvent: has('MESSAGE_SWIPE_DELETED'),
        chatRenamedEvent: has('CHAT_RENAMED'),
        ignoreSymbol: typeof context.symbols?.ignore === 'symbol',
        updateMessageBlock: typeof context.updateMessageBlock === 'function',
        messageFormatting: typeof context.messageFormatting === 'function',
        cardFields: typeof context.getCharacterCardFields === 'function',
        unshallow: typeof context.unshallowCharacter === 'function',
        worldInfoNames: typeof context.getWorldInfoNames === 'function',
        localforage: libraries?.['localforage'] !== undefined,
    };
    const missing: string[] = [];
    if (!has('CHAT_COMPLETION_PROMPT_READY')) missing.push('CHAT_COMPLETION_PROMPT_READY');
    if (!found.updateMessageBlock) missing.push('updateMessageBlock');
    if (!found.generateRaw && !found.chatCompletionService) missing.push('generateRaw');
    return { ...found, missing };
}

/** What to tell the user of a version that lacks something; null on supported ones. */
export function versionNotice(capabilities: Capabilities): Notice | null {
    return capabilities.missing.length === 0 ? null : notice('error', 'host.version-lacks', { parts: capabilities.missing.join(', ') });
}
