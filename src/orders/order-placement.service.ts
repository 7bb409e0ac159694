import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { DAY_MS } from '../common/time/durations.js';
import { type Transaction } from '../database/transactions.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { RedemptionsService } from '../redemptions/redemptions.service.js';
import { OpenOrderPlacesService } from './open-order-places.service.js';
import { type NewOrder, type Order, type OrderDiscount } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

/** Stores a priced order together with its use of a discount code and, when there is nothing to pay, its deliveries. */
@Injectable()
export class OrderPlacementService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly places: OpenOrderPlacesService,
    private readonly redemptions: RedemptionsService,
    private readonly deliveries: DeliveriesService,
    private readonly quotas: QuotasService,
    private readonly audit: AuditService,
  ) {}

  /**
   * @param address of the buyer; null: unknown
   * @throws AppError discount_not_applicable when the code does not apply to the order, quota_reached when the buyer has too
   * many open orders, or has had too many orders with nothing to pay
   */
  async place(
    shopId: string,
    draft: NewOrder,
    { discountCode, address }: { readonly discountCode: string | undefined; readonly address: string | null },
    transaction: Transaction,
  ): Promise<Order> {
    const { id } = draft;
    const hasPaidBefore = await this.orders.hasPaid(shopId, draft, id, transaction);
    const discount =
      discountCode === undefined ? null : await this.reserve(shopId, draft, discountCode, hasPaidBefore, transaction);
    const order = withDiscount(draft, discount);
    await this.audit.record({ shopId, principal: 'buyer' }, { action: 'order.created', subjectId: id }, transaction);
    if (order.totalMinor > 0) {
      const places = await this.places.choose(shopId, order, address, transaction);
      return this.orders.insert(shopId, { ...order, places }, transaction);
    }
    const since = new Date(order.createdAt.getTime() - DAY_MS);
    const count = (upTo: number): Promise<number> => this.orders.countFree(shopId, order, since, upTo, transaction);
    await this.quotas.requireRoom('freeOrdersPerBuyer', shopId, count, transaction);
    const paid = await this.orders.insert(shopId, asPaid(order, !hasPaidBefore), transaction);
    await this.redemptions.redeem(shopId, id, transaction);
    await this.deliveries.queue(paid, transaction);
    return paid;
  }

  private reserve(
    shopId: string,
    draft: NewOrder,
    code: string,
    hasPaidBefore: boolean,
    transaction: Transaction,
  ): Promise<OrderDiscount> {
    const { id, buyerKey, nicknameKey, items, serverId, createdAt } = draft;
    const request = { code, orderId: id, buyerKey, nicknameKey, hasPaidBefore, items, serverId, now: createdAt };
    return this.redemptions.reserve(shopId, request, transaction);
  }
}

function withDiscount(draft: NewOrder, discount: OrderDiscount | null): NewOrder {
  return { ...draft, discount, totalMinor: draft.subtotalMinor - (discount?.amountMinor ?? 0) };
}

/** An order with nothing to pay is paid at once, because no payment provider reports a payment for it. */
function asPaid(order: NewOrder, isFirstPurchase: boolean): NewOrder {
  return {
    ...order,
    status: 'completed',
    paymentStatus: 'paid',
    paidAt: order.createdAt,
    deliveryStatus: 'queued',
    isFirstPurchase,
  };
}
