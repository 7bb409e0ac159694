import { Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { type Breakdown, BreakdownSums, type PartSums } from './breakdown-rules.js';
import { BreakdownSumsRepository } from './breakdown-sums.repository.js';
import { LedgerRepository } from '../../orders/ledger/ledger.repository.js';
import { looseEvents } from './loose-events.js';
import { RollupsService } from './rollups.service.js';
import { eventsOf } from '../../orders/ledger/sale-events.js';
import { SalesRepository } from './sales.repository.js';
import { type Interval } from '../../orders/ledger/sales.types.js';
import { coverOf, isBetween, stretchOf } from '../../orders/ledger/time-cells.js';

/** Which sales to split, and by what. */
export interface BreakdownQuestion {
  readonly shopId: string;
  /** ISO 4217. Orders in other currencies do not count. */
  readonly currency: string;
  readonly window: Interval;
  readonly by: Breakdown;
}

/** The sales of a shop, split into parts. */
@Injectable()
export class BreakdownsService {
  constructor(
    private readonly sums: BreakdownSumsRepository,
    private readonly ledger: LedgerRepository,
    private readonly sales: SalesRepository,
    private readonly rollups: RollupsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The parts, those with the most net revenue first; exact at this moment, at a cost that does not grow with the number of
   * orders. Until the sums of a shop are complete, its orders are read.
   */
  async partsOf(question: BreakdownQuestion): Promise<PartSums[]> {
    const folded = await this.transactions.run(async (transaction) => {
      const areReady = await this.rollups.areReady(question.shopId, transaction);
      return areReady ? this.ofSums(question, transaction) : null;
    });
    return (folded ?? (await this.ofOrders(question))).sorted();
  }

  /** @param transaction everything is read in its snapshot, so no entry is counted twice or left out while others fold */
  private async ofSums(question: BreakdownQuestion, transaction: Transaction): Promise<BreakdownSums> {
    const { shopId, currency, window, by } = question;
    const cover = coverOf(stretchOf(window));
    const everything = { currency, serverId: null, productId: null };
    const kept = await this.sums.inRanges(shopId, currency, by, cover.cells, transaction);
    const entries = await this.ledger.loose(shopId, everything, cover.edges, transaction);
    const parts = new BreakdownSums(by);
    for (const { key, sums } of kept) parts.add(key, sums);
    for (const { entry, event } of looseEvents({ window, cover }, entries)) parts.addEvent(entry, event);
    return parts;
  }

  private async ofOrders({ shopId, currency, window, by }: BreakdownQuestion): Promise<BreakdownSums> {
    const parts = new BreakdownSums(by);
    for await (const { facts, state } of this.sales.paidOrReversed(shopId, currency, window)) {
      for (const event of eventsOf(state)) {
        if (isBetween(event.at.getTime(), stretchOf(window))) parts.addEvent(facts, event);
      }
    }
    return parts;
  }
}
