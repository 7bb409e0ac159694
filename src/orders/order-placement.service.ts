import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { type Transaction } from '../database/transactions.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { RedemptionsService } from '../redemptions/redemptions.service.js';
import { type NewOrder, type Order, type OrderDiscount } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

/** Puts a priced order in its place, with all that hangs on it: its use of a code, its deliveries when it is free. */
@Injectable()
export class OrderPlacementService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly redemptions: RedemptionsService,
    private readonly deliveries: DeliveriesService,
    private readonly audit: AuditService,
  ) {}

  /** @throws AppError discount_not_applicable: a code that no longer holds refuses the order */
  async place(draft: NewOrder, discountCode: string | undefined, transaction: Transaction): Promise<Order> {
    const { shopId, id } = draft;
    const hasPaidBefore = await this.orders.hasPaid(shopId, draft.buyerKey, id, transaction);
    const discount =
      discountCode === undefined ? null : await this.reserve(draft, discountCode, hasPaidBefore, transaction);
    const order = withDiscount(draft, discount);
    await this.audit.record({ shopId, principal: 'buyer' }, { action: 'order.created', subjectId: id }, transaction);
    if (order.totalMinor > 0) {
      await this.orders.insert(order, transaction);
      return order;
    }
    // Nothing to pay: no provider will ever tell that it is paid.
    const paid: NewOrder = {
      ...order,
      status: 'completed',
      paymentStatus: 'paid',
      paidAt: order.createdAt,
      deliveryStatus: 'queued',
      isFirstPurchase: !hasPaidBefore,
    };
    await this.orders.insert(paid, transaction);
    await this.redemptions.redeem(shopId, id, transaction);
    await this.deliveries.queue(paid, transaction);
    return paid;
  }

  private reserve(
    draft: NewOrder,
    code: string,
    hasPaidBefore: boolean,
    transaction: Transaction,
  ): Promise<OrderDiscount> {
    const { shopId, id, buyerKey, items, serverId, createdAt } = draft;
    const request = { code, orderId: id, buyerKey, hasPaidBefore, items, serverId, now: createdAt };
    return this.redemptions.reserve(shopId, request, transaction);
  }
}

function withDiscount(draft: NewOrder, discount: OrderDiscount | null): NewOrder {
  return { ...draft, discount, totalMinor: draft.subtotalMinor - (discount?.amountMinor ?? 0) };
}
