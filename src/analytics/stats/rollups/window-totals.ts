import { type SaleScope, type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { NumberSet } from './number-set.js';
import { paymentsIn } from './rollup-changes.js';
import { type Rollup } from './rollups.repository.js';
import { addSales, NO_SALES, type SalesSums, sumsOf } from './sale-sums.js';
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
  /** Each bucket is covered alone, so that no cell is in two buckets. */
  readonly sums: CoveredWindow;
  /** The whole window, with larger cells than the sums have, so that a buyer is in fewer of them. */
  readonly buyers: CoveredWindow;
}

/** @param areComplete whether the sums of the cells are complete */
export function coversOf(window: Interval, buckets: readonly Interval[], areComplete: boolean): Covers {
  const whole = coveredWindow(window, areComplete);
  if (!areComplete || buckets.length === 1) return { sums: whole, buyers: whole };
  const covers = buckets.map((bucket) => coverOf(timeRangeOf(bucket)));
  const cells = joined(covers.flatMap((cover) => cover.cells));
  return { sums: { ...whole, cover: { cells, edges: covers.flatMap(({ edges }) => edges) } }, buyers: whole };
}

type CellsBySize = ReadonlyMap<number, readonly CellRange[]>;

const isAmong = (cells: CellsBySize, { sizeMs, atMs }: TimeCell): boolean => isInOneOf(atMs, cells.get(sizeMs) ?? []);

/** Adds up the sales of one window: of rollups, and of the entries of the ledger that the rollups do not contain. */
export class WindowTotals {
  /** Buyers with a payment in the window that no rollup of it contains. */
  readonly unaggregatedBuyers = new Set<string>();
  private readonly buckets: SalesSums[];
  private readonly sumCells: CellsBySize;
  private readonly buyerCells: CellsBySize;
  /** The numbers of the buyers in the rollups. */
  private readonly buyerNumbers = new NumberSet();

  constructor(
    private readonly scope: SaleScope,
    private readonly intervals: readonly Interval[],
    private readonly covers: Covers,
  ) {
    this.buckets = intervals.map(() => NO_SALES);
    this.sumCells = bySize(covers.sums.cover.cells);
    this.buyerCells = bySize(covers.buyers.cover.cells);
  }

  /** Adds the sums of a rollup that belongs to the cover of the sums. */
  addSums(rollup: Rollup): void {
    if (isAmong(this.sumCells, rollup)) this.add(rollup.atMs, rollup.sums);
  }

  /** Adds the buyers of a rollup that belongs to the cover of the buyers. */
  addBuyers(rollup: Rollup): void {
    if (rollup.buyers !== null && isAmong(this.buyerCells, rollup)) this.buyerNumbers.addPacked(rollup.buyers);
  }

  /** Adds the events of an entry that the rollups do not contain. */
  addEntry(entry: StoredLedgerEntry): void {
    for (const event of unaggregatedEvents(this.covers.sums, entry)) {
      this.add(event.at.getTime(), sumsOf(entry, event, this.scope));
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

  private add(atMs: number, sums: Partial<SalesSums>): void {
    const index = bucketOf(this.intervals, atMs);
    this.buckets[index] = addSales(this.buckets[index] ?? NO_SALES, sums);
  }
}
