import { type DeliveryStatus, type OrderStatus, PAYMENT_STATUSES, type PaymentStatus } from '../order/order.types.js';

/** The states of some orders; an absent one can be any. */
export interface OrderStates {
  readonly status?: readonly OrderStatus[];
  readonly paymentStatus?: readonly PaymentStatus[];
  readonly deliveryStatus?: readonly DeliveryStatus[];
}

/** Up to how many orders of a view are counted. */
export const MAX_IN_VIEW = 1_000;

const REVIEW = { paymentStatus: ['needs_review'] } as const;

/** The views of the list of orders: the orders in each of some states. No order is in two states of one view, so their numbers add up. */
export const ORDER_VIEWS = {
  needsPerson: [
    REVIEW,
    {
      paymentStatus: PAYMENT_STATUSES.filter((status) => status !== 'needs_review'),
      deliveryStatus: ['failed', 'uncertain'],
    },
  ],
  needsReview: [REVIEW],
  failed: [{ deliveryStatus: ['failed'] }],
  waits: [{ deliveryStatus: ['queued'] }],
  disputed: [{ paymentStatus: ['disputed'] }],
  unpaid: [{ status: ['open'], paymentStatus: ['pending'] }],
} as const satisfies Readonly<Record<string, readonly OrderStates[]>>;

export type OrderView = keyof typeof ORDER_VIEWS;

/** How many orders each view has, at most `MAX_IN_VIEW`. */
export type OrderCounts = Readonly<Record<OrderView, number>>;
