import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Builds the service when something has changed, because the specs run it compiled. Then one database server for all of them: the
 * one that TEST_MONGODB_URI names, or an embedded store in a temporary folder.
 */
export default async function globalSetup() {
  const root = join(import.meta.dirname, '..', '..');
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  const path = await mkdtemp(join(await storeFolder(), 'shop-platform-test-'));
  globalThis.testFolder = path;
  if (!process.env.TEST_MONGODB_URI) {
    const { startEmbeddedStore } = await import('@shop-platform/embedded-mongodb');
    globalThis.testStore = await startEmbeddedStore({ path: join(path, 'store') });
    process.env.TEST_MONGODB_URI = globalThis.testStore.uri;
  }
  process.env.TEST_OPENAPI_FILE = join(path, 'openapi.json');
  await writeFile(process.env.TEST_OPENAPI_FILE, await openApiDocument(path));
}

/**
 * Memory where the system offers 2 GiB of it as a folder, because a write to a disk takes milliseconds. Specs that kill a
 * process have stores of their own on the disk.
 */
async function storeFolder() {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 2 ** 31 ? memory : tmpdir();
}

/** The OpenAPI document of the service as it was just built. The test client checks each response against it. */
async function openApiDocument(dataDir) {
  const env = { NODE_ENV: 'test', DATA_DIR: dataDir, DEMO: 'false' };
  const databaseUri = process.env.TEST_MONGODB_URI.replace(
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/,
    `$1/test-openapi-${process.pid}`,
  );
  const app = fork(join(import.meta.dirname, '../support/app-process.js'), {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  app.send({ id: 1, question: 'start', details: { env, databaseUri } });
  const [{ result: port, error }] = await once(app, 'message');
  if (error !== undefined) throw new Error(`the service did not start: ${error}`);
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/openapi.json`);
  const document = await response.text();
  app.send({ id: 2, question: 'close', details: { dropDatabase: true } });
  await once(app, 'message');
  app.disconnect();
  return document;
}
