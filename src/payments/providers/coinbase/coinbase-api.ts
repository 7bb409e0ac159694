import { randomBytes } from 'node:crypto';
import { formatDecimal } from '../../../lib/money/money.js';
import { COINBASE_ID, coinbaseRefundState, USD, USDC } from './coinbase-events.js';
import { coinbaseToken } from './coinbase-token.js';
import { ANY_AMOUNT, type ChargeRule } from '../../../domain/payments/charge-rules.js';
import { IDENTIFIER, type JsonFields } from '../json-fields.js';
import {
  type CreatedPayment,
  type Credentials,
  type NewPayment,
  type NewRefund,
  type ProviderAccount,
  type StartedRefund,
} from '../provider.js';
import { providerUnavailable } from '../provider-errors.js';
import { HTTPS_ADDRESS } from '../provider-fields.js';
import { paymentError } from '../refusals.js';
import {
  callProvider,
  isSuccess,
  type ProviderResponse,
  type ProviderCall,
  readResponse,
  rejectedRefund,
} from '../provider-http.js';

/** Tokens name this host also when the API has another address. */
const HOST = 'business.coinbase.com';
const CHECKOUTS = '/api/v1/checkouts';

/**
 * Coinbase charges USDC, which count as dollars, in whole cents.
 * @see https://docs.cdp.coinbase.com/api-reference/business-api/rest-api/checkouts/create-checkout
 */
export const coinbaseChargeRule = (currency: string): ChargeRule | null => (currency === USD ? ANY_AMOUNT : null);

type Request = Pick<ProviderCall, 'method' | 'body'> & { readonly path?: string; readonly key?: string };

function call(
  { method, path = '', key, body }: Request,
  { credentials: { apiKeyId = '', apiKeySecret = '' }, apiUrl = `https://${HOST}` }: ProviderAccount,
): Promise<ProviderResponse> {
  const url = `${apiUrl}${CHECKOUTS}${path}`;
  const request = `${method} ${HOST}${new URL(url).pathname}`;
  const purpose = { request, at: new Date(), nonce: randomBytes(16).toString('hex') };
  const headers = {
    authorization: `Bearer ${coinbaseToken({ apiKeyId, apiKeySecret }, purpose)}`,
    ...(key === undefined ? {} : { 'x-idempotency-key': key }),
  };
  return callProvider({ provider: 'coinbase', method, url, headers, ...(body && { body }) });
}

/** Coinbase requires a UUID of version 4 as key. All 24 digits of the id are in it. */
function uuidOf(id: string): string {
  const parts = [id.slice(0, 8), id.slice(8, 12), `4${id.slice(12, 15)}`, `8${id.slice(15, 18)}`, id.slice(18)];
  return `${parts.join('-')}000000`;
}

/**
 * Creates a checkout, which takes one payment in USDC. The id of the payment is the idempotency key.
 * @throws AppError provider_credentials_rejected, provider_refused, provider_unavailable
 * @see https://docs.cdp.coinbase.com/api-reference/business-api/rest-api/checkouts/create-checkout
 */
export async function createCoinbaseCheckout(payment: NewPayment, account: ProviderAccount): Promise<CreatedPayment> {
  const { id, orderId, description, amountMinor, successUrl, cancelUrl, expiresAt } = payment;
  const body = {
    amount: formatDecimal(amountMinor, USD),
    currency: USDC,
    description,
    metadata: { orderId },
    successRedirectUrl: successUrl,
    failRedirectUrl: cancelUrl,
    expiresAt: expiresAt.toISOString(),
  };
  const { status, fields } = await call({ method: 'POST', key: uuidOf(id), body }, account);
  if (!isSuccess(status)) throw paymentError('coinbase', status, fields.value('errorMessage'), account);
  return readResponse('coinbase', () => ({
    paymentId: fields.string('id', COINBASE_ID),
    url: fields.string('url', HTTPS_ADDRESS),
    expiresAt: fields.value('expiresAt') == null ? expiresAt : fields.instant('expiresAt'),
  }));
}

/**
 * Fetches a checkout with its refunds; null when the account has no such checkout.
 * @throws AppError provider_unavailable
 * @see https://docs.cdp.coinbase.com/api-reference/business-api/rest-api/checkouts/get-checkout
 */
export async function fetchCoinbaseCheckout(id: string, account: ProviderAccount): Promise<JsonFields | null> {
  const { status, fields } = await call({ method: 'GET', path: `/${id}` }, account);
  if (status === 404) return null;
  if (status !== 200) throw providerUnavailable('coinbase', `status ${status}`);
  if (fields.value('id') !== id) throw providerUnavailable('coinbase', 'returned another checkout');
  return fields;
}

/**
 * Lists the latest checkouts.
 * @throws AppError provider_credentials_rejected, provider_unavailable
 * @see https://docs.cdp.coinbase.com/api-reference/business-api/rest-api/checkouts/list-checkouts
 */
export async function verifyCoinbaseKey(account: ProviderAccount): Promise<Credentials> {
  const { status } = await call({ method: 'GET' }, account);
  if (status !== 200) throw providerUnavailable('coinbase', `status ${status}`);
  return {};
}

/** The refund of a checkout that has this reason, or undefined. */
const refundWith = (checkout: JsonFields, reason: string): JsonFields | undefined =>
  checkout.children('refunds').find((refund) => refund.value('reason') === reason);

function startedRefundOf(refund: JsonFields): StartedRefund {
  const state = coinbaseRefundState(refund.string('status', IDENTIFIER)) ?? 'pending';
  return { refundId: refund.string('id', IDENTIFIER), state, failure: state === 'failed' ? 'FAILED' : null };
}

/**
 * Gives money back. Coinbase does not promise that a repeated request makes one refund only, so the reason has the id of the refund,
 * and a refund with this reason is not made again.
 * @throws AppError provider_unavailable
 * @see https://docs.cdp.coinbase.com/api-reference/business-api/rest-api/checkouts/refund-checkout
 */
export async function refundCoinbaseCheckout(refund: NewRefund, account: ProviderAccount): Promise<StartedRefund> {
  const { id, orderId, paymentId, amountMinor, currency } = refund;
  if (currency !== USD) return { refundId: null, state: 'failed', failure: 'currency_not_supported' };
  const reason = `Refund ${id} of order ${orderId}`;
  const checkout = await fetchCoinbaseCheckout(paymentId, account);
  if (checkout === null) return rejectedRefund('coinbase', 404, 'not_found');
  const before = readResponse('coinbase', () => refundWith(checkout, reason));
  if (before !== undefined) return readResponse('coinbase', () => startedRefundOf(before));
  const body = { amount: formatDecimal(amountMinor, USD), currency: USDC, reason };
  const path = `/${paymentId}/refund`;
  const { status, fields } = await call({ method: 'POST', path, key: uuidOf(id), body }, account);
  if (!isSuccess(status)) return rejectedRefund('coinbase', status, fields.value('errorType'));
  return readResponse('coinbase', () => {
    const made = refundWith(fields.child('checkout'), reason);
    if (made === undefined) throw fields.wrong('checkout', 'must have the refund');
    return startedRefundOf(made);
  });
}
