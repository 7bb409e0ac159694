import { Injectable } from '@nestjs/common';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { MovementsService } from '../movements/movements.service.js';
import { OrderNumbersService } from './order-numbers.service.js';
import { type UnnumberedOrder } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

/**
 * Orders are imported in batches, so that service and store do not hold thousands of documents in memory at once. They are small, because each
 * is one transaction, which must end within its time limit on a busy machine too.
 */
const BATCH = 50;

/** Stores orders that were not placed here. */
@Injectable()
export class OrderImportsService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly numbers: OrderNumbersService,
    private readonly ledger: LedgerService,
    private readonly movements: MovementsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Stores orders of another system, as they are: no discount is counted, nothing is delivered, and no event is published. They get
   * numbers in their order.
   */
  async importMany(shopId: string, orders: readonly UnnumberedOrder[]): Promise<void> {
    const first = await this.numbers.reserve(shopId, orders.length);
    const numbered = orders.map((order, index) => ({ ...order, number: first + index }));
    for (let from = 0; from < numbered.length; from += BATCH) {
      const batch = numbered.slice(from, from + BATCH);
      await this.transactions.run(async (transaction) => {
        await this.orders.insertMany(shopId, batch, transaction);
        await this.ledger.recordPlacement(shopId, batch, transaction);
        for (const { id, number, payments } of batch) {
          await this.movements.recordChange({ shopId, id, number, payments: [] }, payments, transaction);
        }
      });
    }
  }
}
