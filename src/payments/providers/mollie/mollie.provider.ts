import { FormatError } from '../json-fields.js';
import {
  createMolliePayment,
  fetchMolliePayment,
  MOLLIE_ID,
  mollieChargeRule,
  refundMolliePayment,
  verifyMollieKey,
} from './mollie-api.js';
import { MOLLIE_DISPUTE_DAYS, readMolliePayment } from './mollie-events.js';
import {
  type KnownPayment,
  type PaymentProvider,
  type ProviderAccount,
  type ProviderEvent,
  type WebhookRequest,
} from '../provider.js';
import { modeIn, ourOrderId } from '../provider-fields.js';
import { readResponse } from '../provider-http.js';
import { readNamed } from '../unreadable-event.js';

/**
 * The payment that a request names: a form with the field `id`.
 * @throws AppError webhook_rejected
 */
function namedPayment(body: Buffer): string {
  const [id = '', ...further] = new URLSearchParams(body.toString('latin1')).getAll('id');
  if (further.length > 0 || !MOLLIE_ID.pattern.test(id)) throw new FormatError(`the field id ${MOLLIE_ID.says}`);
  return id;
}

/**
 * Reads a webhook: what Mollie knows of the payment that it names; nothing of an unknown one.
 * @throws AppError webhook_rejected, UnreadableEvent, provider_unavailable
 */
async function read({ body, receivedAt }: WebhookRequest, account: ProviderAccount): Promise<ProviderEvent[]> {
  const id = namedPayment(body);
  const payment = await fetchMolliePayment(id, account);
  if (payment === null) return [];
  const references = { orderId: ourOrderId(payment.at('metadata', 'orderId')), paymentIds: [id] };
  const unreadable = { eventId: `${id}-unreadable`, kind: 'payment' };
  return readNamed(
    unreadable,
    () => references,
    () => readMolliePayment(payment, id, receivedAt),
  );
}

async function fetchEvents({ paymentId }: KnownPayment, account: ProviderAccount): Promise<ProviderEvent[]> {
  const payment = await fetchMolliePayment(paymentId, account);
  return payment === null ? [] : readResponse('mollie', () => readMolliePayment(payment, paymentId, new Date()));
}

/**
 * Mollie: payments, refunds and chargebacks. It does not sign its webhooks: a request only names a payment, and everything else
 * is what Mollie itself returns for it.
 * @see https://docs.mollie.com/reference/webhooks
 */
export const mollieProvider: PaymentProvider = {
  name: 'mollie',
  title: 'Mollie',
  brand: 'Mollie',
  keyName: 'API key',
  credentials: [
    {
      name: 'apiKey',
      pattern: /^(?:live|test)_[A-Za-z0-9_]{30,200}$/,
      says: 'must be an API key, live_... or test_...',
    },
  ],
  // 200 also for an unknown payment, so that a caller cannot find out which payments exist.
  events: [],
  keepsAddresses: true,
  // A SEPA debit takes some business days: https://docs.mollie.com/docs/handling-payment-status
  confirmationDays: 14,
  disputeDays: MOLLIE_DISPUTE_DAYS,
  read,
  chargeRule: mollieChargeRule,
  modeOf: ({ credentials: { apiKey = '' } }) => modeIn(/^(live|test)_/, apiKey),
  verify: verifyMollieKey,
  create: createMolliePayment,
  refund: refundMolliePayment,
  fetch: fetchEvents,
};
