import { Injectable } from '@nestjs/common';
import { toMajor } from '../../lib/money/money.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type OrderDto } from '../../orders/order/dto/order.dto.js';
import { toOrderDto } from '../../orders/order/order.mapper.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { toReviewReasonDto } from '../../orders/staff/staff-order.mapper.js';
import { type OrderEventType, type PaymentDetails } from '../../events/shop-events/shop-event-details.js';
import { isOfOrder } from '../../events/shop-events/shop-event-rules.js';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { type EventData } from './dto/event-data.dto.js';
import { type WebhookDelivery } from './webhook-delivery.types.js';

/** The body of a request to a webhook, as the Standard Webhooks specification recommends it. */
export interface EventBody {
  readonly type: WebhookDelivery['type'];
  /** When it happened. */
  readonly timestamp: string;
  readonly shopId: string;
  /** Of a test, the id of the webhook. */
  readonly data: EventData | { readonly id: string };
}

/** The details of an event as its data has them, beside the order. */
type OrderDetails<Type extends OrderEventType> = (
  event: ShopEvent<Type>,
  order: OrderDto,
) => Omit<EventData<Type>, 'order'>;

const none = (): object => ({});

/** The amounts of details are minor units. */
function withAmount<Details extends PaymentDetails>({
  details: { amountMinor, ...details },
}: {
  readonly details: Details;
}) {
  return { ...details, amount: toMajor(amountMinor, details.currency) };
}

const ORDER_DETAILS: { readonly [Type in OrderEventType]: OrderDetails<Type> } = {
  'order.created': none,
  'order.paid': none,
  'order.refunded': ({ details }, { currency }) => ({ refundedAmount: toMajor(details.amountMinor, currency) }),
  'order.surplus_refunded': withAmount,
  'order.disputed': withAmount,
  'order.dispute_won': withAmount,
  'order.dispute_lost': withAmount,
  'order.review_needed': ({ details }) => ({ reasons: details.reasons.map(toReviewReasonDto) }),
  'order.review_resolved': ({ details: { decision, reason } }) => ({ decision, reason }),
  'order.cancelled': ({ details }) => details,
  'order.nickname_changed': ({ details }) => details,
  'order.withdrawal_requested': ({ details: { productIds } }) => ({ productIds: [...productIds] }),
  'order.delivered': none,
  'order.expired': none,
  'delivery.failed': none,
  'delivery.uncertain': none,
  'delivery.revoked': none,
  'entitlement.started': ({ details }) => ({ entitlement: details }),
  'entitlement.extended': ({ details }) => ({ entitlement: details }),
  'entitlement.ended': ({ details }) => ({ entitlement: details }),
  'entitlement.transferred': ({ details: { previousNickname, ...entitlement } }) => ({ entitlement, previousNickname }),
  'refund.failed': withAmount,
  'refund.unconfirmed': withAmount,
};

/** Builds the body that webhooks get of an event. Like the buyer's view of an order, it has no email address. */
@Injectable()
export class EventBodiesService {
  constructor(private readonly orders: OrdersService) {}

  /**
   * Reads what the bodies of events of a shop need at once.
   * @returns a function that returns the body of one of these events
   * @throws AppError order_not_found
   */
  async bodiesOf(
    shopId: string,
    events: readonly ShopEvent[],
    transaction: Transaction,
  ): Promise<(event: ShopEvent) => EventBody> {
    const ids = events.filter(isOfOrder).map(({ subjectId }) => subjectId);
    const orderOf = await this.orders.getAll(shopId, ids, transaction);
    return (event) => {
      const { type, at, subjectId } = event;
      const head = { type, timestamp: at.toISOString(), shopId };
      if (!isOfOrder(event)) return { ...head, data: { id: subjectId, ...event.details } };
      const shown = toOrderDto(orderOf(subjectId));
      return { ...head, data: { order: shown, ...detailsOf(event, shown) } };
    };
  }
}

function detailsOf<Type extends OrderEventType>(
  event: ShopEvent<Type>,
  order: OrderDto,
): Omit<EventData<Type>, 'order'> {
  return ORDER_DETAILS[event.type](event, order);
}
