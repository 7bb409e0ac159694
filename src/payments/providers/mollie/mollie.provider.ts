import { FormatError } from '../json-fields.js';
import { createMolliePayment, fetchMolliePayment, MOLLIE_ID, refundMolliePayment } from './mollie-api.js';
import { readMolliePayment } from './mollie-events.js';
import { type PaymentProvider, type ProviderAccount, type ProviderEvent } from '../provider.js';
import { readResponse } from '../provider-http.js';

/**
 * The payment that a request names: a form with the field `id`.
 * @throws AppError webhook_rejected
 */
function namedPayment(body: Buffer): string {
  const [id = '', ...further] = new URLSearchParams(body.toString('latin1')).getAll('id');
  if (further.length > 0 || !MOLLIE_ID.pattern.test(id)) throw new FormatError(`the field id ${MOLLIE_ID.says}`);
  return id;
}

/** What Mollie knows of a payment; nothing of an unknown one. */
async function eventsOf(id: string, account: ProviderAccount): Promise<ProviderEvent[]> {
  const payment = await fetchMolliePayment(id, account);
  return payment === null ? [] : readResponse('mollie', () => readMolliePayment(payment, id));
}

/**
 * Mollie: payments, refunds and chargebacks. It does not sign its webhooks: a request only names a payment, and everything else
 * is what Mollie itself returns for it.
 * @see https://docs.mollie.com/reference/webhooks
 */
export const mollieProvider: PaymentProvider = {
  name: 'mollie',
  title: 'Mollie',
  credentials: [
    {
      name: 'apiKey',
      pattern: /^(?:live|test)_[A-Za-z0-9_]{30,200}$/,
      says: 'must be an API key, live_... or test_...',
    },
  ],
  // 200 also for an unknown payment, so that a caller cannot find out which payments exist.
  events: [],
  read: ({ body }, account) => eventsOf(namedPayment(body), account),
  canCreate: () => true,
  create: createMolliePayment,
  refund: refundMolliePayment,
  fetch: ({ paymentId }, account) => eventsOf(paymentId, account),
};
