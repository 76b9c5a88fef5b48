import type { TurnRecord } from '../turn-record';
import type { Turn } from '../text/turn';
import type { Baseline } from './baseline';
import type { SummaryEntry } from './fold-types';
import { summaryBody, summaryLine, summaryMark } from '../text/summary-line';

/** One plain summary: its turn and its text without a number. */
export interface PlainSummary {
    turn: number;
    body: string;
}

interface Chapter {
    carrier: number;
    chapter: NonNullable<TurnRecord['chapter']>;
}

/** The summaries of one turn's replies: the record's, or what the message itself says where there is no record. */
export function summariesOf(turn: Turn): string[] {
    return turn.replies
        .map((reply) => summaryBody(reply.record ? (reply.record.summary ?? '') : (reply.writtenSummary ?? '')))
        .filter((body) => body !== '');
}

/** Baseline lines stand in for turns that say nothing themselves, and go when their turn is gone. */
function withBaseline(own: PlainSummary[], baseline: Baseline | undefined, lastTurn: number): PlainSummary[] {
    if (!baseline || baseline.summaries.length === 0) return own;
    const told = new Set(own.map((line) => line.turn));
    const inherited = baseline.summaries
        .map(({ turn, text }) => ({ turn, body: summaryBody(text) }))
        .filter((line) => line.body !== '' && line.turn <= lastTurn && !told.has(line.turn));
    return [...inherited, ...own].map((line, place) => ({ line, place })).sort((a, b) => a.line.turn - b.line.turn || a.place - b.place).map(({ line }) => line);
}

/** Where the summaries a chapter was made from stand now: [first, one past last], null where one of them is gone or told by a newer chapter. */
function rangeOf({ carrier, chapter }: Chapter, lines: PlainSummary[], marks: () => string[], taken: boolean[]): [number, number] | null {
    const free = (first: number, end: number): boolean => end > first && (lines[end - 1]?.turn ?? Infinity) <= carrier && !taken.slice(first, end).includes(true);
    const { of } = chapter;
    if (!of) {
        // Made without marks: the turn numbers are all there is to go by.
        if (chapter.from > chapter.to) return null;
        const first = lines.findIndex((line) => line.turn >= chapter.from);
        const past = lines.findIndex((line) => line.turn > chapter.to);
        const end = past === -1 ? lines.length : past;
        return first !== -1 && free(first, end) ? [first, end] : null;
    }
    const all = marks();
    for (let first = all.indexOf(of[0] ?? ''); first !== -1; first = all.indexOf(of[0] ?? '', first + 1)) {
        if (of.every((mark, offset) => all[first + offset] === mark) && free(first, first + of.length)) return [first, first + of.length];
    }
    return null;
}

/** All summary entries, oldest first. A chapter takes the place of its summaries; of chapters that overlap the newest stays. */
export function summaryEntries(turns: Turn[], own: PlainSummary[], baseline: Baseline | undefined): SummaryEntry[] {
    const lines = withBaseline(own, baseline, turns.at(-1)?.number ?? 0);
    const chapters: Chapter[] = [];
    for (const turn of turns) {
        for (const { record } of turn.replies) if (record?.chapter && summaryBody(record.chapter.text) !== '') chapters.push({ carrier: turn.number, chapter: record.chapter });
    }
    let allMarks: string[] | null = null;
    const marks = (): string[] => (allMarks ??= lines.map((line) => summaryMark(line.body)));
    const taken = new Array<boolean>(lines.length).fill(false);
    const starts = new Map<number, { end: number; text: string }>();
    for (const chapter of chapters.reverse()) {
        const range = rangeOf(chapter, lines, marks, taken);
        if (!range) continue;
        taken.fill(true, range[0], range[1]);
        starts.set(range[0], { end: range[1], text: summaryBody(chapter.chapter.text) });
    }
    const entries: SummaryEntry[] = [];
    for (let index = 0; index < lines.length; index += 1) {
        const line = lines[index];
        const chapter = starts.get(index);
        if (!line) continue;
        if (!chapter) {
            entries.push({ from: line.turn, to: line.turn, text: summaryLine(line.turn, line.turn, line.body), chapter: false });
            continue;
        }
        const to = lines[chapter.end - 1]?.turn ?? line.turn;
        entries.push({ from: line.turn, to, text: summaryLine(line.turn, to, chapter.text), chapter: true });
        index = chapter.end - 1;
    }
    return entries;
}
