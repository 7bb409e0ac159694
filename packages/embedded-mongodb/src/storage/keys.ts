import { createHash } from 'node:crypto';

/**
 * The store's one key space. The first byte is the kind; numbers are big-endian, so that keys sort as they count:
 *
 *     C <namespace>                      a collection: its id, options and indexes (BSON)
 *     D <id>                             a dropped collection's or index's id whose entries are still to be removed
 *     F                                  the version of this layout, see `format.ts`
 *     I <index id> <values>              an entry of a unique index -> record number
 *     I <index id> <values> <record>     an entry of any other index
 *     N                                  the highest id that was given to a collection or an index
 *     R <collection id> <record>         a document (BSON)
 *     T <session id>                     the results of a session's last retryable write or transaction (BSON)
 */
const kind = (letter: string): number => letter.charCodeAt(0);

/** Bytes of a record number in keys and values. */
const recordBytes = 6;

const maxKeyBytes = 1978; // LMDB's limit at pages of 4096
const hashBytes = 32;

/** Bytes up to which an index entry's key is stored as it is, before the record number. */
export const entryBytes = maxKeyBytes - hashBytes - recordBytes;

/** The key of an entry in the data file. A key that is too long is cut and gets a hash of the whole key at its end, so that it stays unique. */
export const shortened = (key: Buffer): Buffer =>
  key.length <= entryBytes
    ? key
    : Buffer.concat([key.subarray(0, entryBytes), createHash('sha256').update(key).digest()]);

/** A range of keys as entries are stored: bounds that are longer are cut so that no entry between them is left out. */
export function clipped(from: Buffer, to: Buffer): { from: Buffer; to: Buffer } {
  return {
    from: from.subarray(0, entryBytes),
    to: to.length <= entryBytes ? to : after(to.subarray(0, entryBytes)),
  };
}

const prefixed = (letter: string, id: number): Buffer => {
  const key = Buffer.allocUnsafe(5);
  key[0] = kind(letter);
  key.writeUInt32BE(id, 1);
  return key;
};

/** The record number in bytes. */
export function recordNumber(record: number): Buffer {
  const bytes = Buffer.allocUnsafe(recordBytes);
  bytes.writeUIntBE(record, 0, recordBytes);
  return bytes;
}

/** Where a collection's documents begin. */
export const recordsOf = (collection: number): Buffer => prefixed('R', collection);

/** The key of one document. */
export const recordKey = (collection: number, record: number): Buffer =>
  Buffer.concat([recordsOf(collection), recordNumber(record)]);

/** The record number at the end of a key or in an index entry's value. */
export const recordIn = (bytes: Buffer): number => bytes.readUIntBE(bytes.length - recordBytes, recordBytes);

/** Where an index's entries begin. */
export const entriesOf = (index: number): Buffer => prefixed('I', index);

/** The key of a dropped id whose entries are still to be removed. */
export const droppedKey = (id: number): Buffer => prefixed('D', id);

/** The key of a collection's description. */
export const catalogueKey = (namespace: string): Buffer => Buffer.from(`C${namespace}`);

/** The key of a session's stored results. */
export const sessionKey = (session: Uint8Array): Buffer => Buffer.concat([Buffer.from('T'), session]);

/** The key of the layout's version. */
export const formatKey = Buffer.from('F');

/** The key of the highest id. */
export const highestKey = Buffer.from('N');

/** The first key after all that begin with `prefix`. */
export function after(prefix: Buffer): Buffer {
  let last = prefix.length - 1;
  while (last >= 0 && prefix[last] === 255) last--;
  const next = Buffer.from(prefix.subarray(0, last + 1));
  if (last >= 0) next[last] = (next[last] ?? 0) + 1;
  return next;
}
