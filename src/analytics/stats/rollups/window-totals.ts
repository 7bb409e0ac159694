import { type SaleScope, type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { DAY_MS } from '../../../lib/time/durations.js';
import { NumberSet } from './number-set.js';
import { paymentsIn } from './rollup-changes.js';
import { type Rollup } from './rollups.repository.js';
import { addSales, NO_SALES, type SalesSums, subtractSales, sumsOf } from './sale-sums.js';
import { type Interval, type Sales } from './sales.types.js';
import {
  bucketOf,
  bySize,
  type CellRange,
  coverOf,
  isInOneOf,
  joined,
  type TimeCell,
  timeRangeOf,
} from './time-cells.js';
import { type CoveredWindow, coveredWindow, unaggregatedEvents } from './unaggregated-events.js';

/** How a window is covered. */
export interface Covers {
  /** Each of the `dayBuckets` is covered alone, so that no cell is in two of them. */
  readonly sums: CoveredWindow;
  /** The buckets, with their inner edges moved to midnights in UTC: a whole day is one cell, and a local day 24 or more. */
  readonly dayBuckets: readonly Interval[];
  /** The cells between the edges of the buckets and those of `dayBuckets`. */
  readonly movedCells: readonly CellRange[];
  /** The whole window, with larger cells than the sums have, so that a buyer is in fewer of them. */
  readonly buyers: CoveredWindow;
}

/** @param areComplete whether the sums of the cells are complete */
export function coversOf(window: Interval, buckets: readonly Interval[], areComplete: boolean): Covers {
  const whole = coveredWindow(window, areComplete);
  if (!areComplete || buckets.length === 1) return { sums: whole, dayBuckets: buckets, movedCells: [], buyers: whole };
  const dayBuckets = dayBucketsOf(buckets);
  const covers = dayBuckets.map((bucket) => coverOf(timeRangeOf(bucket)));
  const cells = joined(covers.flatMap((cover) => cover.cells));
  const sums = { ...whole, cover: { cells, edges: covers.flatMap(({ edges }) => edges) } };
  const moved = buckets.flatMap(({ from }, index) => {
    const [one, other] = [from.getTime(), dayBuckets[index]?.from.getTime() ?? 0];
    return coverOf({ fromMs: Math.min(one, other), toMs: Math.max(one, other) }).cells;
  });
  return { sums, dayBuckets, movedCells: joined(moved), buyers: whole };
}

/** Moves each inner edge of buckets, where a cell begins, to the nearest midnight in UTC, unless that lies outside of its two buckets. */
function dayBucketsOf(buckets: readonly Interval[]): Interval[] {
  const begins = buckets.map(({ from, to }, index) => {
    const before = buckets[index - 1];
    const midnight = new Date(Math.round(from.getTime() / DAY_MS) * DAY_MS);
    const isMoved = before !== undefined && midnight >= before.from && midnight <= to;
    return isMoved ? midnight : from;
  });
  return buckets.map(({ to }, index) => ({ from: begins[index] as Date, to: begins[index + 1] ?? to }));
}

type CellsBySize = ReadonlyMap<number, readonly CellRange[]>;

const isAmong = (cells: CellsBySize, { sizeMs, atMs }: TimeCell): boolean => isInOneOf(atMs, cells.get(sizeMs) ?? []);

/** Adds up the sales of one window: of rollups, and of the entries of the ledger that the rollups do not contain. */
export class WindowTotals {
  /** Buyers with a payment in the window that no rollup of it contains. */
  readonly unaggregatedBuyers = new Set<string>();
  private readonly buckets: SalesSums[];
  private readonly sumCells: CellsBySize;
  private readonly movedCells: CellsBySize;
  private readonly buyerCells: CellsBySize;
  /** The numbers of the buyers in the rollups. */
  private readonly buyerNumbers = new NumberSet();

  constructor(
    private readonly scope: SaleScope,
    private readonly intervals: readonly Interval[],
    readonly covers: Covers,
  ) {
    this.buckets = intervals.map(() => NO_SALES);
    this.sumCells = bySize(covers.sums.cover.cells);
    this.movedCells = bySize(covers.movedCells);
    this.buyerCells = bySize(covers.buyers.cover.cells);
  }

  /** Adds the sums of a rollup that belongs to the cover of the sums, or moves them from one bucket to its neighbour. */
  addSums(rollup: Rollup): void {
    const { atMs, sums } = rollup;
    const { dayBuckets } = this.covers;
    if (isAmong(this.sumCells, rollup)) this.add(dayBuckets, atMs, sums);
    if (!isAmong(this.movedCells, rollup)) return;
    this.add(dayBuckets, atMs, sums, subtractSales);
    this.add(this.intervals, atMs, sums);
  }

  /** Adds the buyers of a rollup that belongs to the cover of the buyers. */
  addBuyers(rollup: Rollup): void {
    if (rollup.buyers !== null && isAmong(this.buyerCells, rollup)) this.buyerNumbers.addPacked(rollup.buyers);
  }

  /** Adds the events of an entry that the rollups do not contain. */
  addEntry(entry: StoredLedgerEntry): void {
    for (const event of unaggregatedEvents(this.covers.sums, entry)) {
      this.add(this.intervals, event.at.getTime(), sumsOf(entry, event, this.scope));
    }
    const events = unaggregatedEvents(this.covers.buyers, entry);
    if (events.some(({ kind }) => kind === 'paid')) this.unaggregatedBuyers.add(entry.buyerKey);
  }

  /**
   * @param numbers of the unaggregated buyers. A buyer whose first payment is not folded yet has none
   * @param doubtful all entries of each buyer of whom some payment moved to another time: they are counted again
   */
  result(numbers: ReadonlyMap<string, number>, doubtful: ReadonlyMap<string, readonly StoredLedgerEntry[]>): Sales {
    const others = new Set<string>();
    const add = (buyerKey: string): void => {
      const number = numbers.get(buyerKey);
      if (number === undefined) others.add(buyerKey);
      else this.buyerNumbers.add(number);
    };
    for (const buyerKey of this.unaggregatedBuyers) if (!doubtful.has(buyerKey)) add(buyerKey);
    for (const [buyerKey, entries] of doubtful) {
      const number = numbers.get(buyerKey);
      if (number !== undefined) this.buyerNumbers.delete(number);
      if (paymentsIn(entries, buyerKey, this.covers.buyers.range) > 0) add(buyerKey);
    }
    return { buckets: this.buckets, uniqueBuyers: this.buyerNumbers.size + others.size };
  }

  /** @param intervals the buckets that decide to which one an instant belongs */
  private add(intervals: readonly Interval[], atMs: number, sums: Partial<SalesSums>, combine = addSales): void {
    const index = bucketOf(intervals, atMs);
    this.buckets[index] = combine(this.buckets[index] ?? NO_SALES, sums);
  }
}
