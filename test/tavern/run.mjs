// Runs one of this folder's TypeScript programs: node test/tavern/run.mjs <program> [options]
// Node 20 strips no types, so the program is compiled in memory by the bundler that builds the extension.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const folder = dirname(fileURLToPath(import.meta.url));
const program = process.argv[2] ?? '';
if (!/^[a-z-]+$/.test(program)) throw new Error('Give the name of a program in test/tavern, for example: node test/tavern/run.mjs demo');
const { module } = await runnerImport(join(folder, `${program}.ts`), { configFile: false, root: join(folder, '..', '..'), logLevel: 'error' });
process.exitCode = await module.main(process.argv.slice(3));
// Whatever is still open (a browser that an interrupt left behind) ends with this process.
setTimeout(() => process.exit(), 1000).unref();
