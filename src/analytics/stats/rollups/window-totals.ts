import { type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type SaleEvent } from '../../../orders/ledger/sale-events.js';
import { eachCount, NumberSet } from './buyer-counts.js';
import { type Rollup } from './rollups.repository.js';
import { addSales, NO_SALES, type SalesSums, sumsOf } from './sale-sums.js';
import { type Interval, type Sales } from './sales.types.js';
import { beginningOf, bucketOf, type Cover, coverOf, isBetween, isInQuarters, QUARTER_MS } from './time-cells.js';

/** The events of an entry in a range that the sums of its days and quarters do not contain. */
export function unaggregatedEvents({ range, cutQuarters }: Cover, entry: StoredLedgerEntry): readonly SaleEvent[] {
  return entry.events.filter(({ at }) => {
    const atMs = at.getTime();
    return isBetween(atMs, range) && (entry.pending || cutQuarters.has(beginningOf(atMs, QUARTER_MS)));
  });
}

/** The sums of the quarters of a rollup that a cover contains, each with the time at which it begins. */
export function quartersIn(cover: Cover, { atMs, quarters }: Rollup): { atMs: number; sums: Partial<SalesSums> }[] {
  return Object.entries(quarters)
    .map(([index, sums]) => ({ atMs: atMs + Number(index) * QUARTER_MS, sums }))
    .filter((quarter) => isInQuarters(cover, quarter.atMs));
}

/**
 * Adds up the sales of one window: first the entries of the ledger that the rollups do not contain, then the numbers of their
 * buyers, then the rollups.
 */
export class WindowTotals {
  readonly cover: Cover;
  /** How often each buyer paid by the entries. Below 0 when a payment turned out to be of another time. */
  readonly payments = new Map<string, number>();
  private readonly sums: SalesSums[];
  /** `payments` by the numbers of the buyers, and what the rollups add to them. */
  private readonly counts = new Map<number, number>();
  private readonly buyers = new NumberSet();

  constructor(
    window: Interval,
    private readonly buckets: readonly Interval[],
    private readonly productId: string | null,
  ) {
    this.cover = coverOf(window, buckets);
    this.sums = buckets.map(() => NO_SALES);
  }

  addEntry(entry: StoredLedgerEntry): void {
    for (const event of unaggregatedEvents(this.cover, entry)) {
      this.add(event.at.getTime(), sumsOf(entry, event, this.productId));
      if (event.kind !== 'paid') continue;
      this.payments.set(entry.buyerKey, (this.payments.get(entry.buyerKey) ?? 0) + event.count);
    }
  }

  /** @param numberOf the number of a buyer in `payments`. A buyer who is in no rollup has none */
  identify(numberOf: (buyerKey: string) => number | undefined): void {
    let unknown = 0;
    for (const [buyerKey, count] of this.payments) this.counts.set(numberOf(buyerKey) ?? --unknown, count);
  }

  /** Adds a rollup of a day, or of the quarters of a day at an end of the window. */
  addRollup(rollup: Rollup): void {
    const { atMs, per, sums, buyers } = rollup;
    if (per === 'quarter') {
      if (!this.cover.endDays.has(atMs)) return;
      this.addQuarters(rollup);
      for (const [index, counts] of Object.entries(buyers)) {
        if (isInQuarters(this.cover, atMs + Number(index) * QUARTER_MS)) this.addBuyers(counts);
      }
    } else if (isBetween(atMs, this.cover.days)) {
      if (!this.cover.splitDays.has(atMs)) this.add(atMs, sums);
      for (const counts of Object.values(buyers)) this.addBuyers(counts);
    }
  }

  /** Adds the quarters of a day that several buckets share. */
  addSplitDay(rollup: Rollup): void {
    if (this.cover.splitDays.has(rollup.atMs)) this.addQuarters(rollup);
  }

  result(): Sales {
    const counted = [...this.counts.values()].filter((count) => count > 0).length;
    return { buckets: this.sums, uniqueBuyers: this.buyers.size + counted };
  }

  private addQuarters(rollup: Rollup): void {
    for (const { atMs, sums } of quartersIn(this.cover, rollup)) this.add(atMs, sums);
  }

  private addBuyers(counts: Uint8Array): void {
    eachCount(counts, (number, count) => {
      const before = this.counts.get(number);
      if (before === undefined) this.buyers.add(number);
      else this.counts.set(number, before + count);
    });
  }

  private add(atMs: number, sums: Partial<SalesSums>): void {
    const index = bucketOf(this.buckets, atMs);
    this.sums[index] = addSales(this.sums[index] ?? NO_SALES, sums);
  }
}
