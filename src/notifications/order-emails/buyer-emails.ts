import { formatMoney, formatTime } from '../../platform/templates/formats.js';
import { type Language } from '../../platform/templates/languages.js';
import { type MinorUnits } from '../../platform/money/money.js';
import { type EmailContent, type EmailPart } from '../../events/mail/email.types.js';
import { moneyHolder } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { ORDER_EMAIL_COPY } from './order-email-copy.js';

/** What the emails show of an order. */
export type EmailedOrder = Pick<
  Order,
  | 'id'
  | 'status'
  | 'paymentStatus'
  | 'nickname'
  | 'items'
  | 'discount'
  | 'totalMinor'
  | 'currency'
  | 'paidAt'
  | 'expiresAt'
  | 'review'
>;
export type OrderShop = Pick<Shop, 'displayName' | 'language' | 'timezone'>;

/** An order that is not paid yet. @param link the page of the order */
export function receivedEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.received(shop.displayName),
    parts: [
      { text: copy.receivedBody(order.nickname) },
      itemsOf(order, shop.language),
      { text: copy.payUntil(formatTime(order.expiresAt, shop.timezone, shop.language)) },
      { link, label: copy.pay },
    ],
  };
}

/** What happens next, by who has the money when the receipt is written. */
const NEXT = { shop: 'next', unclear: 'held', buyer: 'ended' } as const;

/**
 * The receipt of a paid order. Nothing is delivered for one that was cancelled before, so its receipt must promise
 * nothing.
 */
export function receiptEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const paidAt = formatTime(order.paidAt ?? new Date(), shop.timezone, shop.language);
  return {
    subject: copy.receipt(shop.displayName),
    parts: [
      { text: copy.receiptBody(order.nickname) },
      itemsOf(order, shop.language, [[copy.paidAt, paidAt]]),
      { text: order.status === 'cancelled' ? copy.nothing : copy[NEXT[moneyHolder(order)]] },
      { link, label: copy.show },
    ],
  };
}

/** An order that waits for a decision of staff about what arrived for it. */
export function underReviewEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.underReview(shop.displayName),
    parts: [
      { text: copy.underReviewBody(order.nickname) },
      itemsOf(order, shop.language),
      { text: copy.underReviewNext },
      { link, label: copy.show },
    ],
  };
}

/** An order whose payment staff rejected. Their reason is for the team: it can name what a buyer must not know, such as a fraud check. */
export function rejectedEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.rejected(shop.displayName),
    parts: [
      { text: copy.rejectedBody(order.nickname) },
      itemsOf(order, shop.language),
      { text: copy.rejectedNext },
      { link, label: copy.show },
    ],
  };
}

export function deliveredEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.delivered(shop.displayName),
    parts: [{ text: copy.deliveredBody(order.nickname) }, itemsOf(order, shop.language), { link, label: copy.show }],
  };
}

/** @param refund what the buyer gets back now; a surplus can have another currency than the order */
export function refundedEmail(
  order: EmailedOrder,
  shop: OrderShop,
  link: string,
  refund: { readonly amountMinor: MinorUnits; readonly currency: string },
): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.refunded(shop.displayName),
    parts: [
      { text: copy.refundedBody(formatMoney(refund.amountMinor, refund.currency, shop.language)) },
      itemsOf(order, shop.language),
      { link, label: copy.show },
    ],
  };
}

/** The order as a table: its number, what was bought, and the sum. */
export function itemsOf(
  { id, items, discount, totalMinor, currency }: EmailedOrder,
  language: Language,
  more: readonly (readonly [string, string])[] = [],
): EmailPart {
  const copy = ORDER_EMAIL_COPY[language];
  const money = (minor: MinorUnits): string => formatMoney(minor, currency, language);
  return {
    facts: [
      [copy.order, id],
      ...items.map(({ quantity, name, totalMinor: sum }) => [`${quantity} × ${name}`, money(sum)] as const),
      ...(discount === null ? [] : [[copy.discount(discount.code), money(-discount.amountMinor)] as const]),
      [copy.total, money(totalMinor)],
      ...more,
    ],
  };
}
