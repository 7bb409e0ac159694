import { Injectable } from '@nestjs/common';
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

/** The sales of a shop. The database computes the sums. */
@Injectable()
export class SalesService {
  constructor(private readonly sales: SalesRepository) {}

  /** The sales in both windows. Needs three database commands, which run in parallel. */
  async salesOf(question: SalesQuestion): Promise<Record<SalesWindow, Sales>> {
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
