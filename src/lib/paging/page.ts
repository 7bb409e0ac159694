/** The page of a list that a caller requests. */
export interface PageRequest {
  /** The position of the last record of the page before, in hexadecimal digits; null for the first page. */
  readonly after: string | null;
  /** How many records to return at most. */
  readonly limit: number;
  /** Whether the list begins with the oldest record. By default it begins with the newest one. */
  readonly oldestFirst?: boolean;
}

/** Up to how many records the length of a list is counted. */
export const MAX_COUNTED = 10_000;

/** Where a record is in a list, in hexadecimal digits. Equal lengths, so that the digits are in the order of the list. */
type PositionOf<Item> = (item: Item) => string;

const idOf = ({ id }: { readonly id: string }): string => id;

/** One page of a list, newest first. The interceptor turns it into `data`, a `Link` header and, when it is counted, `X-Total-Count`. */
export class Page<Item> {
  constructor(
    readonly items: readonly Item[],
    /** Opaque position after the last item; null on the last page. */
    readonly nextCursor: string | null,
    /** How many records the whole list has, at most `MAX_COUNTED + 1`; null: they were not counted. */
    readonly total: number | null = null,
  ) {}

  map<Other>(transform: (item: Item) => Other): Page<Other> {
    return this.with(this.items.map(transform));
  }

  /** The same page with other items in the place of its own. */
  with<Other>(items: readonly Other[]): Page<Other> {
    return new Page(items, this.nextCursor, this.total);
  }

  /** The same page with the number of records of the whole list. */
  counted(total: number | null): Page<Item> {
    return new Page(this.items, this.nextCursor, total);
  }

  /**
   * Builds a page from a read of `limit + 1` records: the extra one only shows that there are more.
   * @param records at most `limit + 1` records in list order
   * @param positionOf where a record is in the list, in hexadecimal digits; without it, its id
   */
  static of<Item extends { readonly id: string }>(
    records: readonly Item[],
    limit: number,
    positionOf: PositionOf<Item> = idOf,
  ): Page<Item> {
    const items = records.slice(0, limit);
    const last = items.at(-1);
    return new Page(items, records.length > limit && last ? encodeCursor(positionOf(last)) : null);
  }

  /**
   * Builds a page from several reads of `limit + 1` records, each of which has a part of the list in its order. A record that several
   * of them have is shown once.
   */
  static ofParts<Item extends { readonly id: string }>(
    parts: readonly (readonly Item[])[],
    { limit, oldestFirst = false }: PageRequest,
    positionOf: PositionOf<Item> = idOf,
  ): Page<Item> {
    const different = [...new Map(parts.flat().map((item) => [item.id, item])).values()];
    const isBefore = (left: Item, right: Item): boolean => positionOf(left) < positionOf(right) === oldestFirst;
    const sorted = parts.length === 1 ? different : different.sort((left, right) => (isBefore(left, right) ? -1 : 1));
    return Page.of(sorted.slice(0, limit + 1), limit, positionOf);
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
