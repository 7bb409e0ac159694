import { rm } from 'node:fs/promises';

export default async function globalTeardown() {
  await globalThis.testStore?.close();
  await rm(globalThis.testFolder, { recursive: true, force: true });
}
