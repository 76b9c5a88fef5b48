import { describe, expect, it } from 'vitest';
import { probeCapabilities, versionNotice } from '../../src/host/capabilities';
import { on } from '../../src/host/events';
import { installTavern } from './fake-tavern';

describe('what a version of SillyTavern has', () => {
    it('is found by looking, and what a user would miss is told', async () => {
        installTavern({ generateRaw: async () => '' });
        const modern = await probeCapabilities(async () => ({ createGenerationParameters: () => undefined }));
        expect(modern).toMatchObject({ generateRaw: true, generationParameters: true, ignoreSymbol: true, chatRenamedEvent: false, missing: [] });
        expect(versionNotice(modern)).toBeNull();
        installTavern({ generateRaw: undefined, updateMessageBlock: undefined, eventTypes: {} });
        const old = await probeCapabilities(() => Promise.reject(new Error('no module')));
        expect(old.generationParameters).toBe(false);
        expect(versionNotice(old)).toMatchObject({ level: 'error', code: 'host.version-lacks', params: { parts: 'CHAT_COMPLETION_PROMPT_READY, updateMessageBlock, generateRaw' } });
    });

    it('listening to an event it lacks does nothing', () => {
        installTavern({ eventTypes: {} });
        expect(on('CHAT_RENAMED', () => undefined, new AbortController().signal)).toBe(false);
    });
});
