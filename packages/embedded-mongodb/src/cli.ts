import { parseArgs } from 'node:util';
import { startEmbeddedStore, type StoreOptions } from './index.js';

const usage = 'Usage: npm run store -- --path DIR [--port N] [--test-commands]\n';

/**
 * `npm run store`: serves a data directory alone on loopback, so that mongosh, Compass or a test can open it, until it
 * is interrupted. Prints the connection string. Exit code 2 for wrong arguments, 1 when the store cannot start.
 */
async function main(): Promise<void> {
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
}

/** The options of the command line; `undefined` when they are wrong. */
function readOptions(): StoreOptions | undefined {
  const { values } = parseArgs({
    options: { path: { type: 'string' }, port: { type: 'string' }, 'test-commands': { type: 'boolean' } },
    strict: false,
  });
  const port = Number(values['port'] ?? 27017);
  const isKnown = Object.keys(values).every((name) => ['path', 'port', 'test-commands'].includes(name));
  const { path } = values;
  if (!isKnown || typeof path !== 'string' || !Number.isInteger(port) || port < 0 || port > 65535) return undefined;
  return { path, port, testCommands: values['test-commands'] === true };
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
