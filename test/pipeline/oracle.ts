import { happeningsIn, type Happening } from './scripted-model';
import type { Witness } from './memory-tavern';

/**
 * A reader of the story who knows nothing of records, copies or folds: each swipe is one object with the proses it ever had,
 * newest last. Chats as they are in the page, and as they were when last saved.
 */
export interface Swipe {
    proses: string[];
    corrections: number[];
    /** Told while the extension was there; a greeting is not. */
    told: boolean;
}

export interface Line {
    user: boolean;
    hidden: boolean;
    swipes: Swipe[];
    shown: number;
}

export interface Oracle {
    lines(): Line[];
    witness: Witness;
    line(text: string): Line;
    branched(from: Line[], id: string): void;
    deleted(id: string): void;
}

export const shownSwipe = (line: Line): Swipe => line.swipes[line.shown] ?? { proses: [''], corrections: [], told: false };
export const proseOf = (swipe: Swipe): string => swipe.proses.at(-1) ?? '';
export const idsOf = (prose: string): string => happeningsIn(prose).map(({ id }) => id).join('+');

export function createOracle(): Oracle {
    const saved = new Map<string, Line[]>();
    let open: Line[] = [];
    const line = (prose: string, user = false, told = false): Line => ({ user, hidden: false, swipes: [{ proses: [prose], corrections: [], told }], shown: 0 });
    const last = (): Line | undefined => open.at(-1);
    return {
        lines: () => open,
        line: (text) => line(text),
        branched: (from, id) => void saved.set(id, structuredClone(from)),
        deleted: (id) => void saved.delete(id),
        witness: {
            userLine: (text) => void open.push(line(text, true)),
            replyGone: () => void open.pop(),
            reply: (prose) => void open.push(line(prose, false, true)),
            swipe(prose) {
                const reply = last();
                if (!reply) return;
                reply.swipes.push({ proses: [prose], corrections: [], told: true });
                reply.shown = reply.swipes.length - 1;
            },
            grown: (prose) => void last()?.swipes[last()?.shown ?? 0]?.proses.push(prose),
            saved: (id) => void saved.set(id, structuredClone(open)),
            opened(id) {
                open = structuredClone(saved.get(id) ?? []);
            },
        },
    };
}

/** What one reply's record claims: its own swipe, and the ids of the segments it was made from (null = nothing found yet). */
export interface Claim {
    own: boolean;
    found: string | null;
}

export interface Expected {
    coins: number;
    minutes: number;
    place: string;
    summaries: string[];
}

/** The state of a story whose replies were read as claimed; throws where a claim fits no prose the swipe ever had. */
export function expectedState(lines: readonly Line[], claims: readonly Claim[]): Expected {
    const out: Expected = { coins: 0, minutes: 0, place: '起点', summaries: [] };
    let turn = 0;
    let asked = false;
    let askedHidden = false;
    const take = ({ coins, minutes, place }: Happening): void => {
        out.coins += coins;
        out.minutes += minutes;
        out.place = `地${place}`;
    };
    lines.forEach((line, index) => {
        if (line.user) {
            if (line.hidden) askedHidden = true;
            else {
                asked = true;
                askedHidden = false;
            }
            return;
        }
        const claim = claims[index] ?? { own: false, found: null };
        if (line.hidden && !claim.own) {
            askedHidden = false;
            return;
        }
        if (asked || askedHidden) turn += 1;
        asked = false;
        askedHidden = false;
        if (!claim.own) return;
        const swipe = shownSwipe(line);
        if (claim.found !== null) {
            const prose = swipe.proses.findLast((each) => idsOf(each) === claim.found);
            if (prose === undefined) throw new Error(`message ${index} holds what was found in #${claim.found}#, but only ever read ${swipe.proses.map((each) => `#${idsOf(each)}#`).join(', ')}`);
            happeningsIn(prose).forEach(take);
            out.summaries.push(`[第${turn}轮] 用户意图：走 | 叙事要点：#${claim.found}#`);
        }
        for (const coins of swipe.corrections) out.coins = coins;
    });
    return out;
}
