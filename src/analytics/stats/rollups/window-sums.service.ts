import { Injectable } from '@nestjs/common';
import { LedgerService } from '../../../orders/ledger/ledger.service.js';
import { type SaleScope, type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type Transaction } from '../../../platform/database/transactions.js';
import { BuyerNumbersRepository } from './buyer-numbers.repository.js';
import { RollupsRepository } from './rollups.repository.js';
import { type Sales, type SalesQuery, type SalesWindow } from './sales.types.js';
import { bridged, type CellRange } from './time-cells.js';
import { type CoveredWindow } from './unaggregated-events.js';
import { coversOf, WindowTotals } from './window-totals.js';

/** What is read for some windows: the cells of their covers, and some others. */
const cellsOf = (windows: readonly CoveredWindow[]): CellRange[] =>
  bridged(windows.flatMap(({ cover }) => cover.cells));

/** The sales of windows: sums of rollups, and of the entries of the ledger that they do not contain. */
@Injectable()
export class WindowSumsService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly rollups: RollupsRepository,
    private readonly numbers: BuyerNumbersRepository,
  ) {}

  /**
   * @param areComplete whether the rollups are complete. Until then all of the windows is read from the ledger
   * @param transaction everything is read in its snapshot, so no entry is counted twice or left out while others fold
   */
  async salesOf(
    query: SalesQuery,
    areComplete: boolean,
    transaction: Transaction,
  ): Promise<Record<SalesWindow, Sales>> {
    const { shopId, currency, windows, buckets, serverId = null, productId = null } = query;
    const scope: SaleScope = { currency, serverId, productId };
    const current = coversOf(windows.current, buckets.current, areComplete);
    const previous = coversOf(windows.previous, buckets.previous, areComplete);
    const covers = [current, previous];
    const totals = {
      current: new WindowTotals(scope, buckets.current, current),
      previous: new WindowTotals(scope, buckets.previous, previous),
    };
    const both = [totals.current, totals.previous];

    const haveOneCover = covers.every((cover) => cover.sums === cover.buyers);
    const buyerCells = cellsOf(covers.map(({ buyers }) => buyers));
    let hasRollups = false;
    for await (const rollup of this.rollups.inRanges(shopId, scope, buyerCells, transaction)) {
      hasRollups = true;
      for (const total of both) {
        total.addBuyers(rollup);
        if (haveOneCover) total.addSums(rollup);
      }
    }
    const sumCells = haveOneCover ? [] : cellsOf(covers.map(({ sums }) => sums));
    for await (const rollup of this.rollups.sumsInRanges(shopId, scope, sumCells, transaction)) {
      for (const total of both) total.addSums(rollup);
    }

    // The edges of the buckets include the edges of the whole window.
    const timeRanges = covers.flatMap((cover) => cover.sums.cover.edges);
    const moved = new Set<string>();
    const selection = { scope, timeRanges, withPending: areComplete };
    for await (const entry of this.ledger.select(shopId, selection, transaction)) {
      for (const total of both) total.addEntry(entry);
      if (entry.events.some(({ kind, count }) => kind === 'paid' && count < 0)) moved.add(entry.buyerKey);
    }

    const keys = new Set([...moved, ...both.flatMap(({ unaggregatedBuyers }) => [...unaggregatedBuyers])]);
    // Numbers are needed only to find the same buyers in rollups.
    const numbers = await this.numbers.find(shopId, hasRollups ? [...keys] : [], transaction);
    const doubtful = await this.entriesOf(shopId, moved, scope, transaction);
    return { current: totals.current.result(numbers, doubtful), previous: totals.previous.result(numbers, doubtful) };
  }

  private async entriesOf(
    shopId: string,
    buyerKeys: ReadonlySet<string>,
    scope: SaleScope,
    transaction: Transaction,
  ): Promise<Map<string, StoredLedgerEntry[]>> {
    const ofBuyers = new Map<string, StoredLedgerEntry[]>([...buyerKeys].map((key) => [key, []]));
    if (buyerKeys.size === 0) return ofBuyers;
    const entries = await this.ledger.ofBuyers(shopId, [...buyerKeys], scope, transaction);
    for (const entry of entries) ofBuyers.get(entry.buyerKey)?.push(entry);
    return ofBuyers;
  }
}
