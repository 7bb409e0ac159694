import { awaitedUntil, decisivePayment } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { knownProvider } from '../providers/provider-registry.js';

/** How a payment can fail. */
export const PAYMENT_FAILURES = ['declined', 'cancelled', 'expired'] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];

const FAILURE_BY_EVENT: { readonly [Type in PaymentEventType]?: PaymentFailure } = {
  'payment.failed': 'declined',
  'payment.canceled': 'cancelled',
  'payment.expired': 'expired',
};

/** How an order is paid, for its buyer. */
export interface PaymentSummary {
  /** Of the payment provider, for buyers; null for a payment that staff received themselves. */
  readonly title: string | null;
  /** How the latest attempt failed; null unless the order is `failed`. */
  readonly failure: PaymentFailure | null;
  /** Until when the provider reports how a payment on its way ends; null when none is. */
  readonly until: Date | null;
}

/** The payment of an order that decides about it, or the latest attempt; null before the provider has reported one. */
export function paymentOf(order: Pick<Order, 'payments' | 'paymentStatus' | 'paidAt'>): PaymentSummary | null {
  const { payments, paymentStatus, paidAt } = order;
  const latest = payments.toSorted((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime()).at(-1);
  const payment = decisivePayment(payments, paidAt) ?? latest;
  if (payment === undefined) return null;
  return {
    title: knownProvider(payment.provider)?.title ?? null,
    failure: paymentStatus === 'failed' ? (FAILURE_BY_EVENT[payment.type] ?? null) : null,
    until: awaitedUntil(order),
  };
}
