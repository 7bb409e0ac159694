import { Injectable } from '@nestjs/common';
import { LedgerService } from '../../../orders/ledger/ledger.service.js';
import { type SaleScope, type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type Transaction, Transactions } from '../../../infrastructure/database/transactions.js';
import { partOf, partsOf, type PartsQuery, type PartSums, type SalesPart, sortedParts } from './breakdown-rules.js';
import { buyerIn, type BuyerSum, type SummedMonth } from './buyer-sums.js';
import { BuyerSumsRepository, type StoredBuyerSum } from './buyer-sums.repository.js';
import { type SumsVersion } from './rollup-phases.js';
import { RollupStatesRepository } from './rollup-states.repository.js';
import { RollupsRepository } from './rollups.repository.js';
import { addSales, NO_SALES, type SalesSums, sumsOf } from './sale-sums.js';
import { type Sales, type SalesQuery } from './sales.types.js';
import { coverOf, QUARTER_MS } from './time-cells.js';
import { quartersIn, unaggregatedEvents, WindowTotals } from './window-totals.js';

/**
 * The sales of shops, exact at this moment, at a cost that does not grow with the number of orders: sums of days and quarters of
 * an hour, and the entries of the ledger that they do not contain. All of it is read in one snapshot, so no entry is counted twice or left
 * out while others fold.
 */
@Injectable()
export class SalesService {
  constructor(
    private readonly states: RollupStatesRepository,
    private readonly rollups: RollupsRepository,
    private readonly buyers: BuyerSumsRepository,
    private readonly ledger: LedgerService,
    private readonly transactions: Transactions,
  ) {}

  /** The sales in each window. */
  salesOf<Window extends string>(query: SalesQuery<Window>): Promise<Readonly<Record<Window, Sales>>> {
    const { shopId, currency, windows, buckets, serverId = null, productId = null } = query;
    const scope: SaleScope = { currency, serverId, productId };
    return this.inSnapshot(shopId, async (sums, transaction) => {
      const names = Object.keys(windows) as Window[];
      const all = names.map((name) => new WindowTotals(windows[name], buckets[name], productId));
      const cut = new Set(all.flatMap(({ cover }) => [...cover.cutQuarters]));
      for await (const entry of this.unaggregated(shopId, scope, cut, transaction)) {
        for (const totals of all) totals.addEntry(entry);
      }
      const keys = new Set(all.flatMap(({ payments }) => [...payments.keys()]));
      const numbers = sums === null ? new Map<string, number>() : await this.buyers.numbersOf(sums, keys, transaction);
      for (const totals of all) totals.identify((buyerKey) => numbers.get(buyerIn({ currency, buyerKey })));
      if (sums !== null) await this.addRollups(sums, scope, all, transaction);
      const results = all.map((totals, index) => [names[index], totals.result()]);
      return Object.fromEntries(results) as Record<Window, Sales>;
    });
  }

  /** The parts of the sales, those with the most net revenue first. */
  partsOf({ shopId, currency, window, by }: PartsQuery): Promise<PartSums[]> {
    const scope: SaleScope = { currency, serverId: null, productId: null };
    const cover = coverOf(window, [window]);
    return this.inSnapshot(shopId, async (sums, transaction) => {
      const parts = new Map<SalesPart['key'], SalesSums>();
      const add = (key: SalesPart['key'], added: Partial<SalesSums>): void => {
        parts.set(key, addSales(parts.get(key) ?? NO_SALES, added));
      };
      for await (const entry of this.unaggregated(shopId, scope, cover.cutQuarters, transaction)) {
        for (const event of unaggregatedEvents(cover, entry)) {
          for (const part of partsOf(entry, event)) {
            if (part.by === by) add(part.key, sumsOf(entry, event, part.productId));
          }
        }
      }
      if (sums !== null) {
        const ofDays = await this.rollups.sumsOfDays(sums, { currency, by }, cover.days, transaction);
        for (const { key, sums: added } of ofDays) add(key, added);
        const ends = { currency, by, days: [], quartersOf: cover.endDays };
        for await (const rollup of this.rollups.find(sums, ends, 'without buyers', transaction)) {
          for (const quarter of quartersIn(cover, rollup)) add(rollup.key, quarter.sums);
        }
      }
      return sortedParts(parts);
    });
  }

  /** The buyers who paid most, in descending order, by the folded entries: some seconds behind the sales. */
  topBuyers(shopId: string, currency: string, month: SummedMonth, limit: number): Promise<BuyerSum[]> {
    return this.inSnapshot(shopId, async (sums, transaction) =>
      sums === null ? [] : this.buyers.top(sums, currency, month, limit, transaction),
    );
  }

  /** What a buyer paid, as it is stored: in each month and in all time. */
  sumsOfBuyer(shopId: string, buyerKey: string): Promise<StoredBuyerSum[]> {
    return this.inSnapshot(shopId, async (sums, transaction) =>
      sums === null ? [] : this.buyers.ofBuyer(sums, buyerKey, transaction),
    );
  }

  private async addRollups(
    sums: SumsVersion,
    scope: SaleScope,
    windows: readonly WindowTotals[],
    transaction: Transaction,
  ): Promise<void> {
    const { by, key } = partOf(scope);
    const part = { currency: scope.currency, by, key };
    const covers = windows.map(({ cover }) => cover);
    const days = covers.map((cover) => cover.days);
    const whole = { ...part, days, quartersOf: covers.flatMap(({ endDays }) => [...endDays]) };
    for await (const rollup of this.rollups.find(sums, whole, 'with buyers', transaction)) {
      for (const totals of windows) totals.addRollup(rollup);
    }
    const split = { ...part, days: [], quartersOf: covers.flatMap(({ splitDays }) => [...splitDays]) };
    for await (const rollup of this.rollups.find(sums, split, 'without buyers', transaction)) {
      for (const totals of windows) totals.addSplitDay(rollup);
    }
  }

  /** @param work gets the sums that are read; null in a shop that has none yet */
  private inSnapshot<Result>(
    shopId: string,
    work: (sums: SumsVersion | null, transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.run(async (transaction) => {
      const state = await this.states.find(shopId, transaction);
      return work(state && { shopId, version: state.version }, transaction);
    });
  }

  /** The entries that the sums do not contain, and those with an event in a quarter of an hour that an edge cuts. */
  private unaggregated(
    shopId: string,
    scope: SaleScope,
    cutQuarters: ReadonlySet<number>,
    transaction: Transaction,
  ): AsyncGenerator<StoredLedgerEntry, void> {
    const timeRanges = [...cutQuarters].map((fromMs) => ({ fromMs, toMs: fromMs + QUARTER_MS }));
    return this.ledger.select(shopId, scope, timeRanges, transaction);
  }
}
