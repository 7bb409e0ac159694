import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { canMove } from '../common/states/transitions.js';
import { type Transaction } from '../database/transactions.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { RedemptionsService } from '../redemptions/redemptions.service.js';
import { OrderGoodsService } from './order-goods.service.js';
import { deliveryAfter, isDeliverable } from './order-rules.js';
import { ORDER_TRANSITIONS } from './order-transitions.js';
import { type Order } from './order.types.js';
import { OrdersRepository, type SettledChange } from './orders.repository.js';
import { type PaymentEvent } from './payment-event.types.js';
import { decisiveEvents, settle } from './payment-settlement.js';

export type SettlementOutcome = 'applied' | 'already_applied' | 'order_not_found';

/** Applies payment events to an order, its discount use and its deliveries. */
@Injectable()
export class OrderSettlementService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly redemptions: RedemptionsService,
    private readonly deliveries: DeliveriesService,
    private readonly goods: OrderGoodsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Adds one event to the order's set of payment events and sets every state that follows from the set: payment, discount
   * use, deliveries. All of it happens in the given transaction, or nothing does. An event that decides nothing changes
   * nothing in the order, and neither does one that the order has already. The cost does not grow with the number of events.
   * @throws Error when a state table does not allow what follows from the events: nothing is written then
   */
  async apply(
    shopId: string,
    orderId: string,
    event: PaymentEvent,
    transaction: Transaction,
  ): Promise<SettlementOutcome> {
    const order = await this.orders.find(shopId, orderId, transaction);
    if (order === null) return 'order_not_found';
    const known = order.payments.some(
      ({ provider, eventId }) => provider === event.provider && eventId === event.eventId,
    );
    if (known) return 'already_applied';
    const payments = decisiveEvents(order, [...order.payments, event]);
    if (!payments.includes(event)) {
      await this.record(order, event, order, transaction);
      return 'applied';
    }
    const change = await this.changeBy(order, event, payments, transaction);
    if (!(await this.orders.settle(shopId, orderId, change, transaction))) {
      // The order was read in the same transaction, so it is there.
      throw new Error(
        `Event ${event.eventId} would make a move of order ${orderId} that its state tables do not allow`,
      );
    }
    await this.applyToGoods(order, change, transaction);
    await this.record(order, event, change, transaction);
    return 'applied';
  }

  private async changeBy(
    order: Order,
    event: PaymentEvent,
    payments: readonly PaymentEvent[],
    transaction: Transaction,
  ): Promise<SettledChange> {
    const settlement = settle(order, payments);
    const paid = settlement.paidAt !== null;
    const completes = paid && canMove(ORDER_TRANSITIONS, order.status, 'completed');
    const newlyPaid = paid && order.paidAt === null;
    const isFirstPurchase = newlyPaid
      ? !(await this.orders.hasPaid(order.shopId, order, order.id, transaction))
      : order.isFirstPurchase;
    const status = completes ? 'completed' : order.status;
    return {
      payments,
      ...settlement,
      status,
      // A cancelled order that is paid nevertheless gets no goods: a person must give the money back.
      deliveryStatus: status === 'completed' ? deliveryAfter(order.deliveryStatus, settlement) : order.deliveryStatus,
      isFirstPurchase,
      history: {
        at: new Date(),
        actor: `provider:${event.provider}`,
        action: event.type,
        detail: settlement.paymentStatus === order.paymentStatus ? null : settlement.paymentStatus,
      },
    };
  }

  private async applyToGoods(order: Order, change: SettledChange, transaction: Transaction): Promise<void> {
    if (order.paidAt === null && change.paidAt !== null && order.discount !== null) {
      await this.redemptions.redeem(order.shopId, order.id, transaction);
    }
    // Of an order that says `failed`, some deliveries may still wait or be held back.
    if (change.deliveryStatus === order.deliveryStatus && order.deliveryStatus !== 'failed') return;
    if (isDeliverable(change)) await this.deliveries.queue(order, transaction);
    else await this.deliveries.revoke(order.shopId, order.id, transaction);
    // Once a plugin had some of the goods, not all deliveries move alike.
    if (order.deliveryStatus !== 'none' && order.deliveryStatus !== 'queued') {
      const author = { shopId: order.shopId, principal: change.history.actor };
      await this.goods.follow(author, [order.id], transaction);
    }
  }

  private record(
    { shopId, id, status, paymentStatus, deliveryStatus }: Order,
    { provider }: PaymentEvent,
    change: Pick<Order, 'status' | 'paymentStatus' | 'deliveryStatus'>,
    transaction: Transaction,
  ): Promise<void> {
    const changes = changesBetween(
      { status, paymentStatus, deliveryStatus },
      {
        status: change.status,
        paymentStatus: change.paymentStatus,
        deliveryStatus: change.deliveryStatus,
      },
    );
    const write = { action: 'order.payment_changed', subjectId: id, changes } as const;
    return this.audit.record({ shopId, principal: `provider:${provider}` }, write, transaction);
  }
}
