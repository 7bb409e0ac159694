import { Injectable } from '@nestjs/common';
import { Transactions } from '../database/transactions.js';
import { FoldedSalesService } from './folded-sales.service.js';
import { RollupsService } from './rollups.service.js';
import { type SalesRow, SalesRepository } from './sales.repository.js';
import { addSales, NO_SALES, type Sales, type SalesQuestion, type SalesSlot, type SalesWindow } from './sales.types.js';

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
    const folded = await this.transactions.run(async (transaction) => {
      const areReady = await this.rollups.areReady(question.shopId, transaction);
      return areReady ? this.folded.salesOf(question, transaction) : null;
    });
    return folded ?? this.sumOrders(question);
  }

  /** Needs three database commands, which run in parallel. */
  private async sumOrders(question: SalesQuestion): Promise<Record<SalesWindow, Sales>> {
    const [created, paid, reversed] = await Promise.all([
      this.sales.created(question),
      this.sales.paid(question),
      this.sales.reversed(question),
    ]);
    const rows = [...created, ...paid.rows, ...reversed];
    return {
      current: { slots: slotsOf('current', rows), uniqueBuyers: paid.buyers.current },
      previous: { slots: slotsOf('previous', rows), uniqueBuyers: paid.buyers.previous },
    };
  }
}
