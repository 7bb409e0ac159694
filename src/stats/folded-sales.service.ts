import { Injectable } from '@nestjs/common';
import { type Transaction } from '../database/transactions.js';
import { BuyerNumbersRepository } from './buyer-numbers.repository.js';
import { LedgerRepository } from './ledger.repository.js';
import { type StoredLedgerEntry } from './ledger.types.js';
import { type CoveredWindow, type LooseEvent, looseEvents } from './loose-events.js';
import { NumberSet } from './number-set.js';
import { paymentsIn } from './rollup-changes.js';
import { type Rollup, RollupsRepository } from './rollups.repository.js';
import { isIn, type SaleScope, sumsOf } from './sale-events.js';
import { addSales, type Interval, NO_SALES, type Sales, type SalesQuestion, type SalesSlot } from './sales.types.js';
import { type CellRange, coverOf, isBetween, joined, stretchOf } from './time-cells.js';

/** What was read for a question. */
interface Found {
  readonly scope: SaleScope;
  readonly rollups: readonly Rollup[];
  /** What no rollup contains: pending entries, and those with events at the ends of a window. */
  readonly entries: readonly StoredLedgerEntry[];
  /** The numbers of buyers in the entries. */
  readonly numbers: ReadonlyMap<string, number>;
  /** All entries of the buyers of whom the entries take back a payment. */
  readonly doubtful: ReadonlyMap<string, readonly StoredLedgerEntry[]>;
}

/** The parts of a window cover it together, and each of them is covered alone, so that its sums are those of its cells. */
function coverAll(window: Interval, parts: readonly Interval[]): CoveredWindow {
  const covers = parts.map((part) => coverOf(stretchOf(part)));
  const cells = joined(covers.flatMap((cover) => cover.cells));
  return { window, cover: { cells, edges: covers.flatMap(({ edges }) => edges) } };
}

/** The sales of a shop whose ledger is folded: sums of rollups, and what they do not contain yet. */
@Injectable()
export class FoldedSalesService {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly rollups: RollupsRepository,
    private readonly numbers: BuyerNumbersRepository,
  ) {}

  /** @param transaction everything is read in its snapshot, so no entry is counted twice or left out while others fold */
  async salesOf(question: SalesQuestion, transaction: Transaction): Promise<{ current: Sales; previous: Sales }> {
    const { windows, parts } = question;
    const current = coverAll(windows.current, parts.current);
    const previous = coverAll(windows.previous, parts.previous);
    const found = await this.find(question, [current, previous], transaction);
    return { current: sumUp(current, found), previous: sumUp(previous, found) };
  }

  private async find(
    { shopId, currency, serverId, productId }: SalesQuestion,
    windows: readonly CoveredWindow[],
    transaction: Transaction,
  ): Promise<Found> {
    const scope: SaleScope = { currency, serverId: serverId ?? null, productId: productId ?? null };
    const ranges = joined(windows.flatMap(({ cover }) => cover.cells));
    const edges = windows.flatMap(({ cover }) => cover.edges);
    const rollups = await this.rollups.inRanges(shopId, scope, ranges, transaction);
    const entries = await this.ledger.loose(shopId, scope, edges, transaction);
    const payments = entries.flatMap(({ buyerKey, events }) =>
      events.filter(({ kind }) => kind === 'paid').map(({ count }) => ({ buyerKey, count })),
    );
    const keys = [...new Set(payments.map(({ buyerKey }) => buyerKey))];
    const numbers = await this.numbers.find(shopId, keys, transaction);
    const removed = new Set(payments.filter(({ count }) => count < 0).map(({ buyerKey }) => buyerKey));
    const doubtful = new Map<string, StoredLedgerEntry[]>([...removed].map((key) => [key, []]));
    if (removed.size > 0) {
      const all = await this.ledger.ofBuyers(shopId, [...removed], scope, transaction);
      for (const entry of all) doubtful.get(entry.buyerKey)?.push(entry);
    }
    return { scope, rollups, entries, numbers, doubtful };
  }
}

function rollupsIn({ cover }: CoveredWindow, rollups: readonly Rollup[]): Rollup[] {
  const sizes = new Map<number, CellRange[]>();
  for (const range of cover.cells) sizes.set(range.sizeMs, [...(sizes.get(range.sizeMs) ?? []), range]);
  return rollups.filter(({ sizeMs, atMs }) => sizes.get(sizeMs)?.some((range) => isBetween(atMs, range)));
}

function sumUp(covered: CoveredWindow, found: Found): Sales {
  const rollups = rollupsIn(covered, found.rollups);
  const loose = looseEvents(
    covered,
    found.entries.filter((entry) => isIn(found.scope, entry)),
  );
  const slots = [
    ...rollups.map(({ atMs, sums }): SalesSlot => ({ at: new Date(atMs), ...addSales(NO_SALES, sums) })),
    ...loose.map(({ entry, event }): SalesSlot => {
      return { at: event.at, ...addSales(NO_SALES, sumsOf(entry, event, found.scope)) };
    }),
  ];
  return { slots, uniqueBuyers: countBuyers(covered, found, rollups, loose) };
}

function countBuyers(
  { window }: CoveredWindow,
  { numbers, doubtful }: Found,
  rollups: readonly Rollup[],
  loose: readonly LooseEvent[],
): number {
  const known = new NumberSet();
  for (const { buyers } of rollups) if (buyers !== null) known.addPacked(buyers);
  // Buyers whose first payment is not folded yet have no number.
  const others = new Set<string>();
  const add = (buyerKey: string): void => {
    const number = numbers.get(buyerKey);
    if (number === undefined) others.add(buyerKey);
    else known.add(number);
  };
  for (const { entry, event } of loose) if (event.kind === 'paid') add(entry.buyerKey);
  const whole = stretchOf(window);
  for (const [buyerKey, entries] of doubtful) {
    const number = numbers.get(buyerKey);
    if (number !== undefined) known.delete(number);
    others.delete(buyerKey);
    if (paymentsIn(entries, buyerKey, whole) > 0) add(buyerKey);
  }
  return known.size + others.size;
}
