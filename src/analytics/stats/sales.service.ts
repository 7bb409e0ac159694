import { Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { FoldedSalesService } from './folded-sales.service.js';
import { RollupsService } from './rollups.service.js';
import { type SalesRow, SalesRepository } from './sales.repository.js';
import { addSales, NO_SALES, type Sales, type SalesQuestion, type SalesSlot, type SalesWindow } from '../../orders/ledger/sales.types.js';

/** The slots of one window. Each row has some of the sums of a slot. */
function slotsOf(window: SalesWindow, rows: readonly SalesRow[]): SalesSlot[] {
  const slots = new Map<number | null, SalesSlot>();
  for (const row of rows) {
    if (!row[window]) continue;
    const key = row.at?.getTime() ?? null;
    slots.set(key, { at: row.at, ...addSales(slots.get(key) ?? NO_SALES, row) });
  }
  return [...slots.values()].sort((left, right) => Number(left.at) - Number(right.at));
}

/** The sales of a shop. */
@Injectable()
export class SalesService {
  constructor(
    private readonly sales: SalesRepository,
    private readonly folded: FoldedSalesService,
    private readonly rollups: RollupsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The sales in both windows, exact at this moment: of the rollups and the ledger, at a cost that does not grow with the number
   * of orders. Until the rollups of a shop are complete, the orders are summed.
   */
  async salesOf(question: SalesQuestion): Promise<Record<SalesWindow, Sales>> {
    return this.transactions.run(async (transaction) => {
      const areReady = await this.rollups.areReady(question.shopId, transaction);
      return areReady ? this.folded.salesOf(question, transaction) : this.sumOrders(question, transaction);
    });
  }

  /** @param transaction in its snapshot, so that a sale while they are read is in all sums, or in none */
  private async sumOrders(question: SalesQuestion, transaction: Transaction): Promise<Record<SalesWindow, Sales>> {
    // One after the other: a transaction runs one command at a time.
    const created = await this.sales.created(question, transaction);
    const paid = await this.sales.paid(question, transaction);
    const reversed = await this.sales.reversed(question, transaction);
    const rows = [...created, ...paid.rows, ...reversed];
    return {
      current: { slots: slotsOf('current', rows), uniqueBuyers: paid.buyers.current },
      previous: { slots: slotsOf('previous', rows), uniqueBuyers: paid.buyers.previous },
    };
  }
}
