import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';

/** Mounts a file system in memory. Returns how to unmount it. */
export function mountMemory(at: string, options: string): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at], { stdio: 'ignore' });
  return () => void execFileSync('umount', [at]);
}

/** Whether this user can mount a file system here. */
const canMount = ((): boolean => {
  const at = mkdtempSync(join(tmpdir(), 'store-mount-'));
  try {
    mountMemory(at, 'size=1m')();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
})();

/** A test that needs a file system of its own. It is skipped, with the reason in its title, where none can be mounted. */
export const itMounts = (title: string, test: () => Promise<void>): void =>
  canMount ? it(title, test) : it.skip(`${title} (skipped: this user cannot mount a file system)`, test);
