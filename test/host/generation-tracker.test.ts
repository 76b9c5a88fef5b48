import { describe, expect, it } from 'vitest';
import { createGenerationTracker, type GenerationTracker } from '../../src/host/generation-tracker';

function begin(tracker: GenerationTracker, type: string | undefined, options: Record<string, unknown> = {}): void {
    tracker.started(false);
    tracker.afterCommands(type, options, false, 'char:a.png/chat');
}

describe('whose generation a prompt belongs to', () => {
    it.each([['normal', 'normal'], [undefined, 'normal'], ['regenerate', 'regenerate'], ['swipe', 'swipe']])('takes the user\'s own %s', (type, kind) => {
        const tracker = createGenerationTracker(true);
        begin(tracker, type);
        tracker.scanning();
        expect(tracker.promptReady(false)).toMatchObject({ kind, taken: true });
        // Once only.
        expect(tracker.promptReady(false)).toBeNull();
    });

    it.each(['impersonate', 'quiet', 'something-new'])('leaves %s alone', (type) => {
        const tracker = createGenerationTracker(true);
        begin(tracker, type);
        tracker.scanning();
        expect(tracker.promptReady(false)).toBeNull();
    });

    it('leaves continue alone, but knows of it', () => {
        const tracker = createGenerationTracker(true);
        begin(tracker, 'continue');
        tracker.scanning();
        expect(tracker.promptReady(false)).toBeNull();
        expect(tracker.current()).toMatchObject({ kind: 'continue' });
    });

    it('leaves dry runs alone, before and during a generation', () => {
        const tracker = createGenerationTracker(true);
        tracker.started(true);
        tracker.afterCommands('normal', {}, true, 'char:a.png/chat');
        tracker.scanning();
        expect(tracker.promptReady(true)).toBeNull();
        begin(tracker, 'normal');
        tracker.scanning();
        expect(tracker.promptReady(true)).toBeNull();
        expect(tracker.promptReady(false)).not.toBeNull();
    });

    it('leaves a script\'s own call alone, which announces commands but never starts', () => {
        const tracker = createGenerationTracker(true);
        tracker.afterCommands('normal', {}, false, 'char:a.png/chat');
        tracker.scanning();
        expect(tracker.promptReady(false)).toBeNull();
    });

    it('does not take a raw call made before the main prompt is built', () => {
        const tracker = createGenerationTracker(true);
        begin(tracker, 'normal');
        expect(tracker.promptReady(false)).toBeNull();
        tracker.scanning();
        expect(tracker.promptReady(false)).toMatchObject({ kind: 'normal' });
    });

    it('lets another extension\'s quiet call pass in the middle of the user\'s turn', () => {
        const tracker = createGenerationTracker(true);
        begin(tracker, 'normal');
        begin(tracker, 'quiet', { quiet_prompt: 'summarise' });
        tracker.scanning();
        expect(tracker.promptReady(false)).toBeNull();
        tracker.scanning();
        expect(tracker.promptReady(false)).toMatchObject({ kind: 'normal' });
    });

    it('forgets a background call that was stopped before its prompt', () => {
        const tracker = createGenerationTracker(true);
        begin(tracker, 'quiet', { quiet_prompt: 'x' });
        tracker.ended();
        begin(tracker, 'normal');
        tracker.scanning();
        expect(tracker.promptReady(false)).not.toBeNull();
    });

    it('takes nothing after the end, and nothing without a chat', () => {
        const tracker = createGenerationTracker(true);
        begin(tracker, 'normal');
        tracker.scanning();
        tracker.ended();
        expect(tracker.promptReady(false)).toBeNull();
        tracker.started(false);
        expect(tracker.afterCommands('normal', {}, false, null)).toBeNull();
    });

    it('needs no scan event where the host has none', () => {
        const tracker = createGenerationTracker(false);
        begin(tracker, undefined);
        expect(tracker.promptReady(false)).toMatchObject({ kind: 'normal' });
    });
});
