import { readFileSync } from 'node:fs';
import { decode, encode } from '../values/bson.js';
import { doc } from '../values/types.js';
import { type Disk } from './disk.js';
import { ownerKey } from './keys.js';

/** When a process started, in the system's own unit (Linux), so that a number given to a later process is told apart. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isAlive(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return startOf(pid) === started;
}

/**
 * Takes the directory for this process: one at a time, decided inside a write transaction, which LMDB gives to one
 * process after the other. The mark of a process that died (kill -9) does not count. Throws when another one lives.
 */
export function takeOwnership(disk: Disk, directory: string): void {
  disk.writeNow(() => {
    const bytes = disk.get(ownerKey);
    const owner = bytes && decode(bytes);
    const [pid, started] = [owner?.get('pid'), owner?.get('started')];
    if (typeof pid === 'number' && typeof started === 'string' && isAlive(pid, started)) {
      throw new Error(
        `The data directory ${directory} is in use by process ${pid}. Only one process may hold it: stop that one or choose another directory.`,
      );
    }
    disk.put(ownerKey, encode(doc({ pid: process.pid, started: startOf(process.pid) })));
  });
}

/** Gives the directory back. */
export const releaseOwnership = (disk: Disk): void => disk.writeNow(() => disk.remove(ownerKey));
