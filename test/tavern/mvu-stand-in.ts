/**
 * A small stand-in for MVU (MagVarUpdate) that keeps its contract with other extensions: the global, its events, where and
 * when it stores, the throttle, the overwrite on MESSAGE_RECEIVED, closed trees and pairs, what 'latest' means. Written from
 * the observed behaviour; it is no copy. In the browser it is injected as a script (mvuStandInScript), in unit tests it is
 * installed on a plain object.
 */

export interface StandInMessage {
    mes: string;
    name?: string;
    is_user?: boolean;
    is_system?: boolean;
    swipe_id?: number;
    swipes?: string[];
    variables?: unknown;
}

/** What the stand-in uses of SillyTavern's context. */
export interface StandInContext {
    chat: StandInMessage[];
    chatId?: string | null;
    name2?: string;
    eventSource: {
        on(name: string, listener: (...args: never[]) => unknown): void;
        removeListener(name: string, listener: (...args: never[]) => unknown): void;
        emit(name: string, ...args: unknown[]): Promise<unknown>;
    };
    substituteParams?(text: string): string;
    updateMessageBlock?(id: number, message: StandInMessage): void;
    saveChat?(): Promise<unknown>;
}

export interface StandInOptions {
    /** Initial tree (with markers) by the name of each world MVU would see. */
    worlds?: Record<string, unknown>;
    /** Behave as with a registered mvu_zod schema: everything open, `_` paths read-only, lists replaced whole, moves executed. */
    zod?: boolean;
    /** Ms between two handlings of MESSAGE_RECEIVED. */
    throttle?: number;
    /** The answer of the second model in 额外模型解析 mode; that mode is off without it. */
    extraModel?: () => Promise<string>;
}

export interface StandIn {
    stop(): void;
    /** How often a reply was handled. */
    handled: number;
}

/** Installs `Mvu` on `scope`. Self-contained on purpose: its source is injected into the page. */
export function installMvuStandIn(scope: Record<string, unknown>, context: () => StandInContext, options: StandInOptions = {}): StandIn {
    type Dict = Record<string, unknown>;
    const sentinel = 'mvu_zod keeps its schema elsewhere';
    const isDict = (value: unknown): value is Dict => typeof value === 'object' && value !== null && !Array.isArray(value);
    const clone = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));
    const keysOf = (path: string): string[] => path.split('.').filter((key) => key !== '');
    const at = (root: unknown, keys: string[]): unknown => keys.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Dict)[key] : undefined), root);
    const isPair = (value: unknown): value is unknown[] => Array.isArray(value) && value.length === 2 && typeof value[1] === 'string' && !Array.isArray(value[0]);
    const events = {
        VARIABLE_INITIALIZED: 'mag_variable_initialized', VARIABLE_UPDATE_STARTED: 'mag_variable_update_started', COMMAND_PARSED: 'mag_command_parsed',
        SINGLE_VARIABLE_UPDATED: 'mag_variable_updated', VARIABLE_UPDATE_ENDED: 'mag_variable_update_ended', BEFORE_MESSAGE_UPDATE: 'mag_before_message_update',
    };
    const self: StandIn = { stop: () => undefined, handled: 0 };
    let analysing = false;

    const describe = (value: unknown, inherited: boolean): Dict => {
        if (Array.isArray(value)) {
            const open = value.includes('$__META_EXTENSIBLE__$') || value.some((each) => isDict(each) && each['$arrayMeta'] === true && isDict(each['$meta']) && each['$meta']['extensible'] === true);
            const items = value.filter((each) => each !== '$__META_EXTENSIBLE__$' && !(isDict(each) && each['$arrayMeta'] === true));
            return { type: 'array', extensible: open || inherited, recursiveExtensible: inherited, elementType: items.length > 0 ? describe(items[0], inherited) : { type: 'any' } };
        }
        if (!isDict(value)) return { type: value === null ? 'any' : typeof value };
        const meta = isDict(value['$meta']) ? value['$meta'] : {};
        const recursive = inherited || meta['recursiveExtensible'] === true;
        const open = recursive || meta['extensible'] === true;
        const required = Array.isArray(meta['required']) ? meta['required'] : [];
        const properties = Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$meta').map(([key, child]) => [key, { ...describe(child, recursive), required: !open || required.includes(key) }]));
        return { type: 'object', properties, extensible: open, recursiveExtensible: recursive };
    };
    /** Carries the openness of the old description over to the new one. */
    const reconcile = (fresh: Dict, old: unknown): Dict => {
        if (!isDict(old) || old['type'] !== fresh['type']) return fresh;
        const merged: Dict = { ...fresh, ...(old['extensible'] === true ? { extensible: true } : {}), ...(old['recursiveExtensible'] === true ? { recursiveExtensible: true } : {}) };
        if (isDict(fresh['properties']) && isDict(old['properties'])) {
            const before = old['properties'];
            merged['properties'] = Object.fromEntries(Object.entries(fresh['properties']).map(([key, child]) => [key, { ...reconcile(child as Dict, before[key]), required: isDict(before[key]) ? before[key]['required'] : merged['extensible'] !== true }]));
        }
        return merged;
    };
    const clean = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.filter((each) => each !== '$__META_EXTENSIBLE__$' && !(isDict(each) && each['$arrayMeta'] === true)).map(clean);
        return isDict(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$meta').map(([key, child]) => [key, clean(child)])) : value;
    };
    const nodeAt = (schema: unknown, keys: string[]): Dict | undefined => {
        let node: unknown = schema;
        for (const key of keys) {
            if (!isDict(node)) return undefined;
            node = node['type'] === 'array' ? node['elementType'] : isDict(node['properties']) ? node['properties'][key] : undefined;
        }
        return isDict(node) ? node : undefined;
    };

    const tableOf = (message: StandInMessage | undefined): Dict | undefined => {
        const tables = message?.variables as Dict | undefined;
        const table = tables?.[message?.swipe_id ?? 0];
        return isDict(table) ? table : undefined;
    };
    const isData = (table: Dict | undefined): table is Dict => table !== undefined && table['stat_data'] !== undefined && table['schema'] !== undefined;
    const lastData = (before: number): Dict | undefined => {
        for (let index = before - 1; index >= 0; index -= 1) {
            const table = tableOf(context().chat[index]);
            if (isData(table)) return clone(table);
        }
        return undefined;
    };
    const put = (message: StandInMessage, table: Dict, swipe = message.swipe_id ?? 0): void => {
        const tables = Array.isArray(message.variables) ? message.variables : [];
        for (let index = 0; index < Math.max(message.swipes?.length ?? 1, swipe + 1); index += 1) tables[index] ??= {};
        tables[swipe] = table;
        message.variables = tables;
    };

    interface Command { type: string; full_match: string; args: string[]; reason: string }
    const commandsOf = (text: string): Command[] => {
        const found: (Command & { index: number })[] = [];
        for (const match of text.matchAll(/<(json_?patch)>(?:\s*```.*)?((?:(?!<json_?patch>)[\s\S])*?)(?:```\s*)?<\/\1>/gi)) {
            let patch: unknown;
            try {
                patch = JSON.parse((match[2] ?? '').trim());
            } catch (error) {
                // MVU skips a block it cannot read.
                if (!(error instanceof SyntaxError)) throw error;
            }
            if (!Array.isArray(patch) || !patch.every((op) => isDict(op) && (typeof op['path'] === 'string' || typeof op['to'] === 'string'))) continue;
            for (const op of patch as Dict[]) {
                const path = String(op['path'] ?? op['to']).replace(/^\//, '').replaceAll('/', '.');
                const keys = keysOf(path);
                const value = JSON.stringify(op['value']);
                const shape: Record<string, [string, string[]]> = {
                    replace: ['set', [path, value]], delta: ['add', [path, value]], remove: ['delete', [path]], move: ['move', [String(op['from'] ?? '').replace(/^\//, '').replaceAll('/', '.'), path]],
                    insert: ['insert', [keys.slice(0, -1).join('.'), keys.at(-1) ?? '', value]],
                };
                shape['add'] = shape['insert'] as [string, string[]];
                const known = shape[String(op['op'])];
                if (known) found.push({ index: match.index, type: known[0], args: known[1], full_match: JSON.stringify(op), reason: 'json_patch' });
            }
        }
        for (const match of text.matchAll(/_\.(set|add|insert|assign|remove|unset|delete)\(\s*'([^']*)'\s*(?:,\s*([^;]*?))?\);/g)) {
            const verb = match[1] ?? '';
            const type = verb === 'assign' ? 'insert' : verb === 'remove' || verb === 'unset' ? 'delete' : verb;
            found.push({ index: match.index, type, args: type === 'insert' ? [match[2] ?? '', '-', match[3] ?? ''] : [match[2] ?? '', match[3] ?? ''], full_match: match[0], reason: '' });
        }
        return found.sort((one, other) => one.index - other.index);
    };
    const valueOf = (text: string | undefined): unknown => {
        try {
            return JSON.parse(String(text)) as unknown;
        } catch (error) {
            if (!(error instanceof SyntaxError)) throw error;
            return String(text).replace(/^['"`\s]+|['"`\s]+$/g, '');
        }
    };

    /** True when the command was carried out. */
    const execute = (data: Dict, command: Command): boolean => {
        const root = data['stat_data'] as Dict;
        const keys = keysOf(command.args[0] ?? '');
        if (options.zod && [...keys, ...(command.type === 'insert' ? [command.args[1] ?? ''] : [])].some((key) => key.startsWith('_'))) return false;
        const parent = at(root, keys.slice(0, -1)) as Dict;
        const key = keys.at(-1) ?? '';
        const old = at(root, keys);
        if (command.type === 'set') {
            const value = valueOf(command.args.at(-1));
            if (keys.length === 0) data['stat_data'] = value;
            else if (old === undefined) return false;
            else if (isPair(old) && !options.zod) old[0] = typeof old[0] === 'number' && value !== null ? Number(value) : value;
            else parent[key] = typeof old === 'number' && typeof value === 'string' ? Number(value) : value;
            return true;
        }
        if (command.type === 'add') {
            const amount = valueOf(command.args[1]);
            const number = isPair(old) ? old[0] : old;
            if (typeof number !== 'number' || typeof amount !== 'number') return false;
            const sum = Number((number + amount).toPrecision(12));
            if (isPair(old)) old[0] = sum;
            else parent[key] = sum;
            return true;
        }
        if (command.type === 'insert') {
            const target = keys.length === 0 ? root : old;
            const name = command.args[1] ?? '-';
            const node = options.zod ? { extensible: true } : nodeAt(data['schema'], keys);
            const value = valueOf(command.args[2]);
            if (Array.isArray(target)) {
                if (node && node['extensible'] !== true) return false;
                target.splice(name === '-' ? target.length : Number(name), 0, value);
                return true;
            }
            if (!isDict(target) || (target[name] === undefined && node && node['extensible'] !== true)) return false;
            target[name] = value;
            return true;
        }
        if (command.type === 'delete') {
            if (old === undefined) return false;
            if (Array.isArray(parent)) parent.splice(Number(key), 1);
            else {
                const node = options.zod ? undefined : nodeAt(data['schema'], keys);
                if (node?.['required'] === true) return false;
                delete parent[key];
            }
            return true;
        }
        if (command.type === 'move' && options.zod) {
            const to = keysOf(command.args[1] ?? '');
            const into = at(root, to.slice(0, -1));
            if (old === undefined || typeof into !== 'object' || into === null) return false;
            if (Array.isArray(parent)) parent.splice(Number(key), 1);
            else delete parent[key];
            if (Array.isArray(into)) into.push(old);
            else (into as Dict)[to.at(-1) ?? ''] = old;
            return true;
        }
        return false;
    };
    /** Applies a text's commands to data in place; true when the tree changed. */
    const update = async (text: string, data: Dict): Promise<boolean> => {
        const { eventSource, substituteParams } = context();
        const before = clone(data);
        const commands = commandsOf(substituteParams ? substituteParams(text) : text);
        (data['stat_data'] as Dict)['$internal'] = {};
        await eventSource.emit(events.VARIABLE_UPDATE_STARTED, data);
        await eventSource.emit(events.COMMAND_PARSED, data, commands, text);
        for (const command of commands) execute(data, command);
        await eventSource.emit(events.VARIABLE_UPDATE_ENDED, data, before);
        delete (data['stat_data'] as Dict)['$internal'];
        const changed = JSON.stringify(data['stat_data']) !== JSON.stringify(before['stat_data']);
        if (changed && !options.zod) data['schema'] = reconcile(describe(data['stat_data'], false), data['schema']);
        data['delta_data'] = {};
        return changed;
    };

    const initialise = async (): Promise<void> => {
        const { chat, eventSource } = context();
        const worlds = Object.entries(options.worlds ?? {});
        if (chat.length === 0 || worlds.length === 0) return;
        const data = lastData(chat.length) ?? { initialized_lorebooks: {}, stat_data: {}, schema: { type: 'object', properties: {}, extensible: false } };
        const listed = data['initialized_lorebooks'] as Dict;
        const missing = worlds.filter(([name]) => listed[name] === undefined);
        if (missing.length === 0) return;
        let raw: Dict = {};
        for (const [name, tree] of missing) {
            listed[name] = [];
            if (isDict(tree)) raw = { ...clone(tree), ...raw };
        }
        const whole = { ...raw, ...(data['stat_data'] as Dict) };
        data['schema'] = options.zod ? sentinel : describe(whole, false);
        data['stat_data'] = clean(whole);
        const only = chat.length === 1 ? chat[0] : undefined;
        for (const [swipe, text] of only ? (only.swipes ?? [only.mes]).entries() : []) {
            const own = clone(data);
            await eventSource.emit(events.VARIABLE_INITIALIZED, own, swipe);
            await update(text, own);
            put(only as StandInMessage, own, swipe);
        }
        const last = chat.at(-1);
        if (!only && last) put(last, data);
        await context().saveChat?.();
    };
    const handle = async (id: number, received: boolean): Promise<void> => {
        const { chat, eventSource, name2, updateMessageBlock, saveChat } = context();
        const message = chat[Number(id)];
        if (!message || (received && name2 !== undefined && message.name !== name2)) return;
        if (!message.is_user && message.mes.length < 5) return;
        self.handled += 1;
        let text = message.mes;
        if (received && options.extraModel && chat.length > 1) {
            analysing = true;
            text = `${text.trimEnd()}\n\n${await options.extraModel()}`;
            analysing = false;
        }
        const data = lastData(Math.max(Number(id), 1));
        if (!data) return;
        if ((await update(text, data)) && !message.is_user) {
            const detail = { variables: data, message_content: text };
            await eventSource.emit(events.BEFORE_MESSAGE_UPDATE, detail);
            text = detail.message_content;
        }
        put(message, { ...tableOf(message), ...data });
        if (message.is_user) return;
        if (!text.includes('<StatusPlaceHolderImpl/>')) text += '\n\n<StatusPlaceHolderImpl/>';
        message.mes = text;
        if (message.swipes) message.swipes[message.swipe_id ?? 0] = text;
        updateMessageBlock?.(Number(id), message);
        await eventSource.emit('character_message_rendered', Number(id));
        await saveChat?.();
    };

    let busyUntil = 0;
    let trailing: ReturnType<typeof setTimeout> | undefined;
    let waiting = -1;
    const period = options.throttle ?? 3000;
    const received = (id: number): Promise<void> | undefined => {
        const now = Date.now();
        if (now >= busyUntil && trailing === undefined) {
            busyUntil = now + period;
            return handle(id, true);
        }
        // Of several, only the last is handled, and nobody waits for it.
        waiting = id;
        trailing ??= setTimeout(() => {
            trailing = undefined;
            busyUntil = Date.now() + period;
            void handle(waiting, true);
        }, Math.max(busyUntil - now, 0));
        return undefined;
    };
    const sent = async (id: number) => {
        await initialise();
        await handle(id, false);
    };
    let openChat = context().chatId;
    const changed = async () => {
        if (context().chatId === openChat) return;
        openChat = context().chatId;
        await initialise();
    };
    const listeners: [string, (...args: never[]) => unknown][] = [['message_received', received], ['message_sent', sent], ['generation_started', initialise], ['chat_id_changed', changed]];
    const { eventSource } = context();
    for (const [name, listener] of listeners) eventSource.on(name, listener);

    const position = (wanted: unknown, forReading: boolean): number => {
        const { chat } = context();
        if (wanted === 'latest' || wanted === undefined) return forReading ? chat.findLastIndex((message) => message.is_system !== true) : chat.length - 1;
        const index = Number(wanted);
        if (index < -chat.length || index >= chat.length) throw new Error(`no message ${String(wanted)}`);
        return index < 0 ? chat.length + index : index;
    };
    scope['Mvu'] = {
        events,
        getMvuData: (where?: { type?: string; message_id?: unknown }) => (where?.type === 'message' ? clone(tableOf(context().chat[position(where.message_id, true)]) ?? {}) : {}),
        replaceMvuData: (data: Dict, where: { type: string; message_id?: unknown }) => {
            if (where.type !== 'message') return;
            const message = context().chat[position(where.message_id, false)];
            if (where.message_id === 'latest') where.message_id = -1;
            // By reference, as there: a caller that changes the object later changes the chat.
            if (message) put(message, data);
        },
        parseMessage: async (text: string, data: Dict) => {
            if (!isDict(data['stat_data'])) return { delta_data: {} };
            const copy = clone(data);
            await update(text, copy);
            return copy;
        },
        isDuringExtraAnalysis: () => analysing,
    };
    void eventSource.emit('global_Mvu_initialized');
    void initialise();
    self.stop = () => {
        for (const [name, listener] of listeners) eventSource.removeListener(name, listener);
        if (trailing !== undefined) clearTimeout(trailing);
        delete scope['Mvu'];
    };
    return self;
}

/** The stand-in as a script for the page; it waits for SillyTavern and leaves its handle at `window.mvuStandIn`. */
export function mvuStandInScript(options: Omit<StandInOptions, 'extraModel'> & { extraModelAnswer?: string } = {}): string {
    const { extraModelAnswer, ...plain } = options;
    const extra = extraModelAnswer === undefined ? '' : `options.extraModel = async () => ${JSON.stringify(extraModelAnswer)};`;
    return `(() => {
        const __name = (each) => each;
        const install = ${installMvuStandIn.toString()};
        const options = ${JSON.stringify(plain)};
        ${extra}
        const timer = setInterval(() => {
            if (!window.SillyTavern?.getContext?.()?.eventSource) return;
            clearInterval(timer);
            window.mvuStandIn = install(window, () => window.SillyTavern.getContext(), options);
        }, 50);
    })();`;
}
