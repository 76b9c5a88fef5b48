const silent = new Set(['setvar', 'setglobalvar', 'addvar', 'addglobalvar', 'noop']);
const counting: Record<string, string> = { incvar: 'getvar', decvar: 'getvar', incglobalvar: 'getglobalvar', decglobalvar: 'getglobalvar' };

/** The end of the macro that opens at `start`, past its closing braces; macros nest. -1 when it never closes. */
function macroEnd(text: string, start: number): number {
    let depth = 0;
    for (let position = start; position < text.length - 1; position++) {
        const pair = text.slice(position, position + 2);
        if (pair === '{{') {
            depth += 1;
            position += 1;
        } else if (pair === '}}') {
            depth -= 1;
            position += 1;
            if (depth === 0) return position + 1;
        }
    }
    return -1;
}

/**
 * Takes out of a text the macros that act and leave nothing (set and add of variables, comments, trim), and turns those
 * that count into plain reads. Needed to substitute a text a second time without doing a second time what it does.
 */
export function withoutSilentMacros(text: string): string {
    let result = '';
    let position = 0;
    while (position < text.length) {
        const open = text.indexOf('{{', position);
        const end = open < 0 ? -1 : macroEnd(text, open);
        if (open < 0 || end < 0) break;
        result += text.slice(position, open);
        position = end;
        const inner = text.slice(open + 2, end - 2).trim();
        const name = /^[a-z]+/i.exec(inner)?.[0].toLowerCase() ?? '';
        if (inner.startsWith('//')) continue;
        if (name === 'trim' && /^trim$/i.test(inner)) {
            result = result.replace(/[\r\n]+$/, '');
            while (text[position] === '\n' || text[position] === '\r') position += 1;
        } else if (silent.has(name)) {
            // The block form, {{setvar::name}}value{{/setvar}}, of ST 1.18's macros.
            const close = `{{/${name}}}`;
            const closing = text.toLowerCase().indexOf(close, position);
            if (inner.split('::').length < 3 && name !== 'noop' && closing >= 0) position = closing + close.length;
        } else if (counting[name] !== undefined) {
            result += `{{${counting[name]}${inner.slice(name.length)}}}`;
        } else {
            result += text.slice(open, end);
        }
    }
    return result + text.slice(position);
}
