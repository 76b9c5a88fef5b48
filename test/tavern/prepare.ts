import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { cardPng, worldFile, type DemoCard } from './card';
import { rootFolder } from './install';

/** Folder the extension is installed to, and the name SillyTavern knows it by (`third-party/<name>`). */
export const extensionFolderName = 'narrative-agent';

/** How a throw-away SillyTavern is set up. */
export interface Preparation {
    /** Version of the server, to keep its "new version" work out of the way. */
    version: string;
    /** The installed server. */
    server: string;
    /** Base URL of an OpenAI-compatible API, `…/v1`. */
    apiUrl: string;
    apiKey?: string;
    model: string;
    streaming: boolean;
    cards: DemoCard[];
    /** Import the books as world files and link them, as the user's "yes" to the import question does. */
    importBooks: boolean;
    extension: 'enabled' | 'disabled' | 'absent';
    /** What `extensionSettings['narrative-agent']` holds at the start. */
    extensionSettings?: Record<string, unknown>;
    userName: string;
    persona: string;
    /** Merged over the prepared settings.json. */
    settings?: Record<string, unknown>;
    /** Further files of the user's folder (groups, chats, presets …), by path in it. */
    files?: Record<string, string>;
}

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

function merge(base: Tree, over: Tree): Tree {
    const out: Tree = { ...base };
    for (const [key, value] of Object.entries(over)) {
        const before = out[key];
        out[key] = isTree(before) && isTree(value) ? merge(before, value) : value;
    }
    return out;
}

/** The server's config.yaml: local only, nothing opened, downloaded or updated by itself. */
export function serverConfig(dataRoot: string): string {
    return stringify({
        dataRoot,
        listen: false,
        protocol: { ipv4: true, ipv6: false },
        whitelistMode: false,
        browserLaunch: { enabled: false },
        autorun: false,
        enableUserAccounts: false,
        enableDownloadableTokenizers: false,
        extensions: { enabled: true, autoUpdate: false, models: { autoDownload: false } },
        // Backups of a throw-away chat are never read.
        backups: { common: { numberOfBackups: 1 }, chat: { enabled: false, checkIntegrity: true } },
        logging: { enableAccessLog: false, minLogLevel: 1 },
    });
}

/**
 * The user's settings.json: the server's own defaults (so that every version finds what it knows), connected to the
 * given API, with the first card open and no welcome, onboarding or import question in the way.
 */
async function userSettings(p: Preparation): Promise<Tree> {
    const defaults: unknown = JSON.parse(await readFile(join(p.server, 'default', 'content', 'settings.json'), 'utf8'));
    const avatar = 'user-default.png';
    const account = Object.fromEntries(p.cards.flatMap((card) => [[`AlertWI_${card.file}.png`, 'true'], [`AlertRegex_${card.file}.png`, 'true']]));
    const prepared: Tree = {
        firstRun: false,
        currentVersion: p.version,
        username: p.userName,
        user_avatar: avatar,
        main_api: 'openai',
        active_character: p.cards[0] ? `${p.cards[0].file}.png` : null,
        active_group: null,
        accountStorage: account,
        power_user: {
            auto_connect: true,
            auto_load_chat: true,
            world_import_dialog: false,
            personas: { [avatar]: p.userName },
            persona_descriptions: { [avatar]: { description: p.persona, position: 0 } },
            persona_description: p.persona,
            persona_description_position: 0,
        },
        oai_settings: {
            chat_completion_source: 'custom',
            custom_url: p.apiUrl,
            custom_model: p.model,
            stream_openai: p.streaming,
            max_context_unlocked: true,
            openai_max_context: 32000,
            openai_max_tokens: 1200,
        },
        extension_settings: {
            disabledExtensions: p.extension === 'disabled' ? [`third-party/${extensionFolderName}`] : [],
            notifyUpdates: false,
            ...(p.extensionSettings ? { 'narrative-agent': p.extensionSettings } : {}),
        },
    };
    return merge(merge(isTree(defaults) ? defaults : {}, prepared), p.settings ?? {});
}

/** Copies the built extension, exactly what an install by URL brings, into a user's extensions folder. */
export async function copyExtension(userRoot: string): Promise<void> {
    if (!existsSync(join(rootFolder, 'dist', 'index.js'))) throw new Error('dist/index.js is missing: run "npm run build" first');
    const target = join(userRoot, 'extensions', extensionFolderName);
    await mkdir(target, { recursive: true });
    for (const name of ['manifest.json', 'dist', 'style.css', 'settings.html', 'i18n']) {
        const from = join(rootFolder, name);
        if (existsSync(from)) await cp(from, join(target, name), { recursive: true });
    }
}

/** Writes a whole data folder for a first start. Returns the user's folder in it. */
export async function prepareData(dataRoot: string, p: Preparation): Promise<string> {
    const userRoot = join(dataRoot, 'default-user');
    for (const name of ['characters', 'worlds', 'extensions']) await mkdir(join(userRoot, name), { recursive: true });
    for (const card of p.cards) {
        await writeFile(join(userRoot, 'characters', `${card.file}.png`), cardPng(card, p.importBooks));
        if (p.importBooks) await writeFile(join(userRoot, 'worlds', `${card.bookName}.json`), JSON.stringify(worldFile(card)));
    }
    if (p.extension !== 'absent') await copyExtension(userRoot);
    if (p.apiKey) await writeFile(join(userRoot, 'secrets.json'), JSON.stringify({ api_key_custom: p.apiKey }));
    await writeFile(join(userRoot, 'settings.json'), JSON.stringify(await userSettings(p), null, 4));
    for (const [path, content] of Object.entries(p.files ?? {})) {
        await mkdir(dirname(join(userRoot, path)), { recursive: true });
        await writeFile(join(userRoot, path), content);
    }
    // What is named here counts as brought already: the bundled sample character, its world and pictures stay out.
    await writeFile(join(userRoot, 'content.log'), ['settings.json', 'default_Seraphina.png', 'Seraphina', 'Eldoria.json', 'Default_Comfy_Workflow.json', 'Char_Avatar_Comfy_Workflow.json'].join('\n'));
    return userRoot;
}
