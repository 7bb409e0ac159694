import { StoreError } from '../errors.js';
import { type Disk } from './disk.js';
import { formatKey } from './keys.js';

/** The version of the layout of keys and values. It changes when this version of the store can't read what another has written. */
const format = 1;

/**
 * Checks the version of the file's layout, and writes it where it is missing: in a new file, and in one of the time before
 * there was a version, which has this layout. Throws for any other version.
 */
export async function checkFormat(disk: Disk): Promise<void> {
  const stored = disk.get(formatKey)?.readUInt32BE();
  if (stored === format) return;
  if (stored !== undefined)
    throw new Error(
      `The data file has format ${stored}, and this version of the store reads format ${format}. Use the version of the store that wrote it, or an empty directory.`,
    );
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(format);
  try {
    await disk.write(() => disk.put(formatKey, bytes));
  } catch (error) {
    // A file of the time before there was a version can be read on a full disk. The next start writes it.
    if (!(error instanceof StoreError && error.code === 14031)) throw error;
  }
}
