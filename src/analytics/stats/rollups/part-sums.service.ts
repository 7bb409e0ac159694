import { Injectable } from '@nestjs/common';
import { LedgerService } from '../../../orders/ledger/ledger.service.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { BreakdownSums, type PartsQuery, type PartSums } from './breakdown-rules.js';
import { BreakdownSumsRepository } from './breakdown-sums.repository.js';
import { coveredWindow, unaggregatedEvents } from './unaggregated-events.js';

/** The sales of a window, split into parts: sums of cells, and of the entries of the ledger that they do not contain. */
@Injectable()
export class PartSumsService {
  constructor(
    private readonly sums: BreakdownSumsRepository,
    private readonly ledger: LedgerService,
  ) {}

  /**
   * @param areComplete whether the sums of the cells are complete. Until then all of the window is read from the ledger
   * @param transaction everything is read in its snapshot, so no entry is counted twice or left out while others fold
   */
  async partsOf(query: PartsQuery, areComplete: boolean, transaction: Transaction): Promise<PartSums[]> {
    const { shopId, currency, by } = query;
    const window = coveredWindow(query.window, areComplete);
    const { cells, edges } = window.cover;
    const parts = new BreakdownSums(by);
    for (const { key, sums } of await this.sums.inRanges(shopId, currency, by, cells, transaction))
      parts.add(key, sums);
    const scope = { currency, serverId: null, productId: null };
    const selection = { scope, timeRanges: edges, withPending: areComplete };
    for await (const entry of this.ledger.select(shopId, selection, transaction)) {
      for (const event of unaggregatedEvents(window, entry)) parts.addEvent(entry, event);
    }
    return parts.sorted();
  }
}
