/** Tag names under which models of several vendors write their reasoning, in lower case. */
export const reasoningNames: ReadonlySet<string> = new Set([
    'think', 'thinking', 'thought', 'thoughts', 'thinking_process', 'antthinking', 'seed:think', 'reason', 'reasoning',
    'reasoning_content', 'reflection', 'reflect', 'scratchpad', 'inner_thoughts', 'inner_monologue', 'chain_of_thought', 'cot',
    '思考', '思考过程', '思维链', '推理',
]);

/** One mark that opens or closes reasoning, wherever it stands. */
export interface ReasoningMark {
    start: number;
    end: number;
    kind: 'open' | 'close';
    /** Marks of one family close each other. */
    family: string;
}

const names = [...reasoningNames].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');

/** Each form: pattern, kind, family (or the group that holds it). Forms that no vendor writes in prose. */
const forms = ([
    { pattern: `(?:<|&lt;)\\/\\s*(${names})\\s*(?:>|&gt;)`, kind: 'close' },
    { pattern: `(?:<|&lt;)(${names})(?:\\s[^<>]*[^<>/])?(?:>|&gt;)`, kind: 'open' },
    { pattern: '\\[\\/THINK\\]|◁\\/think▷|<\\|end_of_thought\\|>|<\\|END_THINKING\\|>', kind: 'close', family: 'bracket' },
    { pattern: '\\[THINK\\]|◁think▷|<\\|begin_of_thought\\|>|<\\|START_THINKING\\|>', kind: 'open', family: 'bracket' },
    // Channels: everything up to the final channel (or the end mark of the other one) is reasoning.
    { pattern: '<\\|channel\\|>\\s*final\\b[^<]*<\\|message\\|>|<channel\\|>|\\bassistantfinal(?=\\s*[{\\[`])', kind: 'close', family: 'channel' },
    { pattern: '<\\|channel\\|>\\s*(?:analysis|commentary|thought)\\b[^<]*<\\|message\\|>|<\\|channel>\\s*thought', kind: 'open', family: 'channel' },
    { pattern: '(?:^|\\n)\\.\\.\\.done thinking\\.?', kind: 'close', family: 'done' },
    { pattern: '^\\s*Thinking\\.\\.\\.[ \\t]*\\n', kind: 'open', family: 'done' },
] satisfies { pattern: string; kind: 'open' | 'close'; family?: string }[]).map((form) => ({ ...form, pattern: new RegExp(form.pattern, 'giu') }));

/** All reasoning marks of a text in order. */
export function reasoningMarks(text: string): ReasoningMark[] {
    const marks: ReasoningMark[] = [];
    for (const form of forms) {
        for (const match of text.matchAll(form.pattern)) {
            marks.push({ start: match.index, end: match.index + match[0].length, kind: form.kind, family: form.family ?? (match[1] ?? '').toLowerCase() });
        }
    }
    return marks.sort((a, b) => a.start - b.start);
}

/**
 * Where the reasoning that `marks[at]` opens ends: behind its closing mark (nested ones are matched; where they do not
 * match, the first one closes; where the name is another, any closes), or -1 when it is never closed.
 */
export function reasoningEnd(marks: ReasoningMark[], at: number): number {
    const opening = marks[at];
    if (!opening) return -1;
    let depth = 0;
    let first = -1;
    let any = -1;
    for (const mark of marks.slice(at)) {
        if (mark.kind === 'close' && any < 0) any = mark.end;
        if (mark.family !== opening.family) continue;
        depth += mark.kind === 'open' ? 1 : -1;
        if (mark.kind === 'close' && first < 0) first = mark.end;
        if (depth === 0) return mark.end;
    }
    return first >= 0 ? first : any;
}

/**
 * A reply's text without its reasoning. What stands before a closing mark that nobody opened is reasoning too (templates
 * that open it in the prompt). Of reasoning that is never closed only the mark goes, unless `<context>` follows: prose is
 * never lost to a missing tag. Where data is read, not prose (`unclosed: 'drop'`), everything behind it goes.
 */
export function withoutReasoning(text: string, unclosed: 'keep' | 'drop' = 'keep'): string {
    const marks = reasoningMarks(text);
    if (marks.length === 0) return text;
    let out = '';
    let from = 0;
    for (let at = 0; at < marks.length; at += 1) {
        const mark = marks[at];
        if (!mark || mark.start < from) continue;
        if (mark.kind === 'close') {
            // Nothing opened it: all before is reasoning, unless the story itself has begun.
            out = /<context[\s>]/i.test(text.slice(0, mark.start)) ? out + text.slice(from, mark.start) : '';
            from = mark.end;
            continue;
        }
        out += text.slice(from, mark.start);
        const end = reasoningEnd(marks, at);
        if (end >= 0) from = end;
        else if (unclosed === 'drop') return out;
        else {
            const story = text.slice(mark.end).search(/<context[\s>]/i);
            from = story >= 0 ? mark.end + story : mark.end;
        }
    }
    return out + text.slice(from);
}
