import { fail } from '../errors.js';
import { indexKeyOf, inverted } from '../values/compare.js';
import { toNumber } from '../values/numbers.js';
import { fieldParts, indexRows } from '../values/paths.js';
import { isDoc, isNumber, type Maybe, type Value, shown } from '../values/types.js';

/** One part of a sort pattern. */
export interface SortPart {
  readonly path: string;
  readonly parts: readonly string[];
  readonly way: 1 | -1;
}

/** Memory that a blocking stage may use, in bytes (manual: core/aggregation-pipeline-limits). */
export const memoryLimit = 100 * 1024 * 1024;

/** Reads a sort pattern (manual: reference/method/cursor.sort). An empty one is no sorting. */
export function parseSort(spec: Maybe): SortPart[] {
  if (spec === undefined) return [];
  if (!isDoc(spec)) return fail(15973, 'the $sort key specification must be an object');
  return [...spec].map(([path, value]) => {
    if (path === '$natural') fail(238, 'the sort $natural is not supported by the embedded store');
    const way = isNumber(value)
      ? toNumber(value)
      : fail(
          15974,
          `Illegal key in $sort specification: ${path}: ${isDoc(value) ? '{ $meta } is not supported' : shown(value)}`,
        );
    if (way !== 1 && way !== -1) fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    return { path, parts: fieldParts(path), way };
  });
}

/**
 * Bytes whose order is the pattern's order. Of a document with an array the least of its rows counts (see `indexRows`); the
 * bytes of a descending part are inverted, so there the greatest value is the least. 2 for two arrays that are independent.
 */
export function sortKey(document: Value, pattern: readonly SortPart[]): Buffer {
  const rows = indexRows(
    document,
    pattern.map(({ parts }) => parts),
    () => undefined,
    () => fail(2, 'cannot sort with keys that are parallel arrays'),
  );
  const [first = Buffer.alloc(0), ...others] = rows.map((row) =>
    Buffer.concat(row.map((value, at) => (pattern[at]?.way === -1 ? inverted(indexKeyOf(value)) : indexKeyOf(value)))),
  );
  return others.reduce((least, key) => (Buffer.compare(key, least) < 0 ? key : least), first);
}

/** Something to be sorted, with its key and its size in bytes. */
interface Entry<T> {
  readonly key: Buffer;
  readonly order: number;
  readonly item: T;
  readonly bytes: number;
}

/** About how many bytes a row takes besides its key and its content: the objects that hold them. */
const bytesOfEntry = 300;

/** Collects rows and returns them in order; stable. With a limit it keeps no more than a small multiple of it. */
export class Sorter<T> {
  private entries: Entry<T>[] = [];
  private bytes = 0;
  private seen = 0;

  constructor(private readonly limit: number = Number.POSITIVE_INFINITY) {}

  /** Adds a row of about `size` bytes; 292 when the rows that must be kept exceed {@link memoryLimit}. */
  add(key: Buffer, item: T, size: number): void {
    const bytes = size + key.length + bytesOfEntry;
    this.entries.push({ key, order: this.seen++, item, bytes });
    this.bytes += bytes;
    const most = 2 * this.limit + 1000;
    if (this.entries.length >= most || (this.bytes > memoryLimit && this.entries.length > this.limit)) this.settle();
    if (this.bytes > memoryLimit)
      fail(
        292,
        `Executor error during find command :: caused by :: Sort exceeded memory limit of ${memoryLimit} bytes, but did not opt in to external sorting.`,
      );
  }

  private settle(): void {
    this.entries.sort((a, b) => Buffer.compare(a.key, b.key) || a.order - b.order);
    for (const { bytes } of this.entries.splice(this.limit)) this.bytes -= bytes;
  }

  /** The rows in order, each of which is released when it is returned: a cursor may be read slowly. */
  *sorted(): Generator<T> {
    this.settle();
    this.entries.reverse();
    for (let entry = this.entries.pop(); entry; entry = this.entries.pop()) yield entry.item;
  }
}
