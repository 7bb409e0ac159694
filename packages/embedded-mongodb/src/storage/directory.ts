import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isWhole } from './datafile.js';

const probeBytes = 512 * 1024;

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
  if (existsSync(file) && statSync(file).size > 0 && !isWhole(file))
    throw new Error(
      `${file} is not a data file of this store, or was cut off. Put it back from a copy, or move it away.`,
    );
}
