/** Which part of a list a caller wants. */
export interface PageRequest {
  /** The id of the last record of the page before; null for the first page. */
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
   */
  static of<Item extends { readonly id: string }>(records: readonly Item[], limit: number): Page<Item> {
    const items = records.slice(0, limit);
    const last = items.at(-1);
    return new Page(items, records.length > limit && last ? encodeCursor(last.id) : null);
  }
}

/** @param id the ObjectId (24 hex digits) of the last item of a page */
function encodeCursor(id: string): string {
  return Buffer.from(id, 'hex').toString('base64url');
}

/** The id in a cursor, or null when we did not make the cursor. */
export function decodeCursor(cursor: string): string | null {
  const bytes = Buffer.from(cursor, 'base64url');
  return bytes.length === 12 && bytes.toString('base64url') === cursor ? bytes.toString('hex') : null;
}
