import { rm } from 'node:fs/promises';

export default async function globalTeardown() {
  if (!globalThis.testStore) return;
  const { store, path } = globalThis.testStore;
  await store.close();
  await rm(path, { recursive: true, force: true });
}
