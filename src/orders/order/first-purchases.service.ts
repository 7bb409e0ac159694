import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { type Order } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

/** Decides which order is the first purchase of a buyer. Statistics count new buyers by it. */
@Injectable()
export class FirstPurchasesService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly ledger: LedgerService,
    private readonly quotas: QuotasService,
  ) {}

  /**
   * Returns whether an order is the first one that its mailbox has paid in the shop. If so, it unmarks an order that was paid
   * later, so that the result does not depend on the sequence in which payments are reported.
   * @param paidAt when the order was paid, which the caller stores in the same transaction
   */
  async decide(
    { shopId, id, buyerKey }: Pick<Order, 'shopId' | 'id' | 'buyerKey'>,
    paidAt: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const earliest = await this.orders.earliestPayment(shopId, buyerKey, id, transaction);
    if (earliest !== null && earliest <= paidAt) return false;
    // Transactions of two first payments do not see each other.
    await this.quotas.claimMailbox(shopId, buyerKey, transaction);
    if (earliest === null) return true;
    const other = await this.orders.endFirstPurchase(shopId, buyerKey, id, transaction);
    if (other !== null) await this.ledger.recordChange(other, { ...other, isFirstPurchase: false }, transaction);
    return true;
  }
}
