import { parseArgs } from 'node:util';
import { startEmbeddedStore } from './index.js';

const usage = 'Usage: npm run store -- --path DIR [--port N] [--test-commands]\n';

/**
 * `npm run store`: serves a data directory alone on loopback, so that mongosh, Compass or a test can look into it, until it
 * is interrupted. Prints the connection string. Exit code 2 for wrong arguments, 1 when the store can't start.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { path: { type: 'string' }, port: { type: 'string' }, 'test-commands': { type: 'boolean' } },
  });
  const port = values.port === undefined ? 27017 : Number(values.port);
  if (values.path === undefined || !Number.isInteger(port) || port < 0 || port > 65535) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  const store = await startEmbeddedStore({ path: values.path, port, testCommands: values['test-commands'] });
  process.stdout.write(`${store.uri}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void store.close());
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 1;
}
