import { ModelCallError, type ClockPort, type ModelPort, type ModelReply, type ModelRequest } from '../../src/ports';

/** How a model call ends: as it should, refused, with text nobody can read, or never. */
export type Mood = 'ok' | 'http' | 'unreadable' | 'hang';

export interface ScriptedModel extends ModelPort {
    /** Moods of the next calls; after them all is well. */
    moods: Mood[];
    /** Purposes of the calls made, oldest first. */
    calls: string[];
    /** Ms a call takes. */
    delay: number;
}

/** The prose of a segment tells what happens in it: `第12段，得币3，过刻5，至地4。` */
const segment = /第(\d+)段，得币(\d+)，过刻(\d+)，至地(\d+)。/g;

export interface Happening {
    id: number;
    coins: number;
    minutes: number;
    place: number;
}

/** What a reader finds in a prose: the test's oracle and the scripted model read alike, and nothing else of theirs is shared. */
export function happeningsIn(prose: string): Happening[] {
    return [...prose.matchAll(segment)].map(([, id, coins, minutes, place]) => ({ id: Number(id), coins: Number(coins), minutes: Number(minutes), place: Number(place) }));
}

export function segmentText({ id, coins, minutes, place }: Happening): string {
    return `第${id}段，得币${coins}，过刻${minutes}，至地${place}。`;
}

function block(text: string, tag: string): string {
    return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? '';
}

function answer(request: ModelRequest): string {
    const prompt = request.messages.map((message) => message.content).join('\n');
    switch (request.purpose) {
        case 'mergedAnalysis': {
            const found = happeningsIn(block(prompt, 'narrative_text'));
            return JSON.stringify({
                events: found.flatMap(({ coins, minutes, place }) => [
                    { type: 'add_item', params: { item: '币', quantity: coins } },
                    { type: 'pass_time', params: { amount: minutes, unit: 'minutes' } },
                    { type: 'move', params: { location: `地${place}` } },
                ]),
                summary_entries: [`[第99轮] 用户意图：走 | 叙事要点：#${found.map(({ id }) => id).join('+')}#`],
            });
        }
        case 'planning': return JSON.stringify({ narrative_direction: '继续', scene_setting: '', key_points: ['走'], tone: '', pacing: '', continuity_notes: [], tool_calls: [], text_recall: [] });
        case 'condense': return `一章：${[...prompt.matchAll(/#[\d+]*#/g)].map(([mark]) => mark).join('')}`;
        default: return `<panel>${block(prompt, 'state_summary').length}</panel>`;
    }
}

/** A model that reads its prompt and answers from it alone, unless its mood is another. */
export function createScriptedModel(clock: ClockPort): ScriptedModel {
    const model: ScriptedModel = {
        moods: [],
        calls: [],
        delay: 20,
        connectionOf: () => 'main',
        async call(request, signal): Promise<ModelReply> {
            model.calls.push(request.purpose);
            const mood = model.moods.shift() ?? 'ok';
            const aborted = (): ModelCallError => new ModelCallError('stopped', 'aborted', false);
            if (mood === 'hang') {
                return new Promise((_, reject) => {
                    if (signal.aborted) reject(aborted());
                    signal.addEventListener('abort', () => reject(aborted()), { once: true });
                });
            }
            await clock.wait(model.delay, signal).catch(() => {
                throw aborted();
            });
            if (mood === 'http') throw new ModelCallError('busy', 'http', true);
            return { text: mood === 'unreadable' ? '抱歉，我不能。' : answer(request), finishReason: 'stop' };
        },
    };
    return model;
}
