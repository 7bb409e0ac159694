import { Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '../../../infrastructure/database/transactions.js';
import { type PartsQuery, type PartSums } from './breakdown-rules.js';
import { type BuyerSum, type SummedMonth } from './buyer-sums.js';
import { BuyerSumsRepository } from './buyer-sums.repository.js';
import { PartSumsService } from './part-sums.service.js';
import { RollupStatesRepository } from './rollup-states.repository.js';
import { type Sales, type SalesQuery, type SalesWindow } from './sales.types.js';
import { WindowSumsService } from './window-sums.service.js';

/**
 * The sales of shops, exact at this moment, at a cost that does not grow with the number of orders. While the sums of a shop are
 * computed again, its sales are summed from the ledger.
 */
@Injectable()
export class SalesService {
  constructor(
    private readonly states: RollupStatesRepository,
    private readonly windows: WindowSumsService,
    private readonly parts: PartSumsService,
    private readonly buyers: BuyerSumsRepository,
    private readonly transactions: Transactions,
  ) {}

  /** The sales in both windows. */
  salesOf(query: SalesQuery): Promise<Record<SalesWindow, Sales>> {
    return this.transactions.run(async (transaction) =>
      this.windows.salesOf(query, await this.areComplete(query.shopId, transaction), transaction),
    );
  }

  /** The parts of the sales, those with the most net revenue first. */
  partsOf(query: PartsQuery): Promise<PartSums[]> {
    return this.transactions.run(async (transaction) =>
      this.parts.partsOf(query, await this.areComplete(query.shopId, transaction), transaction),
    );
  }

  /**
   * The buyers who paid most, in descending order, by the folded entries: some seconds behind the sales. Empty until the sums
   * of the shop are complete, because some buyers would be in a wrong order.
   */
  topBuyers(shopId: string, currency: string, month: SummedMonth, limit: number): Promise<BuyerSum[]> {
    return this.transactions.run(async (transaction) =>
      (await this.areComplete(shopId, transaction)) ? this.buyers.top(shopId, currency, month, limit, transaction) : [],
    );
  }

  /** Whether the sums of a shop are complete, but for the pending entries of the ledger. */
  private async areComplete(shopId: string, transaction: Transaction): Promise<boolean> {
    return (await this.states.find(shopId, transaction))?.phase === 'ready';
  }
}
