/** The page of a list that a caller requests. */
export interface PageRequest {
  /** The position of the last record of the page before, in hexadecimal digits; null for the first page. */
  readonly after: string | null;
  /** How many records to return at most. */
  readonly limit: number;
}

/** One page of a list, newest first. The interceptor turns it into `data` and a `Link` header. */
export class Page<Item> {
  constructor(
    readonly items: readonly Item[],
    /** Opaque position after the last item; null on the last page. */
    readonly nextCursor: string | null,
  ) {}

  map<Other>(transform: (item: Item) => Other): Page<Other> {
    return new Page(this.items.map(transform), this.nextCursor);
  }

  /**
   * Builds a page from a read of `limit + 1` records: the extra one only shows that there are more.
   * @param records at most `limit + 1` records in list order
   * @param positionOf where a record is in the list, in hexadecimal digits; without it, its id
   */
  static of<Item extends { readonly id: string }>(
    records: readonly Item[],
    limit: number,
    positionOf: (item: Item) => string = ({ id }) => id,
  ): Page<Item> {
    const items = records.slice(0, limit);
    const last = items.at(-1);
    return new Page(items, records.length > limit && last ? encodeCursor(positionOf(last)) : null);
  }
}

function encodeCursor(position: string): string {
  return Buffer.from(position, 'hex').toString('base64url');
}

/** How many bytes an id has, which is the position in most lists. */
export const ID_BYTES = 12;

/** The position in a cursor, in hexadecimal digits, or null when we did not make the cursor. */
export function decodeCursor(cursor: string, bytesOfPosition = ID_BYTES): string | null {
  const bytes = Buffer.from(cursor, 'base64url');
  return bytes.length === bytesOfPosition && bytes.toString('base64url') === cursor ? bytes.toString('hex') : null;
}
