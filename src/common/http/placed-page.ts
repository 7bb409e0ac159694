import { Page } from './page.js';

/** Where a record is in a list that is sorted by `position`, and newest first where positions are equal. */
export interface Place {
  /** A whole number from 0 to 4,294,967,295. */
  readonly position: number;
  readonly id: string;
}

/** Which part of such a list a caller wants. */
export interface PlacedPageRequest {
  /** The place of the last record of the page before; null for the first page. */
  readonly after: Place | null;
  /** How many records to return at most. */
  readonly limit: number;
}

const POSITION_BYTES = 4;
const ID_BYTES = 12;

/**
 * Builds a page from a read of `limit + 1` records: the extra one only shows that there are more.
 * @param records at most `limit + 1` records in list order
 */
export function placedPageOf<Item extends Place>(records: readonly Item[], limit: number): Page<Item> {
  const items = records.slice(0, limit);
  const last = items.at(-1);
  return new Page(items, records.length > limit && last ? encodePlace(last) : null);
}

function encodePlace({ position, id }: Place): string {
  const bytes = Buffer.alloc(POSITION_BYTES);
  bytes.writeUInt32BE(position);
  return Buffer.concat([bytes, Buffer.from(id, 'hex')]).toString('base64url');
}

/** The place in a cursor, or null when we did not make the cursor. */
export function decodePlace(cursor: string): Place | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== POSITION_BYTES + ID_BYTES || bytes.toString('base64url') !== cursor) return null;
  return { position: bytes.readUInt32BE(), id: bytes.toString('hex', POSITION_BYTES) };
}
