import { formatDecimal } from '../../../lib/money/money.js';
import { ANY_AMOUNT, type ChargeRule } from '../../../domain/payments/charge-rules.js';
import { IDENTIFIER, type JsonFields } from '../json-fields.js';
import { mollieRefundState } from './mollie-events.js';
import {
  type CreatedPayment,
  type Credentials,
  type NewPayment,
  type NewRefund,
  type ProviderAccount,
  type StartedRefund,
} from '../provider.js';
import { providerUnavailable } from '../provider-errors.js';
import {
  callProvider,
  isSuccess,
  type ProviderResponse,
  type ProviderCall,
  readResponse,
  rejectedRefund,
} from '../provider-http.js';
import { HTTPS_ADDRESS } from '../provider-fields.js';
import { paymentError } from '../refusals.js';

const API = 'https://api.mollie.com';

const CURRENCIES: ReadonlySet<string> = new Set(
  'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR'.split(
    ' ',
  ),
);

/**
 * What Mollie charges. The smallest amount depends on the method that the buyer chooses there.
 * @see https://docs.mollie.com/docs/multicurrency
 */
export const mollieChargeRule = (currency: string): ChargeRule | null => (CURRENCIES.has(currency) ? ANY_AMOUNT : null);

/** The id of a payment at Mollie. */
export const MOLLIE_ID = { pattern: /^tr_[A-Za-z0-9]{1,64}$/, says: 'must be the id of a payment, tr_...' };

type Request = Pick<ProviderCall, 'method' | 'body'> & { readonly path: string; readonly key?: string };

function call(
  { method, path, key, body }: Request,
  { credentials: { apiKey = '' }, apiUrl = API }: ProviderAccount,
): Promise<ProviderResponse> {
  const headers = { authorization: `Bearer ${apiKey}`, ...(key === undefined ? {} : { 'idempotency-key': key }) };
  return callProvider({ provider: 'mollie', method, url: `${apiUrl}/v2/${path}`, headers, ...(body && { body }) });
}

/**
 * Creates a payment whose buyer chooses the method at Mollie. The id of the payment is the idempotency key.
 * @throws AppError provider_credentials_rejected, provider_refused, provider_unavailable
 * @see https://docs.mollie.com/reference/create-payment
 */
export async function createMolliePayment(payment: NewPayment, account: ProviderAccount): Promise<CreatedPayment> {
  const { id: key, orderId, description, amountMinor, currency, successUrl: redirectUrl, cancelUrl } = payment;
  const { webhookUrl } = account;
  // Mollie receives the address with each payment only. Without one, no webhook would report the payment.
  if (webhookUrl === null)
    throw providerUnavailable('mollie', 'the webhook address cannot be decrypted; rotate its secret');
  const body = {
    amount: { currency, value: formatDecimal(amountMinor, currency) },
    description,
    redirectUrl,
    cancelUrl,
    webhookUrl,
    metadata: { orderId },
  };
  const { status, fields } = await call({ method: 'POST', path: 'payments', key, body }, account);
  if (!isSuccess(status)) throw paymentError('mollie', status, fields.value('detail'), account);
  return readResponse('mollie', () => ({
    paymentId: fields.string('id', MOLLIE_ID),
    url: fields.child('_links').child('checkout').string('href', HTTPS_ADDRESS),
    expiresAt: fields.value('expiresAt') == null ? payment.expiresAt : fields.instant('expiresAt'),
  }));
}

/**
 * Gives money back. The id of the refund is the idempotency key.
 * @throws AppError provider_unavailable
 * @see https://docs.mollie.com/reference/create-refund
 */
export async function refundMolliePayment(refund: NewRefund, account: ProviderAccount): Promise<StartedRefund> {
  const { id: key, orderId, paymentId, amountMinor, currency } = refund;
  const body = {
    amount: { currency, value: formatDecimal(amountMinor, currency) },
    description: `Order ${orderId}`,
    metadata: { refundId: key },
  };
  const path = `payments/${paymentId}/refunds`;
  const { status, fields } = await call({ method: 'POST', path, key, body }, account);
  // Mollie has a sentence for the reason, but no word.
  if (!isSuccess(status)) return rejectedRefund('mollie', status, null);
  return readResponse('mollie', () => {
    const state = mollieRefundState(fields) ?? 'pending';
    return { refundId: fields.string('id', IDENTIFIER), state, failure: state === 'failed' ? 'canceled' : null };
  });
}

/**
 * Lists one payment.
 * @throws AppError provider_credentials_rejected, provider_unavailable
 * @see https://docs.mollie.com/reference/list-payments
 */
export async function verifyMollieKey(account: ProviderAccount): Promise<Credentials> {
  const { status } = await call({ method: 'GET', path: 'payments?limit=1' }, account);
  if (status !== 200) throw providerUnavailable('mollie', `status ${status}`);
  return {};
}

/**
 * Fetches a payment with its refunds and chargebacks; null when the account has no such payment.
 * @throws AppError provider_unavailable
 * @see https://docs.mollie.com/reference/get-payment
 */
export async function fetchMolliePayment(id: string, account: ProviderAccount): Promise<JsonFields | null> {
  const path = `payments/${id}?embed=refunds,chargebacks`;
  const { status, fields } = await call({ method: 'GET', path }, account);
  if (status === 404 || status === 410) return null;
  if (status !== 200) throw providerUnavailable('mollie', `status ${status}`);
  if (fields.value('id') !== id) throw providerUnavailable('mollie', 'returned another payment');
  return fields;
}
