import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

// The positions of LMDB's fields that are read here, in bytes (`mdb.c` of the package lmdb: MDB_page_header, MDB_meta, MDB_node).
const header = { flags: 18, slotBytes: 20, length: 24 };
const meta = { magic: 24, version: 28, pageSize: 48, roots: [88, 136], lastPage: 144, transaction: 152, length: 168 };
const node = { size: 0, flags: 4, keyBytes: 6, key: 8 };
const [branch, leaf, onPagesOfItsOwn] = [1, 2, 1];
const [magic, version, metaPage] = [0xbeefc0de, 2, 8];

/**
 * Whether the file is LMDB's, of the version that is used here, and no page that is in use lies beyond its end: LMDB maps the file and reads such a page
 * without a check, which ends the process. Pages at the end may be missing without harm when they are free; so where the file is
 * shorter than its own count of pages, all that are in use are gone through.
 */
export function isWhole(file: string): boolean {
  const descriptor = openSync(file, 'r');
  const read = (at: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at));
  };
  try {
    const newest = newestMeta(read);
    if (!newest) return false;
    const pageSize = newest.readUInt32LE(meta.pageSize);
    const pages = Math.floor(fstatSync(descriptor).size / pageSize);
    if (pageAt(newest, meta.lastPage) < pages) return true;
    return meta.roots
      .filter((root) => newest.readBigInt64LE(root) !== -1n)
      .every((root) => holds(pageAt(newest, root), pages, pageSize, read));
  } finally {
    closeSync(descriptor);
  }
}

type Read = (at: number, length: number) => Buffer;

const pageAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

/** The newer of the two pages that describe the file, which are written in turn; none when one of them is not LMDB's. */
function newestMeta(read: Read): Buffer | undefined {
  const isMeta = (page: Buffer): boolean =>
    page.length === meta.length &&
    page.readUInt16LE(header.flags) === metaPage &&
    page.readUInt32LE(meta.magic) === magic &&
    page.readUInt16LE(meta.version) === version &&
    page.readUInt32LE(meta.pageSize) > 0;
  const first = read(0, meta.length);
  if (!isMeta(first)) return undefined;
  const second = read(first.readUInt32LE(meta.pageSize), meta.length);
  if (!isMeta(second)) return undefined;
  return pageAt(first, meta.transaction) >= pageAt(second, meta.transaction) ? first : second;
}

/** Whether a page, and all pages below it, are among the file's first `pages`. */
function holds(number: number, pages: number, pageSize: number, read: Read): boolean {
  if (number >= pages) return false;
  const page = read(number * pageSize, pageSize);
  const flags = page.readUInt16LE(header.flags);
  const end = header.length + page.readUInt16LE(header.slotBytes);
  for (let slot = header.length; slot < end; slot += 2) {
    const at = header.length + page.readUInt16LE(slot);
    if (flags & branch) {
      if (!holds(page.readUIntLE(at, 6), pages, pageSize, read)) return false;
    } else if (page.readUInt16LE(at + node.flags) & onPagesOfItsOwn) {
      const first = pageAt(page, at + node.key + page.readUInt16LE(at + node.keyBytes));
      const more = Math.floor((header.length - 1 + page.readUInt32LE(at + node.size)) / pageSize);
      if (first + more >= pages) return false;
    }
  }
  return (flags & (branch | leaf)) !== 0;
}
