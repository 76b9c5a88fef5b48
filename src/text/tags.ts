/** One XML-like element of a text. Positions are UTF-16 units; `inner` excludes the tags themselves. */
export interface Element {
    start: number;
    end: number;
    innerStart: number;
    innerEnd: number;
    /** False where the closing tag is missing; `end` is then the end of the text. */
    closed: boolean;
}

/** One opening, closing or self-closing tag. */
export interface Tag {
    name: string;
    start: number;
    end: number;
    kind: 'open' | 'close' | 'empty';
}

const tagPattern = /<(\/\s*)?([\p{L}_][\p{L}\p{N}_:.-]*)((?:\s(?:"[^"<]*"|'[^'<]*'|[^<>"'])*)?)(\/?)>/gu;

/** All tags of a text in order, names in lower case. Attributes, blanks and any case are accepted. */
export function tagsOf(text: string): Tag[] {
    const tags: Tag[] = [];
    if (!text.includes('<')) return tags;
    for (const match of text.matchAll(tagPattern)) {
        const empty = match[4] === '/' || (match[3] ?? '').endsWith('/');
        tags.push({
            name: (match[2] ?? '').toLowerCase(),
            start: match.index,
            end: match.index + match[0].length,
            kind: match[1] !== undefined ? 'close' : empty ? 'empty' : 'open',
        });
    }
    return tags;
}

/**
 * The outermost elements named `tag`, in order; nested ones stay inside. Where openings outnumber closings (one was
 * forgotten), the element reaches to the last closing tag; without any it is not closed and reaches to the end.
 */
export function elementsOf(text: string, tag: string): Element[] {
    const wanted = tag.toLowerCase();
    const tags = tagsOf(text).filter((each) => each.name === wanted);
    const elements: Element[] = [];
    let position = 0;
    while (position < tags.length) {
        const opening = tags[position];
        if (!opening || opening.kind !== 'open') {
            position += 1;
            continue;
        }
        let depth = 0;
        let closing = -1;
        let lastClosing = -1;
        for (let next = position; next < tags.length && closing < 0; next += 1) {
            const kind = tags[next]?.kind;
            if (kind === 'open') depth += 1;
            if (kind === 'close') {
                depth -= 1;
                lastClosing = next;
                if (depth === 0) closing = next;
            }
        }
        const at = closing >= 0 ? closing : lastClosing;
        const end = tags[at];
        if (!end || at < 0) {
            elements.push({ start: opening.start, end: text.length, innerStart: opening.end, innerEnd: text.length, closed: false });
            break;
        }
        elements.push({ start: opening.start, end: end.end, innerStart: opening.end, innerEnd: end.start, closed: true });
        position = at + 1;
    }
    return elements;
}

/** What stands inside the closed outermost elements named `tag`, as written, in order. */
export function tagContents(text: string, tag: string): string[] {
    return elementsOf(text, tag).filter((element) => element.closed).map((element) => text.slice(element.innerStart, element.innerEnd));
}

/** The text without the tags that `drop` names; what stands between them is kept. */
export function withoutTags(text: string, drop: (name: string) => boolean): string {
    let out = '';
    let from = 0;
    for (const tag of tagsOf(text)) {
        if (!drop(tag.name)) continue;
        out += text.slice(from, tag.start);
        from = tag.end;
    }
    return out + text.slice(from);
}
