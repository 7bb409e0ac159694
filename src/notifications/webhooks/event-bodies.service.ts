import { Injectable } from '@nestjs/common';
import { type ReviewReason } from '../../domain/payments/payment-review.js';
import { toMajor } from '../../lib/money/money.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type OrderDto } from '../../orders/order/dto/order.dto.js';
import { toOrderDto } from '../../orders/order/order.mapper.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { toReviewReasonDto } from '../../orders/staff/staff-order.mapper.js';
import { type ShopEvent, type ShopEventType } from '../../events/shop-events/shop-event.types.js';
import { type WebhookDelivery } from './webhook-delivery.types.js';

/** The body of a request to a webhook, as the Standard Webhooks specification recommends it. */
export interface EventBody {
  readonly type: WebhookDelivery['type'];
  /** When it happened. */
  readonly timestamp: string;
  readonly shopId: string;
  /** As the class of the event in `EVENT_DATA` has it. */
  readonly data: {
    /** The id of the subject, when it is not an order. */
    readonly id?: string;
    /** For events of orders: the order as it is when the event is published. */
    readonly order?: OrderDto;
    readonly [detail: string]: unknown;
  };
}

type Details = NonNullable<ShopEvent['details']>;

const OF_ORDERS = /^(order|delivery|refund)\./;

/** The amounts of details are minor units. */
function withAmount({ amountMinor, currency, ...details }: Details): object {
  return { ...details, amount: toMajor(Number(amountMinor), String(currency)), currency };
}

/** The details of events of orders, as subscribers get them. An event that is not listed has only the order. */
const ORDER_DETAILS: Partial<Record<ShopEventType, (details: Details, currency: string) => object>> = {
  'order.refunded': ({ amountMinor }, currency) => ({ refundedAmount: toMajor(Number(amountMinor), currency) }),
  'order.surplus_refunded': withAmount,
  'order.disputed': withAmount,
  'order.dispute_won': withAmount,
  'order.dispute_lost': withAmount,
  'order.review_needed': ({ reasons }) => ({ reasons: (reasons as readonly ReviewReason[]).map(toReviewReasonDto) }),
  'order.review_resolved': ({ decision, reason }) => ({ decision, reason }),
  'order.cancelled': (details) => details,
  'order.nickname_changed': (details) => details,
  'refund.failed': withAmount,
  'refund.unconfirmed': withAmount,
};

/** Builds the body that webhooks get of an event. Like the buyer's view of an order, it has no email address. */
@Injectable()
export class EventBodiesService {
  constructor(private readonly orders: OrdersService) {}

  /** @throws AppError order_not_found */
  async bodyOf({ type, at, shopId, subjectId, details = {} }: ShopEvent, transaction: Transaction): Promise<EventBody> {
    const head = { type, timestamp: at.toISOString(), shopId };
    if (!OF_ORDERS.test(type)) return { ...head, data: { id: subjectId, ...details } };
    const order = toOrderDto(await this.orders.get(shopId, subjectId, transaction));
    return { ...head, data: { order, ...ORDER_DETAILS[type]?.(details, order.currency) } };
  }
}
