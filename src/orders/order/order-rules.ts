import { type LineParts } from '../../catalogue/pricing/price-basket.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { splitAmount } from '../../lib/money/split-amount.js';
import { canMove } from '../../lib/states/transitions.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { type EmailCause } from '../../events/mail/email.types.js';
import { STATE_BY_MONEY } from '../../delivery/deliveries/delivery-rules.js';
import { type MoneyHolder } from '../../delivery/deliveries/delivery.types.js';
import { DELIVERY_STATUS_BY_PAYMENT } from './order-transitions.js';
import {
  type DeliveryStatus,
  type Order,
  type OrderItem,
  type OrderOrigin,
  type PaymentStatus,
  STAFF_ORIGINS,
} from './order.types.js';
import { type PaymentEvent } from './payment-event.types.js';

const MONEY: Readonly<Record<PaymentStatus, MoneyHolder>> = {
  pending: 'unclear',
  processing: 'unclear',
  authorized: 'unclear',
  paid: 'shop',
  partially_refunded: 'shop',
  refunded: 'buyer',
  disputed: 'unclear',
  charged_back: 'buyer',
  failed: 'unclear',
  needs_review: 'unclear',
};

/**
 * Who has the money of an order. `shop`: the items are delivered. `buyer`: delivered items are revoked. `unclear`: what is not
 * delivered is held, also when the order was cancelled before it was paid.
 */
export function moneyHolder({ status, paymentStatus }: Pick<Order, 'status' | 'paymentStatus'>): MoneyHolder {
  return status === 'completed' ? MONEY[paymentStatus] : 'unclear';
}

/** Who has the money of one item of an order: a refund that takes it back ends it, whatever becomes of the rest. */
export function moneyHolderOf(
  order: Pick<Order, 'status' | 'paymentStatus'>,
  item: Pick<OrderItem, 'takenBack'> | undefined,
): MoneyHolder {
  return item?.takenBack === true ? 'buyer' : moneyHolder(order);
}

/**
 * Whether no money has arrived for an order that costs some, not even a wrong amount. Money that went back since has arrived.
 */
export function isUnpaid({ totalMinor, paidAt, payments }: Pick<Order, 'totalMinor' | 'paidAt' | 'payments'>): boolean {
  return totalMinor > 0 && paidAt === null && !payments.some(({ type }) => type === 'payment.succeeded');
}

const UNPAID_ORIGINS: readonly OrderOrigin[] = ['grant', 'rehearsal'];

/** Whether an order is a sale. Figures count only sales: nobody pays for what staff give away or rehearse. */
export function isSale({ origin }: Pick<Order, 'origin'>): boolean {
  return !UNPAID_ORIGINS.includes(origin);
}

/** Whether anybody can cause an order like this one: a buyer placed it, and there is nothing to pay. */
export function isFreeCheckout({ origin, totalMinor }: Pick<Order, 'origin' | 'totalMinor'>): boolean {
  return totalMinor === 0 && !STAFF_ORIGINS.some((one) => one === origin);
}

/** Who can cause the emails about an order: anybody, while it is unpaid or when there is nothing to pay. */
export function causeOf(order: Pick<Order, 'origin' | 'totalMinor' | 'paidAt' | 'payments'>): EmailCause {
  return isFreeCheckout(order) || isUnpaid(order) ? 'anybody' : 'shop';
}

/**
 * Until when an order waits for money that is on its way; null when none is. Until then it does not expire, and keeps its units of
 * the stock and its use of a discount.
 */
export function awaitedUntil({ paymentStatus, payments }: Pick<Order, 'paymentStatus' | 'payments'>): Date | null {
  if (paymentStatus !== 'processing' && paymentStatus !== 'authorized') return null;
  const times = payments.map((event) => event.awaitedUntil?.getTime() ?? 0);
  return new Date(Math.max(0, ...times));
}

/**
 * The delivery status after a change of the payment: `queued` while the shop has the money, `held` while it is in doubt, `revoked`
 * when the buyer got it back. Where the table has no such move (the items are delivered), the status stays.
 */
export function deliveryAfter(
  current: DeliveryStatus,
  payment: { readonly paymentStatus: PaymentStatus; readonly paidAt: Date | null },
): DeliveryStatus {
  if (payment.paidAt === null) return current;
  const target = STATE_BY_MONEY[MONEY[payment.paymentStatus]];
  return canMove(DELIVERY_STATUS_BY_PAYMENT, current, target) ? target : current;
}

/**
 * The payment that decides when an order counts as paid, or else (staff accepted another one, or nobody has decided yet) the first of
 * those that arrived. null without any.
 */
export function decisivePayment<Event extends Pick<PaymentEvent, 'type' | 'occurredAt'>>(
  payments: readonly Event[],
  paidAt: Date | null,
): Event | null {
  const arrived = payments.filter(({ type }) => type === 'payment.succeeded');
  return arrived.find(({ occurredAt }) => occurredAt.getTime() === paidAt?.getTime()) ?? arrived[0] ?? null;
}

/** The token with which the buyer of a new order may read it. */
export function accessTokenOf({ secret }: Pick<Creation, 'secret'>): string {
  return `sho_${secret}`;
}

/** How people read the number of an order: in emails, pages and at payment providers. */
export function shownNumber({ number }: Pick<Order, 'number'>): string {
  return `#${number}`;
}

/** The number of an order in a text, as people write it: `1042` or `#1042`. null when it is none. */
export function orderNumberIn(text: string): number | null {
  return /^#?\d{1,9}$/.test(text) ? Number(text.replace('#', '')) : null;
}

/** The parts of an item that decide how much of what went back is about it. */
export type ReversedItem = Pick<LineParts, 'netMinor'> & Pick<OrderItem, 'refundedMinor'>;

const sumOf = (amounts: readonly MinorUnits[]): MinorUnits => amounts.reduce((total, minor) => total + minor, 0);

/** How much of an amount that went back is about each item, by position: first what refunds say that name items, then all alike. */
export function backOf(items: readonly ReversedItem[], amountMinor: MinorUnits): MinorUnits[] {
  const nets = items.map(({ netMinor }) => netMinor);
  const named = items.map(({ netMinor, refundedMinor = 0 }) => Math.min(netMinor, refundedMinor));
  const namedMinor = sumOf(named);
  if (namedMinor === 0) return splitAmount(amountMinor, nets);
  const own = splitAmount(Math.min(amountMinor, namedMinor), named);
  const left = nets.map((minor, position) => minor - (named[position] ?? 0));
  const others = splitAmount(Math.max(0, amountMinor - namedMinor), sumOf(left) === 0 ? nets : left);
  return own.map((minor, position) => minor + (others[position] ?? 0));
}

/** What was paid for each item of an order and did not go back, by position: nothing for what staff gave away. */
export function keptOf(
  order: Pick<Order, 'origin' | 'reversals'> & { readonly items: readonly ReversedItem[] },
): MinorUnits[] {
  if (!isSale(order)) return order.items.map(() => 0);
  const nets = order.items.map(({ netMinor }) => netMinor);
  const back = sumOf(order.reversals.map(({ amountMinor }) => amountMinor));
  const parts = backOf(order.items, Math.min(sumOf(nets), back));
  return nets.map((minor, position) => minor - (parts[position] ?? 0));
}
