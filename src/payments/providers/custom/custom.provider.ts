import { hmacSha256 } from '../../../lib/crypto/keyed-hash.js';
import { formatDecimal } from '../../../lib/money/money.js';
import { PAYMENT_EVENT_TYPES } from '../../../orders/order/payment-event.types.js';
import { readSignedEvent, SIGNING_SECRET_RULE } from './custom-events.js';
import { type CreatedPayment, type NewPayment, type PaymentProvider } from '../provider.js';
import { ANY_AMOUNT } from '../../../domain/payments/charge-rules.js';

const HTTPS = String.raw`https:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?`;
/** This computer, while the page is being developed. */
const LOCAL = String.raw`http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?`;
const PLACEHOLDER = String.raw`\{(?:paymentId|orderId|amount|currency|successUrl|cancelUrl|signature)\}`;
const urlAt = (host: string): RegExp =>
  new RegExp(`^(?=.{1,300}$)(?:${host})\\/(?:${PLACEHOLDER}|[\\x21-\\x7a\\x7c\\x7e])*$`);

/**
 * Fills the placeholders of the page's address. The signature proves to the page that the amount is ours: HMAC-SHA-256 with the
 * signing secret, in base64url, over `payment-page.<paymentId>.<orderId>.<amount>.<currency>`.
 */
function pageOf(template: string, payment: NewPayment, signingSecret: string): string {
  const { id: paymentId, orderId, currency, successUrl, cancelUrl } = payment;
  const amount = formatDecimal(payment.amountMinor, currency);
  const signed = ['payment-page', paymentId, orderId, amount, currency].join('.');
  const signature = hmacSha256(signingSecret, [signed], 'base64url');
  const values: Record<string, string> = { paymentId, orderId, amount, currency, successUrl, cancelUrl, signature };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/**
 * Any payment system that a shop builds itself. It signs its webhooks by the Standard Webhooks specification, and may have a page
 * where buyers pay.
 */
export const customProvider: PaymentProvider = {
  name: 'custom',
  title: 'Online payment',
  brand: 'custom',
  keyName: 'signing secret',
  credentials: [
    SIGNING_SECRET_RULE,
    {
      name: 'paymentUrl',
      pattern: urlAt(`${HTTPS}|${LOCAL}`),
      productionPattern: urlAt(HTTPS),
      says:
        'must be the https address of your payment page, of at most 300 characters; it can contain {paymentId}, {orderId}, ' +
        '{amount}, {currency}, {successUrl}, {cancelUrl} and {signature}',
      optional: true,
      paymentsNeedIt: true,
    },
  ],
  events: PAYMENT_EVENT_TYPES,
  // The time of the slowest common methods, because the service does not know which ones the shop uses.
  confirmationDays: 14,
  read: (request, { credentials: { signingSecret = '' } }) => [readSignedEvent(request, signingSecret)],
  chargeRule: () => ANY_AMOUNT,
  modeOf: () => null,
  create: (payment, { credentials: { paymentUrl = '', signingSecret = '' } }): CreatedPayment => ({
    paymentId: payment.id,
    url: pageOf(paymentUrl, payment, signingSecret),
    expiresAt: payment.expiresAt,
  }),
};
