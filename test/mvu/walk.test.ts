import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVariables } from '../../src/host/mvu/adapter';
import { fakeTavern } from './fake-tavern';

type Action = { kind: 'turn' | 'swipe' | 'back' | 'delete' | 'delete-middle' | 'delete-swipe' | 'branch' | 'unanswered'; amount: number };

/** What each swipe of each message must hold; null where it holds nothing of its own. */
type Model = { shown: number; values: (number | null)[] }[];

describe('the embedded store over a random walk of what users do', () => {
    it('shows the values of the chat as it is', async () => {
        const action = fc.record<Action>({ kind: fc.constantFrom('turn', 'swipe', 'back', 'delete', 'delete-middle', 'delete-swipe', 'branch', 'unanswered'), amount: fc.integer({ min: -9, max: 9 }) });
        await fc.assert(fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
            const tavern = fakeTavern();
            tavern.host.wait = () => Promise.resolve();
            const variables = createVariables(tavern.host);
            await variables.initialise([{ id: '镇#0', comment: '', content: '{"n": 100}', book: '镇', origin: 'card' }]);
            let model: Model = [{ shown: 0, values: [100] }];
            const expected = (before: number): number | undefined => {
                for (let index = before - 1; index >= 0; index -= 1) {
                    const entry = model[index];
                    const value = entry?.values[entry.shown];
                    if (value !== null && value !== undefined) return value;
                }
                return undefined;
            };
            const answer = async (index: number, swipe: number, amount: number) => {
                const base = expected(index);
                const { results } = await variables.update(index, swipe, [{ op: 'delta', path: '/n', value: amount }]);
                if (base === undefined) expect(results[0]?.ok).toBe(false);
                const entry = model[index];
                if (entry) entry.values[swipe] = base === undefined ? null : base + amount;
            };
            for (const { kind, amount } of actions) {
                const last = tavern.chat.length - 1;
                const message = tavern.chat[last];
                const isReply = last > 0 && message !== undefined && !message.is_user && message.swipes !== undefined;
                if (kind === 'turn' || kind === 'unanswered') {
                    await tavern.say('说');
                    model.push({ shown: 0, values: [expected(model.length) ?? null] });
                    if (kind === 'unanswered') continue;
                    await tavern.reply('答。');
                    model.push({ shown: 0, values: [null] });
                    await answer(tavern.chat.length - 1, 0, amount);
                } else if (kind === 'swipe' && isReply) {
                    await tavern.swipe('另一个答。');
                    const entry = model[last];
                    if (entry) entry.shown = entry.values.push(null) - 1;
                    expect(variables.read(last)?.tree['n']).toBe(expected(last));
                    await answer(last, message.swipe_id ?? 0, amount);
                } else if (kind === 'back' && isReply) {
                    message.swipe_id = Math.abs(amount) % (message.swipes?.length ?? 1);
                    const entry = model[last];
                    if (entry) entry.shown = message.swipe_id;
                } else if (kind === 'delete' && last > 0) {
                    tavern.chat.pop();
                    model.pop();
                } else if (kind === 'delete-middle' && last > 1) {
                    const at = 1 + (Math.abs(amount) % (last - 1));
                    tavern.chat.splice(at, 1);
                    model.splice(at, 1);
                } else if (kind === 'delete-swipe' && isReply && (message.swipes?.length ?? 0) > 1) {
                    const at = message.swipe_id ?? 0;
                    message.swipes?.splice(at, 1);
                    message.swipe_id = Math.max(0, at - 1);
                    await tavern.emit('message_swipe_deleted', { messageId: last, swipeId: at, newSwipeId: message.swipe_id });
                    const entry = model[last];
                    entry?.values.splice(at, 1);
                    if (entry) entry.shown = message.swipe_id;
                } else if (kind === 'branch') {
                    const kept = Math.max(1, tavern.chat.length - Math.abs(amount));
                    tavern.chat = structuredClone(tavern.chat.slice(0, kept));
                    model = structuredClone(model.slice(0, kept));
                }
                expect(variables.read()?.tree['n']).toBe(expected(model.length));
                expect(tavern.chat.every((each) => !Array.isArray(each.variables) || each.variables.length <= Math.max(each.swipes?.length ?? 1, 1))).toBe(true);
            }
            variables.stop();
        }), { numRuns: 150 });
    });
});
