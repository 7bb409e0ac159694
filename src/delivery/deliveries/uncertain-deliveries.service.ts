import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { canMove } from '../../lib/states/transitions.js';
import { decided } from './delivery-rules.js';
import { DECISION_TRANSITIONS } from './delivery-transitions.js';
import { type DecidedOutcome, type DeliverableOrder, type Delivery } from './delivery.types.js';
import { deliveryOf } from './new-deliveries.js';
import { OrderDeliveriesRepository } from './order-deliveries.repository.js';

/** Deliveries that were sent, and whose outcome nobody saw. */
@Injectable()
export class UncertainDeliveriesService {
  constructor(private readonly ofOrders: OrderDeliveriesRepository) {}

  /**
   * Ends the doubt about an uncertain delivery of an order.
   * @returns the delivery as it was before
   * @throws AppError delivery_not_found; delivery_not_uncertain unless it is uncertain
   */
  async decide(
    { shopId, id }: Pick<DeliverableOrder, 'shopId' | 'id'>,
    deliveryId: string,
    outcome: DecidedOutcome,
    transaction: Transaction,
  ): Promise<Delivery> {
    const delivery = deliveryOf(await this.ofOrders.findOf(shopId, [id], transaction), deliveryId);
    if (!canMove(DECISION_TRANSITIONS, delivery.state, outcome)) throw new AppError('delivery_not_uncertain');
    await this.ofOrders.decide(delivery, decided(delivery, outcome, new Date()), transaction);
    return delivery;
  }
}
