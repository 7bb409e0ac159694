import { closeSync, fstatSync, openSync, rmSync, statfsSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, systemCode } from './owner.js';

const [kib, mib] = [1024, 1024 ** 2];
const zeros = Buffer.alloc(256 * kib);
/** The codes of the system for a disk, a quota or a file that takes no more bytes. */
const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** There is no space for a write. Nothing was written, and LMDB is not concerned. */
export class NoSpace extends Error {
  readonly code = 'ENOSPC';

  constructor(directory: string) {
    super(`The disk of ${directory} is full`);
  }
}

/** How many bytes of a file system stay free: 1/64 of it, at least 256 KiB and at most 16 MiB. */
const reserved = (total: number): number => Math.min(16 * mib, Math.max(256 * kib, total / 64));

/** Throws {@link NoSpace} unless the file system of the directory has that many bytes besides the reserve. */
export function requireSpace(directory: string, bytes: number): void {
  const { bsize, bavail, blocks } = statfsSync(directory);
  if (bavail * bsize - reserved(blocks * bsize) < bytes) throw new NoSpace(directory);
}

/** How many reads can be open at the same time. */
export const maxReaders = 2048;

/**
 * Gives LMDB's lock file all of its blocks. LMDB maps it, and the kernel ends a process (SIGBUS) that writes to a mapped page
 * for which the disk has no block. To be called before LMDB opens the directory.
 */
export function fillLockFile(directory: string): void {
  const file = join(directory, 'lock.mdb');
  const length = maxReaders * 64 + 4096;
  const { blocks = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (blocks * 512 >= length) return;
  try {
    writeFileSync(file, Buffer.alloc(length));
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/** What LMDB's statistics say: of the last commit, and of the tree with what is being written. */
export interface Statistics {
  readonly pageSize: number;
  readonly treeDepth: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly lastPageNumber: number;
  readonly free: {
    readonly treeBranchPageCount: number;
    readonly treeLeafPageCount: number;
    readonly overflowPages: number;
  };
}

/** How many pages the file gets besides those that are needed: an eighth of what it has, between these limits. */
const [leastMore, mostMore] = [64, 2048];
/** Values from this size on, with their keys, may get pages of their own. */
const largeBytes = 2000;
/** Pages for LMDB's list of the pages that a commit frees. */
const listPages = 16;

/**
 * The space of the data file. LMDB must never meet a full disk: when it can't write a page, the package (lmdb 3.5.6) writes its
 * message beyond the end of a buffer and breaks the heap of the process (see `docs/lmdb-full-disk.md`). So the file is filled with
 * zeros before LMDB needs the pages, and what finds no space fails here. File systems that write each block to a new
 * place (Btrfs, ZFS) need space also for what the file has already; that is what the reserve is for.
 */
export class Room {
  private readonly file: string;
  private readonly descriptor: number;
  private readonly identity: string | undefined;
  /** The most pages that the commit can need, and the pages of large values among them. */
  private needed = 0;
  private large = 0;
  /** How many pages that nothing uses yet the file has at least. */
  private present = 0;
  private depth = 1;
  private pageSize = 4096;
  private lists = 0;

  constructor(
    private readonly directory: string,
    private readonly statistics: () => Statistics,
  ) {
    this.file = join(directory, 'data.mdb');
    this.descriptor = openSync(this.file, 'r+');
    this.identity = identityOf(this.file);
  }

  /** Whether the file is still in its place, so that what is written to it will be found again. */
  isInPlace(): boolean {
    return identityOf(this.file) === this.identity;
  }

  /** Begins a commit. Throws {@link NoSpace} when the file system is full up to the reserve. */
  begin(): void {
    requireSpace(this.directory, 0);
    this.needed = listPages + 2 * this.lists;
    this.large = 0;
  }

  /** Extends the file when a further change of that many bytes may need it. Throws {@link NoSpace} when there is no space. */
  take(bytes: number): void {
    const large = bytes < largeBytes ? 0 : Math.ceil(bytes / this.pageSize) + 1;
    this.large += large;
    // Each page from the root to the leaf is written to a new place, and each can be split.
    this.needed += large + 2 * (this.depth + 1);
    if (this.needed > this.present) this.extend();
  }

  /** Ends a commit that has succeeded. */
  end(): void {
    this.present = Math.max(0, this.present - this.needed);
  }

  private extend(): void {
    const { pageSize, treeDepth, treeBranchPageCount, treeLeafPageCount, lastPageNumber, free } = this.statistics();
    this.pageSize = pageSize;
    this.depth = treeDepth;
    this.lists = free.treeBranchPageCount + free.treeLeafPageCount + free.overflowPages;
    // Many changes share pages: a commit can't need more pages than the tree has.
    const whole = treeBranchPageCount + treeLeafPageCount + this.large + listPages + 2 * this.lists;
    const more = Math.min(mostMore, Math.max(leastMore, lastPageNumber >> 3));
    this.fill((lastPageNumber + 1 + Math.min(this.needed, whole) + more) * pageSize);
    this.present = this.needed + more;
  }

  private fill(length: number): void {
    let { size } = fstatSync(this.descriptor);
    if (size < length) requireSpace(this.directory, length - size);
    try {
      while (size < length) size += writeSync(this.descriptor, zeros, 0, Math.min(zeros.length, length - size), size);
    } catch (error) {
      throw fullCodes.includes(systemCode(error) ?? '') ? new NoSpace(this.directory) : error;
    }
  }

  /** Closes the file. */
  close(): void {
    closeSync(this.descriptor);
  }
}
