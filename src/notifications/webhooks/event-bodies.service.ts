import { Injectable } from '@nestjs/common';
import { toMajor } from '../../platform/money/money.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { type OrderDto } from '../../orders/order/dto/order.dto.js';
import { toOrderDto } from '../../orders/order/order.mapper.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type WebhookDelivery } from './webhook-delivery.types.js';

/** The body of a request to a webhook, as the Standard Webhooks specification recommends it. */
export interface EventBody {
  readonly type: WebhookDelivery['type'];
  /** When it happened. */
  readonly timestamp: string;
  readonly shopId: string;
  readonly data: {
    /** The id of the subject. */
    readonly id?: string;
    /** For events of orders: the order as it is when the event is published. */
    readonly order?: OrderDto;
    /** The amount of this refund, in major units. */
    readonly refundedAmount?: number;
    readonly [detail: string]: unknown;
  };
}

const OF_ORDERS = /^(order|delivery)\./;

/** Builds the body that webhooks get of an event. Like the buyer's view of an order, it has no email address. */
@Injectable()
export class EventBodiesService {
  constructor(private readonly orders: OrdersService) {}

  /** @throws AppError order_not_found */
  async bodyOf({ type, at, shopId, subjectId, details }: ShopEvent, transaction: Transaction): Promise<EventBody> {
    const head = { type, timestamp: at.toISOString(), shopId };
    if (!OF_ORDERS.test(type)) return { ...head, data: { id: subjectId, ...details } };
    const order = toOrderDto(await this.orders.get(shopId, subjectId, transaction));
    const refunded = details?.['amountMinor'];
    const refund = typeof refunded === 'number' ? { refundedAmount: toMajor(refunded, order.currency) } : {};
    return { ...head, data: { order, ...refund } };
  }
}
