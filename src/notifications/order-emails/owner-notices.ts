import { formatMoney } from '../../platform/templates/formats.js';
import { type EmailContent } from '../../events/mail/email.types.js';
import { moneyHolder } from '../../orders/order/order-rules.js';
import { type EmailedOrder, itemsOf, type OrderShop } from './buyer-emails.js';
import { ORDER_EMAIL_COPY } from './order-email-copy.js';

/** The notice to an owner of a sale, or of a payment for a cancelled order that must be refunded. */
export function saleEmail(order: EmailedOrder, shop: OrderShop): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const amount = formatMoney(order.totalMinor, order.currency, shop.language);
  return order.status === 'cancelled'
    ? notice(copy.paidLate(amount), copy.paidLateBody(shop.displayName), order, shop)
    : notice(copy.sale(amount), copy.saleBody(shop.displayName), order, shop);
}

/** The notice to an owner that a buyer disputes a payment, or that the money went back. */
export function disputeEmail(order: EmailedOrder, shop: OrderShop): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const amount = formatMoney(order.totalMinor, order.currency, shop.language);
  return order.paymentStatus === 'charged_back'
    ? notice(copy.chargedBack(amount), copy.chargedBackBody(shop.displayName), order, shop)
    : notice(copy.dispute(amount), copy.disputeBody(shop.displayName), order, shop);
}

/**
 * The notice to an owner that a delivery failed: that of a purchase, or the revocation after the money went back.
 * @param hasServer whether the game server of the order still exists
 */
export function deliveryFailedEmail(order: EmailedOrder, shop: OrderShop, hasServer: boolean): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  if (moneyHolder(order) === 'buyer') {
    const body = hasServer ? copy.revocationFailedBody : copy.revocationStrandedBody;
    return notice(copy.revocationFailed(order.id), body(shop.displayName), order, shop);
  }
  const body = hasServer ? copy.deliveryFailedBody : copy.serverDeletedBody;
  return notice(copy.deliveryFailed(order.id), body(shop.displayName), order, shop);
}

/** The notice to an owner that a game server has stopped reporting. */
export function serverSilentEmail(server: string, shop: OrderShop): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return { subject: copy.silent(server), parts: [{ text: copy.silentBody(shop.displayName) }, { text: copy.off }] };
}

function notice(subject: string, body: string, order: EmailedOrder, { language }: OrderShop): EmailContent {
  const copy = ORDER_EMAIL_COPY[language];
  return {
    subject,
    parts: [{ text: body }, itemsOf(order, language, [[copy.nickname, order.nickname]]), { text: copy.off }],
  };
}
