import { existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isWhole } from './datafile.js';
import { type Ownership, systemCode, takeOwnership } from './owner.js';
import { fillLockFile, requireSpace } from './room.js';

/** The space that a new data file needs. */
const firstBytes = 512 * 1024;

/** File systems of other machines by their number in Linux (statfs(2)): NFS, SMB in three versions, AFS, Ceph, 9P. */
const networkFileSystems = [0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x00c36400, 0x01021997];

/**
 * Rejects a directory on another machine's file system: its processes can't be seen from here, so two could use the
 * directory, and LMDB does not work there. `type` is the file system's number.
 */
export function refuseNetworkFileSystem(directory: string, type = statfsSync(directory).type): void {
  if (networkFileSystems.includes(type))
    throw new Error(`The data directory ${directory} is on a network file system. Choose one on a local disk.`);
}

/**
 * Creates the data directory and reserves it for this process, or throws with a message for the operator: LMDB itself
 * ends the process when it can't create its files or finds those of another program. A directory that is in use is not
 * written to.
 */
export async function takeDirectory(directory: string): Promise<Ownership> {
  let ownership: Ownership | undefined;
  try {
    mkdirSync(directory, { recursive: true });
    refuseNetworkFileSystem(directory);
    ownership = await takeOwnership(directory);
    checkDataFile(directory);
    fillLockFile(directory);
    return ownership;
  } catch (error) {
    ownership?.release();
    if (systemCode(error) === undefined) throw error;
    throw new Error(
      `The data directory ${directory} can't be written: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/**
 * Checks the data file before LMDB opens it. A new one needs space. A full disk is no reason to reject one that exists: it can be
 * read.
 */
function checkDataFile(directory: string): void {
  const file = join(directory, 'data.mdb');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && !isWhole(file))
    throw new Error(
      `${file} is not a data file of this store, or was cut off. Put it back from a copy, or move it away.`,
    );
  if (size === 0 && existsSync(join(directory, 'lock.mdb')))
    throw new Error(
      `${file} is empty or was removed. Put it back from a copy. To begin with no data, empty the directory.`,
    );
  if (size === 0) requireSpace(directory, firstBytes);
}
