import { closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const probeBytes = 512 * 1024;
const [magicAt, magic, leastBytes] = [24, 0xbeefc0de, 8192]; // LMDB: MDB_meta behind the page's header, on two pages

/**
 * Makes the data directory, or throws with a sentence for who named it: LMDB itself ends the process when it can't lay out its
 * files or finds one of another make.
 */
export function prepareDirectory(directory: string): void {
  const probe = join(directory, `probe-${process.pid}`);
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(probe, Buffer.alloc(probeBytes));
  } catch (error) {
    throw new Error(
      `The data directory ${directory} can't be written: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  } finally {
    if (existsSync(probe)) rmSync(probe);
  }
  const file = join(directory, 'data.mdb');
  if (existsSync(file) && statSync(file).size > 0 && !isDataFile(file))
    throw new Error(
      `${file} is not a data file of this store, or was cut off. Put it back from a copy, or move it away.`,
    );
}

function isDataFile(file: string): boolean {
  const head = Buffer.alloc(magicAt + 4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return head.readUInt32LE(magicAt) === magic && statSync(file).size >= leastBytes;
}
