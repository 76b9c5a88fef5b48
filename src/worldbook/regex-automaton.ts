import type { Node } from './regex-syntax';

/** One state: consume a character, try several ways, assert something about the place, or accept. */
type State =
    | { kind: 'char'; test: (char: string) => boolean; next: number }
    | { kind: 'split'; next: number[] }
    | { kind: 'assert'; holds: (text: string, at: number) => boolean; next: number }
    | { kind: 'look'; machine: Machine; negative: boolean; next: number }
    | { kind: 'accept' };

interface Machine {
    states: State[];
    start: number;
}

export interface Automaton {
    /** Whether the pattern occurs in the text; null when `steps` ran out first. Time grows with text × pattern, never exponentially. */
    test(text: string, steps: number): boolean | null;
}

const mostStates = 4000;

/**
 * Builds a matcher that follows all ways at once instead of backtracking, for patterns whose backtracking could freeze the page.
 * Null when the pattern is too large or looks behind. Answers like the platform's RegExp.test; which part matched is not told.
 */
export function buildAutomaton(tree: Node, flags: string): Automaton | null {
    const unicode = flags.includes('u');
    let size = 0;
    let impossible = false;

    function build(node: Node): Machine {
        const states: State[] = [];
        const add = (state: State): number => {
            if (++size > mostStates) impossible = true;
            return states.push(state) - 1;
        };
        /** Adds the node so that it goes on to state `next`; gives its first state. Built from the end to the front. */
        function link(part: Node, next: number): number {
            if (impossible) return next;
            switch (part.type) {
                case 'char': return add({ kind: 'char', test: characterTest(part.source, flags), next });
                case 'sequence': return part.parts.reduceRight((after, inner) => link(inner, after), next);
                case 'choice': return add({ kind: 'split', next: part.options.map((option) => link(option, next)) });
                case 'assert': return add({ kind: 'assert', holds: assertion(part.kind, flags), next });
                case 'look':
                    if (part.behind) impossible = true;
                    return add({ kind: 'look', machine: build(part.body), negative: part.negative, next });
                case 'repeat': {
                    let first = next;
                    if (part.max === Infinity) {
                        const loop: { kind: 'split'; next: number[] } = { kind: 'split', next: [] };
                        first = add(loop);
                        loop.next = [link(part.body, first), next];
                    } else {
                        for (let i = part.min; i < part.max && !impossible; i++) first = add({ kind: 'split', next: [link(part.body, first), next] });
                    }
                    for (let i = 0; i < part.min && !impossible; i++) first = link(part.body, first);
                    return first;
                }
                default:
                    impossible = true;
                    return next;
            }
        }
        const accept = add({ kind: 'accept' });
        return { start: link(node, accept), states };
    }

    const machine = build(tree);
    if (impossible) return null;
    const sticky = flags.includes('y');
    return {
        test(text, steps) {
            const budget = { left: steps };
            const found = run(machine, text, 0, sticky, unicode, budget);
            return budget.left < 0 ? null : found;
        },
    };
}

/** `anchored`: the match must begin at `from`. */
function run(machine: Machine, text: string, from: number, anchored: boolean, unicode: boolean, budget: { left: number }): boolean {
    const { states } = machine;
    let current: number[] = [];
    let following: number[] = [];
    const marked = new Int32Array(states.length).fill(-1);
    let accepted = false;

    const enter = (list: number[], first: number, at: number): void => {
        const pending = [first];
        while (pending.length > 0) {
            const index = pending.pop() ?? 0;
            if (marked[index] === at) continue;
            marked[index] = at;
            budget.left--;
            const state = states[index];
            if (state === undefined) continue;
            if (state.kind === 'accept') accepted = true;
            else if (state.kind === 'char') list.push(index);
            else if (state.kind === 'split') pending.push(...state.next);
            else if (state.kind === 'assert') {
                if (state.holds(text, at)) pending.push(state.next);
            } else if (run(state.machine, text, at, true, unicode, budget) !== state.negative) pending.push(state.next);
        }
    };

    for (let at = from; at <= text.length;) {
        if (at === from || !anchored) enter(current, machine.start, at);
        if (accepted) return true;
        if (at === text.length || budget.left < 0 || (current.length === 0 && anchored)) return false;
        const char = unicode ? String.fromCodePoint(text.codePointAt(at) ?? 0) : text.charAt(at);
        const next = at + char.length;
        for (const index of current) {
            const state = states[index];
            budget.left--;
            if (state?.kind === 'char' && state.test(char)) enter(following, state.next, next);
        }
        [current, following] = [following, current];
        following.length = 0;
        at = next;
    }
    return accepted;
}

/** Asks the platform about one character, so that classes, escapes and case folding are its own; remembers the answers. */
function characterTest(source: string, flags: string): (char: string) => boolean {
    const pattern = new RegExp(`^(?:${source})$`, flags.replace(/[gym]/g, ''));
    const answers = new Map<string, boolean>();
    return (char) => {
        let answer = answers.get(char);
        if (answer === undefined) {
            answer = pattern.test(char);
            answers.set(char, answer);
        }
        return answer;
    };
}

function assertion(kind: 'start' | 'end' | 'boundary' | 'not-boundary', flags: string): (text: string, at: number) => boolean {
    const lines = flags.includes('m');
    const isBreak = (char: string): boolean => char === '\n' || char === '\r' || char === '\u2028' || char === '\u2029';
    const isWord = (char: string): boolean => /^\w$/.test(char);
    if (kind === 'start') return (text, at) => at === 0 || (lines && isBreak(text.charAt(at - 1)));
    if (kind === 'end') return (text, at) => at === text.length || (lines && isBreak(text.charAt(at)));
    return (text, at) => (isWord(text.charAt(at - 1)) !== isWord(text.charAt(at))) === (kind === 'boundary');
}
