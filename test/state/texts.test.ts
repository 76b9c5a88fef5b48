import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventTypes, userEventTypes } from '../../src/state/event';
import { initialState } from '../../src/state/state';
import { stateTexts } from '../../src/ui/i18n/state';

it('every code that the room emits has its sentence in both languages, with the same parameters', () => {
    const sources = readdirSync('src/state').map((file) => readFileSync(`src/state/${file}`, 'utf8')).join('\n');
    const codes = new Set([...sources.matchAll(/'(state\.[a-z-]+)'/g)].map((found) => found[1] ?? ''));
    expect(codes.size).toBeGreaterThan(25);
    const named = [...codes, ...eventTypes.map((type) => `state.event.${type}`), ...userEventTypes.map((type) => `state.event.${type}`), ...Object.keys(initialState()).map((field) => `state.field.${field}`)];
    expect(named.filter((code) => !stateTexts[code])).toEqual([]);
    const parameters = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '').sort();
    for (const { zh, en } of Object.values(stateTexts)) expect(parameters(en)).toEqual(parameters(zh));
});
