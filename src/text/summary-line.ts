import { textHash } from './hash';

/** A turn number the way models write it at the start of a summary: `[第3轮]`, `【第三轮】`, `第3轮：`, `[Turn 3]`, `(轮3)`. */
const numbering = /^(?:[[【（(]\s*(?:第\s*[\d零一二三四五六七八九十百]+(?:\s*[-–—~至到]\s*[\d零一二三四五六七八九十百]+)?\s*轮|轮次?\s*\d+|(?:turn|round)\s*#?\d+(?:\s*[-–]\s*\d+)?)\s*[\]】）)]|第\s*[\d零一二三四五六七八九十百]+\s*轮\s*[:：]|(?:turn|round)\s*#?\d+\s*:)\s*/i;

/** A summary on one line, without the number the model gave it (code sets the number). Empty where nothing is left. */
export function summaryBody(text: string): string {
    let body = text.normalize('NFC').trim();
    if (body.includes('\n')) body = body.replace(/\s*\n\s*/g, ' ');
    for (let again = numbering.exec(body); again; again = numbering.exec(body)) body = body.slice(again[0].length).trim();
    return body;
}

/** `[第3轮] …` (seed: 摘要格式), `[第3-8轮] …` for a chapter. */
export function summaryLine(from: number, to: number, body: string): string {
    return from === to ? `[第${from}轮] ${body}` : `[第${from}-${to}轮] ${body}`;
}

/** A short fingerprint of a summary's body: names it in a chapter, wherever in the chat it stands. */
export function summaryMark(body: string): string {
    return textHash(body);
}

/** The summary of a message in the `<context>…</context><summary>…</summary>` form, null where it has none. */
export function summaryFromMessage(text: string): string | null {
    const after = text.slice(text.lastIndexOf('</context>') + 1);
    const found = /<summary>([\s\S]*?)(?:<\/summary>|$)/i.exec(after)?.[1];
    const body = found === undefined ? '' : summaryBody(found);
    return body === '' ? null : body;
}
