/**
 * Calls when messages were moved, hidden or shown: SillyTavern tells of none of these (script.js, messageEditMove; chats.js,
 * hideChatMessageRange), but each rewrites an attribute of the message's block. Once for what happens together.
 */
export function watchMessageBlocks(onChange: () => void, signal: AbortSignal): void {
    const chat = document.querySelector('#chat');
    if (chat === null) return;
    let told = false;
    const observer = new MutationObserver(() => {
        if (told) return;
        told = true;
        setTimeout(() => {
            told = false;
            if (!signal.aborted) onChange();
        }, 50);
    });
    observer.observe(chat, { subtree: true, attributes: true, attributeFilter: ['mesid', 'is_system'] });
    signal.addEventListener('abort', () => observer.disconnect(), { once: true });
}
