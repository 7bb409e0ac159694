import { moneyText } from '../../platform/templates/formats.js';
import { type EmailContent } from '../../events/mail/email.types.js';
import { type EmailedOrder, itemsOf, type OrderShop } from './buyer-emails.js';
import { ORDER_EMAIL_TEXTS } from './order-email-texts.js';

/** Tells an owner of a sale, or that the money of a cancelled order must go back. */
export function saleEmail(order: EmailedOrder, shop: OrderShop): EmailContent {
  const texts = ORDER_EMAIL_TEXTS[shop.language];
  const amount = moneyText(order.totalMinor, order.currency, shop.language);
  return order.status === 'cancelled'
    ? notice(texts.paidLate(amount), texts.paidLateBody(shop.displayName), order, shop)
    : notice(texts.sale(amount), texts.saleBody(shop.displayName), order, shop);
}

/** Tells an owner that a buyer disputes a payment. */
export function disputeEmail(order: EmailedOrder, shop: OrderShop): EmailContent {
  const texts = ORDER_EMAIL_TEXTS[shop.language];
  const subject = texts.dispute(moneyText(order.totalMinor, order.currency, shop.language));
  return notice(subject, texts.disputeBody(shop.displayName), order, shop);
}

/** Tells an owner that goods could not be delivered. */
export function deliveryFailedEmail(order: EmailedOrder, shop: OrderShop): EmailContent {
  const texts = ORDER_EMAIL_TEXTS[shop.language];
  return notice(texts.deliveryFailed(order.id), texts.deliveryFailedBody(shop.displayName), order, shop);
}

/** Tells an owner that a game server has stopped reporting. */
export function serverSilentEmail(server: string, shop: OrderShop): EmailContent {
  const texts = ORDER_EMAIL_TEXTS[shop.language];
  return { subject: texts.silent(server), parts: [{ text: texts.silentBody(shop.displayName) }, { text: texts.off }] };
}

function notice(subject: string, body: string, order: EmailedOrder, { language }: OrderShop): EmailContent {
  const texts = ORDER_EMAIL_TEXTS[language];
  return {
    subject,
    parts: [{ text: body }, itemsOf(order, language, [[texts.nickname, order.nickname]]), { text: texts.off }],
  };
}
