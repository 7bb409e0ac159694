import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Engine } from './engine.js';
import { startEmbeddedStore, type StoreOptions } from './index.js';
import { checkData } from './storage/check.js';

const usage = `Usage: npm run store -- --path DIR [--port N]
       npm run store -- --check DIR
`;

/**
 * `npm run store`: serves a data directory alone on loopback, so that mongosh, Compass or a test can open it, until it
 * is interrupted. Prints the connection string. With `--check` it reads every document and index entry of a directory that no
 * process uses, and prints each problem. Exit code 2 for wrong arguments, 1 when the store cannot start or has problems.
 */
async function main(): Promise<void> {
  const [first, directory, ...others] = process.argv.slice(2);
  if (first === '--check' && directory !== undefined && others.length === 0) return check(directory);
  const options = readOptions();
  if (!options) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  // Only the owner of the process reads the data.
  process.umask(0o077);
  const store = await startEmbeddedStore(options);
  process.stdout.write(`${store.uri}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void store.close());
  void store.failure.then(({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  });
}

async function check(directory: string): Promise<void> {
  if (!existsSync(join(directory, 'data.mdb'))) throw new Error(`${directory} has no data.mdb`);
  const engine = await Engine.open(resolve(directory));
  const problems = checkData(engine.disk, engine.catalogue);
  await engine.close();
  process.stdout.write(problems.map((problem) => `${problem}\n`).join('') || 'No problems found.\n');
  if (problems.length > 0) process.exitCode = 1;
}

/** The options of the command line; `undefined` when they are wrong. */
function readOptions(): StoreOptions | undefined {
  const { values } = parseArgs({
    options: { path: { type: 'string' }, port: { type: 'string' } },
    strict: false,
  });
  const port = Number(values['port'] ?? 27017);
  const isKnown = Object.keys(values).every((name) => ['path', 'port'].includes(name));
  const { path } = values;
  if (!isKnown || typeof path !== 'string' || !Number.isInteger(port) || port < 0 || port > 65535) return undefined;
  return { path, port };
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
