import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Builds what changed since the last build, because the specs run the compiled service. Then one database server for all
 * of them: the one that TEST_MONGODB_URI names, or an embedded store in a temporary folder.
 */
export default async function globalSetup() {
  const root = join(import.meta.dirname, '..', '..');
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (process.env.TEST_MONGODB_URI) return;
  const { startEmbeddedStore } = await import('@shop-platform/embedded-mongodb');
  const path = await mkdtemp(join(tmpdir(), 'shop-platform-test-'));
  const store = await startEmbeddedStore({ path });
  globalThis.testStore = { store, path };
  process.env.TEST_MONGODB_URI = store.uri;
}
