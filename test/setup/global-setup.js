import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * One database server for all specs: the one that TEST_MONGODB_URI names, or an embedded store in a temporary folder.
 * It is taken from `dist`, as compiled code: its worker thread cannot run TypeScript.
 */
export default async function globalSetup() {
  if (process.env.TEST_MONGODB_URI) return;
  const { startEmbeddedStore } = await import('../../dist/database/embedded/index.js');
  const path = await mkdtemp(join(tmpdir(), 'shop-platform-test-'));
  const store = await startEmbeddedStore({ path });
  globalThis.testStore = { store, path };
  process.env.TEST_MONGODB_URI = store.uri;
}
