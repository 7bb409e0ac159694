import { Injectable } from '@nestjs/common';
import { LedgerService } from '../../../orders/ledger/ledger.service.js';
import { type SaleScope, type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { BuyerNumbersRepository } from './buyer-numbers.repository.js';
import { RollupsRepository } from './rollups.repository.js';
import { type Sales, type SalesQuery, type SalesWindow } from './sales.types.js';
import { bridged, merged } from './time-cells.js';
import { coversOf, WindowTotals } from './window-totals.js';

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
    const totalsOf = (name: SalesWindow): WindowTotals =>
      new WindowTotals(scope, buckets[name], coversOf(windows[name], buckets[name], areComplete));
    const [current, previous] = [totalsOf('current'), totalsOf('previous')];
    const both = [current, previous];
    const covers = both.map((total) => total.covers);

    const haveOneCover = covers.every((cover) => cover.sums === cover.buyers);
    const buyerCells = covers.flatMap(({ buyers }) => buyers.cover.cells);
    let hasRollups = false;
    for await (const rollup of this.rollups.inRanges(shopId, scope, bridged(buyerCells), transaction)) {
      hasRollups = true;
      for (const total of both) {
        total.addBuyers(rollup);
        if (haveOneCover) total.addSums(rollup);
      }
    }
    for (const total of haveOneCover ? [] : both) {
      const { sums, movedCells } = total.covers;
      const cells = bridged([...sums.cover.cells, ...movedCells]);
      for await (const rollup of this.rollups.sumsInRanges(shopId, scope, cells, transaction)) total.addSums(rollup);
    }

    // The edges of the buckets include the edges of the whole window. The windows may overlap, and no entry is read twice.
    const timeRanges = merged(covers.flatMap((cover) => cover.sums.cover.edges));
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
    return { current: current.result(numbers, doubtful), previous: previous.result(numbers, doubtful) };
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
