/**
 * Runs inside QuickJS before the author's code: a fixed Date, a seeded Math.random, a captured console. It evaluates to a
 * function that takes the host's two functions and the time, and gives the driver, which resolves to `v<JSON>` or
 * `e<JSON {name, message, stack}>` or `s<JSON …>` for a syntax error. What the author's code does to the globals
 * changes at most its own result: the host reads one string of bounded length and nothing else.
 */
export const guestPrelude = `(function (random, write, now) {
    'use strict';
    const { parse, stringify } = JSON;
    const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor;
    const RealDate = Date;
    function FixedDate(...parts) {
        if (!new.target) return new RealDate(now).toString();
        return Reflect.construct(RealDate, parts.length === 0 ? [now] : parts, new.target);
    }
    Object.defineProperty(FixedDate, 'name', { value: 'Date' });
    Object.defineProperty(FixedDate, 'length', { value: 7 });
    FixedDate.prototype = RealDate.prototype;
    FixedDate.prototype.constructor = FixedDate;
    FixedDate.now = () => now;
    FixedDate.parse = RealDate.parse;
    FixedDate.UTC = RealDate.UTC;
    globalThis.Date = FixedDate;
    Math.random = () => random();
    delete globalThis.performance;
    const show = (value) => {
        if (typeof value === 'string') return value;
        if (value instanceof Error) return String(value);
        try {
            const text = stringify(value);
            return text === undefined ? String(value) : text;
        } catch (error) {
            return String(value);
        }
    };
    const logger = (mark) => (...values) => { write(mark + values.map(show).join(' ')); };
    globalThis.console = { log: logger(''), info: logger(''), debug: logger(''), warn: logger('[warn] '), error: logger('[error] ') };
    const describe = (mark, error) => {
        let name = '', message = '', stack = '';
        if (error !== null && typeof error === 'object') {
            name = String(error.name ?? ''); message = String(error.message ?? ''); stack = String(error.stack ?? '');
        }
        // The engine throws a bare null where there is no memory left for an error.
        if (error === null) message = 'null was thrown, or no memory was left';
        else if (message === '' && name === '') message = show(error);
        return mark + stringify({ __proto__: null, name: name.slice(0, 100), message: message.slice(0, 1000), stack: stack.slice(0, 1000) });
    };
    const compile = (code) => {
        const made = new AsyncFunction('params', 'state', code);
        if (typeof made !== 'function') throw new SyntaxError('unexpected token: }');
        return made;
    };
    return async function (code, params, state, run) {
        let made;
        try { made = compile(code); } catch (error) { return describe('s', error); }
        if (!run) return 'vnull';
        try {
            const text = stringify(await made(parse(params), parse(state)));
            return 'v' + (text === undefined ? 'null' : text);
        } catch (error) {
            return describe('e', error);
        }
    };
})`;

/** Lines that the engine puts before the first line of the author's code. */
export const guestLineOffset = 2;
