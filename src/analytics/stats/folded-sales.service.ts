import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../platform/database/transactions.js';
import { BuyerNumbersRepository } from './buyer-numbers.repository.js';
import { LedgerRepository } from '../../orders/ledger/ledger.repository.js';
import { type StoredLedgerEntry } from '../../orders/ledger/ledger.types.js';
import { type CoveredWindow, looseEvents } from './loose-events.js';
import { NumberSet } from './number-set.js';
import { paymentsIn } from './rollup-changes.js';
import { type Rollup, RollupsRepository } from './rollups.repository.js';
import { type SaleScope, sumsOf } from '../../orders/ledger/sale-events.js';
import { addSales, type Interval, NO_SALES, type Sales, type SalesQuestion, type SalesSlot } from '../../orders/ledger/sales.types.js';
import { bridged, bySize, type CellRange, coverOf, isInOneOf, joined, stretchOf } from '../../orders/ledger/time-cells.js';

/** What covers a window. Each of its parts is covered alone for the sums, so that a sum is of one part. Buyers are of the whole. */
interface Covers {
  readonly sums: CoveredWindow;
  /** With larger cells than the sums have, so a buyer is in fewer of them. */
  readonly buyers: CoveredWindow;
}

/** What was read for a question. */
interface Found {
  readonly scope: SaleScope;
  readonly sums: readonly Rollup[];
  readonly buyers: readonly Rollup[];
  /** What no rollup contains: pending entries, and those with events at the ends of a window. */
  readonly entries: readonly StoredLedgerEntry[];
  /** The numbers of buyers in the entries. */
  readonly numbers: ReadonlyMap<string, number>;
  /** All entries of the buyers of whom the entries take back a payment. */
  readonly doubtful: ReadonlyMap<string, readonly StoredLedgerEntry[]>;
}

function coversOf(window: Interval, parts: readonly Interval[]): Covers {
  const whole = { window, cover: coverOf(stretchOf(window)) };
  if (parts.length === 1) return { sums: whole, buyers: whole };
  const covers = parts.map((part) => coverOf(stretchOf(part)));
  const cells = joined(covers.flatMap((cover) => cover.cells));
  return { sums: { window, cover: { cells, edges: covers.flatMap(({ edges }) => edges) } }, buyers: whole };
}

/** What is read for some windows: the cells of their covers, and some others. */
const cellsOf = (windows: readonly CoveredWindow[]): CellRange[] =>
  bridged(windows.flatMap(({ cover }) => cover.cells));

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
    const current = coversOf(windows.current, parts.current);
    const previous = coversOf(windows.previous, parts.previous);
    const found = await this.find(question, [current, previous], transaction);
    return { current: sumUp(current, found), previous: sumUp(previous, found) };
  }

  private async find(
    { shopId, currency, serverId, productId }: SalesQuestion,
    covers: readonly Covers[],
    transaction: Transaction,
  ): Promise<Found> {
    const scope: SaleScope = { currency, serverId: serverId ?? null, productId: productId ?? null };
    const buyerCells = cellsOf(covers.map(({ buyers }) => buyers));
    const buyers = await this.rollups.inRanges(shopId, scope, buyerCells, transaction);
    const sums = covers.every((cover) => cover.sums === cover.buyers)
      ? buyers
      : await this.rollups.sumsInRanges(shopId, scope, cellsOf(covers.map((cover) => cover.sums)), transaction);
    // The edges of all parts contain those of the whole.
    const edges = covers.flatMap((cover) => cover.sums.cover.edges);
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
    return { scope, sums, buyers, entries, numbers, doubtful };
  }
}

function rollupsIn({ cover }: CoveredWindow, rollups: readonly Rollup[]): Rollup[] {
  const sizes = bySize(cover.cells);
  return rollups.filter(({ sizeMs, atMs }) => isInOneOf(atMs, sizes.get(sizeMs) ?? []));
}

function sumUp({ sums, buyers }: Covers, found: Found): Sales {
  const slots = [
    ...rollupsIn(sums, found.sums).map((rollup): SalesSlot => {
      return { at: new Date(rollup.atMs), ...addSales(NO_SALES, rollup.sums) };
    }),
    ...looseEvents(sums, found.entries).map(({ entry, event }): SalesSlot => {
      return { at: event.at, ...addSales(NO_SALES, sumsOf(entry, event, found.scope)) };
    }),
  ];
  return { slots, uniqueBuyers: countBuyers(buyers, found) };
}

function countBuyers(covered: CoveredWindow, { buyers, entries, numbers, doubtful }: Found): number {
  const known = new NumberSet();
  for (const { buyers: packed } of rollupsIn(covered, buyers)) if (packed !== null) known.addPacked(packed);
  // Buyers whose first payment is not folded yet have no number.
  const others = new Set<string>();
  const add = (buyerKey: string): void => {
    const number = numbers.get(buyerKey);
    if (number === undefined) others.add(buyerKey);
    else known.add(number);
  };
  for (const { entry, event } of looseEvents(covered, entries)) if (event.kind === 'paid') add(entry.buyerKey);
  const whole = stretchOf(covered.window);
  for (const [buyerKey, ofBuyer] of doubtful) {
    const number = numbers.get(buyerKey);
    if (number !== undefined) known.delete(number);
    others.delete(buyerKey);
    if (paymentsIn(ofBuyer, buyerKey, whole) > 0) add(buyerKey);
  }
  return known.size + others.size;
}
