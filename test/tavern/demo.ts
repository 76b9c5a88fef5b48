import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pinnedVersion } from './install';
import { play } from './play';
import { startModelServer } from './storyteller/server';
import { storyteller } from './storyteller/storyteller';
import { startTavern } from './tavern';
import { northTower, northTowerMerged, northTowerVariables } from './world';

const help = `npm run demo -- [options]

  --llm URL        use a real OpenAI-compatible API (…/v1) instead of the built-in storyteller
  --model NAME     its model
  --key KEY        its key
  --port N         port of SillyTavern (default: a free one)
  --st VERSION     another SillyTavern version (default ${pinnedVersion})
  --keep DIR       keep the data folder there, and use it again next time
  --play           play three turns without anybody, print what happened, and exit
  --shots DIR      with --play: save a screenshot of each turn there
  --help`;

/** The options as given; rejects what cannot be meant. */
function readOptions(args: string[]) {
    const { values } = parseArgs({
        args,
        options: {
            llm: { type: 'string' }, model: { type: 'string' }, key: { type: 'string' }, port: { type: 'string' }, st: { type: 'string' },
            keep: { type: 'string' }, play: { type: 'boolean', default: false }, shots: { type: 'string' }, help: { type: 'boolean', default: false },
        },
    });
    const port = values.port === undefined ? 0 : Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`--port ${values.port}: give a number up to 65535`);
    if (values.llm !== undefined && !/^https?:\/\//.test(values.llm)) throw new Error(`--llm ${values.llm}: give a URL like http://127.0.0.1:11434/v1`);
    return { values, port };
}

/** Runs the demo until Ctrl-C, or until three turns are played. Returns the exit code. */
export async function main(args: string[]): Promise<number> {
    let options: ReturnType<typeof readOptions>;
    try {
        options = readOptions(args);
    } catch (error) {
        console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
        return 1;
    }
    const { values, port } = options;
    if (values.help) {
        console.log(help);
        return 0;
    }

    const endings: (() => Promise<unknown>)[] = [];
    let ended: Promise<void> | null = null;
    const end = (): Promise<void> => {
        ended ??= (async () => {
            for (const step of endings.reverse()) await step();
        })();
        return ended;
    };
    let interrupt: () => void = () => undefined;
    const interrupted = new Promise<'interrupted'>((done) => {
        interrupt = () => done('interrupted');
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt());

    const run = async (): Promise<number> => {
        // The storyteller is always there: with --play it also keeps the log of a real model's requests away.
        const server = values.llm === undefined ? await startModelServer(storyteller, { pieceMs: values.play ? 4 : 30 }) : null;
        if (server) endings.push(() => server.close());
        const tavern = await startTavern({
            apiUrl: (values.llm ?? server?.url ?? '').replace(/\/+$/, ''),
            model: values.model ?? (values.llm ? '' : 'storyteller'),
            cards: [northTower, northTowerMerged, northTowerVariables],
            port,
            say: console.log,
            ...(values.key ? { apiKey: values.key } : {}),
            ...(values.st ? { version: values.st } : {}),
            ...(values.keep ? { dataRoot: resolve(values.keep) } : {}),
        });
        endings.push(() => tavern.stop());
        if (values.play) return play(tavern, server, values.shots);
        console.log(`\nSillyTavern ${tavern.version} with Narrative Agent is ready. Open this address:\n\n    ${tavern.url}\n\nCtrl-C ends it${values.keep ? `; the data stays in ${tavern.dataRoot}` : ' and leaves nothing behind'}.`);
        const how = await Promise.race([interrupted, tavern.ended]);
        if (how === 'interrupted') return 0;
        console.error(`SillyTavern ended by itself (exit code ${how}). Its output is in ${tavern.logFile}.`);
        return 1;
    };
    try {
        const code = await Promise.race([run(), interrupted]);
        return code === 'interrupted' ? 130 : code;
    } catch (error) {
        console.error(error instanceof Error ? error.message : error);
        return 1;
    } finally {
        await end();
    }
}
