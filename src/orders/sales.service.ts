import { Injectable } from '@nestjs/common';
import { type SalesRow, SalesRepository } from './sales.repository.js';
import { addSales, NO_SALES, type Sales, type SalesQuestion, type SalesSlot, type SalesWindow } from './sales.types.js';

/** The slots of one window, from rows that each know one side of what happened in them. */
function slotsOf(window: SalesWindow, rows: readonly SalesRow[]): SalesSlot[] {
  const slots = new Map<number | null, SalesSlot>();
  for (const row of rows) {
    if (!row[window]) continue;
    const key = row.at?.getTime() ?? null;
    slots.set(key, { at: row.at, ...addSales(slots.get(key) ?? NO_SALES, row) });
  }
  return [...slots.values()].sort((left, right) => Number(left.at) - Number(right.at));
}

/** What a shop sold, summed by the database. */
@Injectable()
export class SalesService {
  constructor(private readonly repository: SalesRepository) {}

  /** The sales of both windows of a question. Three commands, run side by side. */
  async salesOf(question: SalesQuestion): Promise<Record<SalesWindow, Sales>> {
    const [created, paid, reversed] = await Promise.all([
      this.repository.created(question),
      this.repository.paid(question),
      this.repository.reversed(question),
    ]);
    const rows = [...created, ...paid.rows, ...reversed];
    return {
      current: { slots: slotsOf('current', rows), uniqueBuyers: paid.buyers.current },
      previous: { slots: slotsOf('previous', rows), uniqueBuyers: paid.buyers.previous },
    };
  }
}
