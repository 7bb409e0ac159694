import { moneyText, timeText } from '../../platform/templates/formats.js';
import { type Language } from '../../platform/templates/languages.js';
import { type MinorUnits } from '../../platform/money/money.js';
import { type EmailContent, type EmailPart } from '../../events/mail/email.types.js';
import { type Order } from '../../orders/orders/order.types.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { ORDER_EMAIL_TEXTS } from './order-email-texts.js';

/** What the emails show of an order. */
export type EmailedOrder = Pick<
  Order,
  'id' | 'status' | 'nickname' | 'items' | 'discount' | 'totalMinor' | 'currency' | 'paidAt' | 'expiresAt'
>;
export type OrderShop = Pick<Shop, 'displayName' | 'language' | 'timezone'>;

/** An order that is not paid yet. @param link the page of the order */
export function receivedEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const texts = ORDER_EMAIL_TEXTS[shop.language];
  return {
    subject: texts.received(shop.displayName),
    parts: [
      { text: texts.receivedBody(order.nickname) },
      itemsOf(order, shop.language),
      { text: texts.payUntil(timeText(order.expiresAt, shop.timezone, shop.language)) },
      { link, label: texts.pay },
    ],
  };
}

/** The receipt of a paid order. One that was cancelled before gets no goods, so it must not promise any. */
export function receiptEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const texts = ORDER_EMAIL_TEXTS[shop.language];
  const paidAt = timeText(order.paidAt ?? new Date(), shop.timezone, shop.language);
  return {
    subject: texts.receipt(shop.displayName),
    parts: [
      { text: texts.receiptBody(order.nickname) },
      itemsOf(order, shop.language, [[texts.paidAt, paidAt]]),
      { text: order.status === 'cancelled' ? texts.nothing : texts.next },
      { link, label: texts.show },
    ],
  };
}

export function deliveredEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const texts = ORDER_EMAIL_TEXTS[shop.language];
  return {
    subject: texts.delivered(shop.displayName),
    parts: [{ text: texts.deliveredBody(order.nickname) }, itemsOf(order, shop.language), { link, label: texts.show }],
  };
}

/** @param amountMinor what the buyer gets back now */
export function refundedEmail(
  order: EmailedOrder,
  shop: OrderShop,
  link: string,
  amountMinor: MinorUnits,
): EmailContent {
  const texts = ORDER_EMAIL_TEXTS[shop.language];
  return {
    subject: texts.refunded(shop.displayName),
    parts: [
      { text: texts.refundedBody(moneyText(amountMinor, order.currency, shop.language)) },
      itemsOf(order, shop.language),
      { link, label: texts.show },
    ],
  };
}

/** The order as a table: its number, what was bought, and the sum. */
export function itemsOf(
  { id, items, discount, totalMinor, currency }: EmailedOrder,
  language: Language,
  more: readonly (readonly [string, string])[] = [],
): EmailPart {
  const texts = ORDER_EMAIL_TEXTS[language];
  const money = (minor: MinorUnits): string => moneyText(minor, currency, language);
  return {
    facts: [
      [texts.order, id],
      ...items.map(({ quantity, name, totalMinor: sum }) => [`${quantity} × ${name}`, money(sum)] as const),
      ...(discount === null ? [] : [[texts.discount(discount.code), money(-discount.amountMinor)] as const]),
      [texts.total, money(totalMinor)],
      ...more,
    ],
  };
}
