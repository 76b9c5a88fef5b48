import { describe, expect, it, vi } from 'vitest';
import type { TavernCharacter } from '../../src/host/context';
import { createReaders } from '../../src/host/readers';
import { createWorldbookLoader } from '../../src/host/worldbook-loader';
import { installTavern } from './fake-tavern';

const world = (...contents: string[]) => ({ entries: Object.fromEntries(contents.map((content, uid) => [uid, { uid, content }])) as Record<string, { uid: number; content: string }> });
const cardBook = (name: string, content: string) => ({ name, entries: [{ id: 0, content }] });

function card(data: TavernCharacter['data'], extra: Partial<TavernCharacter> = {}): TavernCharacter {
    return { name: '兰', avatar: 'lan.png', data, ...extra };
}

function setUp(characters: TavernCharacter[], worlds: Record<string, unknown>, module: Record<string, unknown> = {}, context: Parameters<typeof installTavern>[0] = {}) {
    const cache = new Map(Object.entries(worlds));
    const controller = new AbortController();
    const fake = installTavern({ characters, loadWorldInfo: async (name) => worlds[name] ?? null, ...context });
    const onChange = vi.fn();
    const loader = createWorldbookLoader({ signal: controller.signal, importModule: async () => ({ worldInfoCache: cache, ...module }), onChange });
    return { ...fake, loader, controller, onChange, cache };
}

const names = (books: { name: string; origin: string }[]) => books.map((book) => `${book.origin}:${book.name}`);

describe('sources', () => {
    it('auto takes the embedded book, else the linked world', async () => {
        const linked = { character_book: cardBook('卡书', '内'), extensions: { world: '世界' } };
        const first = setUp([card(linked)], { 世界: world('外') });
        expect(names((await first.loader.load('auto')).books)).toEqual(['card:卡书']);
        expect(names((await first.loader.load('world')).books)).toEqual(['character:世界']);
        const second = setUp([card({ extensions: { world: '世界' } })], { 世界: world('外') });
        expect(names((await second.loader.load('auto')).books)).toEqual(['character:世界']);
        expect(await second.loader.load('card')).toMatchObject({ books: [], notices: [{ code: 'host.no-embedded-book' }] });
        const plain = setUp([card({})], {});
        expect(await plain.loader.load('auto')).toEqual({ books: [], notices: [] });
        expect(await plain.loader.load('world')).toMatchObject({ books: [], notices: [{ level: 'info', code: 'host.no-linked-world' }] });
    });

    it('auto prefers the copy that ST imported from the embedded book: edits go there', async () => {
        const data = { character_book: cardBook('卡书', '旧'), extensions: { world: '卡书' } };
        const imported = setUp([card(data)], { 卡书: { ...world('新'), originalData: cardBook('卡书', '旧') } });
        expect(names((await imported.loader.load('auto')).books)).toEqual(['character:卡书']);
        expect(names((await imported.loader.load('card')).books)).toEqual(['card:卡书']);
        const saved = setUp([card(data)], { 卡书: world('旧', '新条目') });
        expect(names((await saved.loader.load('auto')).books)).toEqual(['character:卡书']);
        const unrelated = setUp([card(data)], { 卡书: world('别的') });
        expect(names((await unrelated.loader.load('auto')).books)).toEqual(['card:卡书']);
    });

    it('says which world is missing and goes on', async () => {
        const { loader } = setUp([card({ extensions: { world: '改了名' } })], {});
        expect(await loader.load('world')).toMatchObject({ books: [], notices: [{ level: 'warning', code: 'host.world-missing', params: { world: '改了名' } }] });
        // The server answers with an empty world; only the list of names tells.
        const data = { character_book: cardBook('改了名', '内'), extensions: { world: '改了名' } };
        const standIn = setUp([card(data)], { 改了名: { entries: {} } }, { world_names: ['别的'] });
        expect(await standIn.loader.load('world')).toMatchObject({ books: [], notices: [{ code: 'host.world-missing' }] });
        expect(await standIn.loader.load('auto')).toMatchObject({ books: [{ origin: 'card' }], notices: [] });
        const empty = setUp([card(data)], { 改了名: { entries: {} } }, { world_names: ['改了名'] });
        expect(await empty.loader.load('world')).toMatchObject({ books: [{ origin: 'character' }], notices: [] });
    });

    it('all is what ST would scan, in its order, each book once', async () => {
        const worlds = Object.fromEntries(['全', '聊', '面', '主', '副'].map((name) => [name, world(name)]));
        const module = { selected_world_info: ['全', '副'], world_info: { charLore: [{ name: 'lan', extraBooks: ['副', '聊', '附'] }] }, world_info_character_strategy: 1 };
        const { loader } = setUp([card({ extensions: { world: '主' } })], { ...worlds, 附: world('附') }, module, {
            chatMetadata: { world_info: '聊' },
            powerUserSettings: { persona_description_lorebook: '面' },
        });
        expect(names((await loader.load('all')).books)).toEqual(['chat:聊', 'persona:面', 'character:主', 'additional:附', 'global:全', 'global:副']);
    });

    it('in a group takes the book of the member that speaks, loading shallow cards', async () => {
        const members: TavernCharacter[] = [card({ character_book: cardBook('兰书', 'a') }), { name: '石', avatar: 'shi.png', shallow: true }];
        const { loader, context } = setUp(members, {}, {}, {
            groupId: 'g', groups: [{ id: 'g', chat_id: 'story', members: ['lan.png', 'shi.png'] }], characterId: undefined,
            unshallowCharacter: async (index) => { members[Number(index)] = { name: '石', avatar: 'shi.png', data: { character_book: cardBook('石书', 'b') } }; },
        });
        expect(names((await loader.load('auto')).books)).toEqual(['card:兰书']);
        context.chat.push({ name: '石', is_user: false, is_system: false, mes: '哦', original_avatar: 'shi.png' });
        expect(names((await loader.load('auto')).books)).toEqual(['card:石书']);
        context.characterId = 0;
        expect(names((await loader.load('auto')).books)).toEqual(['card:兰书']);
    });
});

describe('freshness', () => {
    it('gives the same book while nothing changed and a new one after an edit that ST has not saved yet', async () => {
        const book = world('旧');
        const { loader, cache } = setUp([card({ extensions: { world: '世界' } })], { 世界: book });
        const [first] = (await loader.load('world')).books;
        expect((await loader.load('world')).books[0]).toBe(first);
        const entry = book.entries['0'];
        if (entry !== undefined) entry.content = '新';
        const [second] = (await loader.load('world')).books;
        expect(second).not.toBe(first);
        expect(second?.data).not.toBe(first?.data);
        expect(second?.data).toMatchObject({ entries: { 0: { content: '新' } } });
        cache.set('世界', world('更新'));
        expect((await loader.load('world')).books[0]?.data).toMatchObject({ entries: { 0: { content: '更新' } } });
    });

    it('sees an embedded book changed in place, a removed entry and a removed field', async () => {
        const data = { character_book: { name: '卡书', entries: [{ id: 0, content: '甲', extra: 1 }, { id: 1, content: '乙' }] as Record<string, unknown>[] } };
        const { loader } = setUp([card(data)], {});
        const seen = [(await loader.load('card')).books[0]];
        Reflect.deleteProperty(data.character_book.entries[0] ?? {}, 'extra');
        seen.push((await loader.load('card')).books[0]);
        data.character_book.entries.pop();
        seen.push((await loader.load('card')).books[0]);
        expect(new Set(seen).size).toBe(3);
        expect(seen[0]?.data).toMatchObject({ entries: [{}, { content: '乙' }] });
    });

    it('tells of changes and stops listening with its signal', async () => {
        const { loader, eventSource, onChange, controller } = setUp([card({ character_book: cardBook('卡书', '内') })], {});
        const [first] = (await loader.load('card')).books;
        await eventSource.emit('worldinfo_updated', '世界');
        expect(onChange).toHaveBeenCalledTimes(1);
        await eventSource.emit('chat_changed', 'other');
        expect((await loader.load('card')).books[0]).not.toBe(first);
        controller.abort();
        await eventSource.emit('chat_changed', 'x');
        expect(onChange).toHaveBeenCalledTimes(2);
    });

    it('collects forced entries until the generation they were for has ended', async () => {
        const { loader, eventSource } = setUp([card({})], {});
        await eventSource.emit('worldinfo_force_activate', [{ world: '世界', uid: 3 }, { uid: 4 }]);
        expect(loader.forced()).toEqual([{ world: '世界', uid: 3 }]);
        await eventSource.emit('generation_ended', 3);
        expect(loader.forced()).toEqual([]);
    });
});

describe('settings and readers', () => {
    it('reads ST\'s scan settings and the room a prompt has', async () => {
        const { loader } = setUp([card({})], {}, { getWorldInfoSettings: () => ({ world_info_depth: 5, world_info_recursive: false, world_info_character_strategy: '2' }) });
        await loader.load('auto');
        expect(loader.globalSettings()).toMatchObject({ depth: 5, recursive: false, characterStrategy: 2, budgetPercent: 25, maxContext: 31_700 });
    });

    it('gives persona and card as ST substitutes them', () => {
        const { context } = installTavern({
            tagMap: { 'lan.png': ['tag-1'] },
            getCharacterCardFields: () => ({ system: '', jailbreak: '', description: '兰是向导', personality: '', persona: ' 旅人很高 ', scenario: '', charDepthPrompt: '夜', creatorNotes: '注' }),
        });
        const readers = createReaders();
        expect(readers.persona()).toBe('旅人很高');
        expect(readers.character()).toMatchObject({ name: '兰', description: '兰是向导', depthPrompt: '夜', avatar: 'lan.png', tags: ['tag-1'] });
        expect(readers.substitute('{{user}}与{{char}}')).toBe('旅人与兰');
        context.powerUserSettings['persona_description_position'] = 9;
        expect(readers.persona()).toBe('');
    });
});
