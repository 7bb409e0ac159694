import { statfs } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';

const MIB = 2 ** 20;
const LITTLE_SPACE_BYTES = 1_024 * MIB;
/** The embedded store keeps up to 24 MiB free for itself, and rejects writes when no more is left. */
const NO_SPACE_BYTES = 100 * MIB;

/**
 * How much space the disk of `DATA_DIR` has. `low`: less than 1 GiB. `full`: less than 100 MiB, so the embedded store rejects writes
 * soon or already. `unreadable`: the system reports an error, as when the folder is gone.
 */
export const DISK_STATES = ['ok', 'low', 'full', 'unreadable'] as const;
export type DiskState = (typeof DISK_STATES)[number];

export function diskStateOf(freeBytes: number): DiskState {
  if (freeBytes < NO_SPACE_BYTES) return 'full';
  return freeBytes < LITTLE_SPACE_BYTES ? 'low' : 'ok';
}

/** The bytes that this process can write to the disk of a folder. @throws Error of the system when the folder is gone */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * The disk of `DATA_DIR`: with the embedded store, that of the database. It is read and not inferred from failed writes, because a
 * service that nobody uses writes nothing: all of its jobs only read then.
 */
@Injectable()
export class DataDisk {
  constructor(private readonly config: AppConfig) {}

  /** null: it cannot be read. */
  freeBytes(): Promise<number | null> {
    return freeBytesOf(this.config.dataDir).catch(() => null);
  }

  async state(): Promise<DiskState> {
    const freeBytes = await this.freeBytes();
    return freeBytes === null ? 'unreadable' : diskStateOf(freeBytes);
  }
}
