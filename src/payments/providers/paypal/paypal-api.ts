import { LRUCache } from 'lru-cache';
import { type AppError } from '../../../domain/errors/app-error.js';
import { sha256 } from '../../../lib/crypto/keyed-hash.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lib/time/durations.js';
import { IDENTIFIER, type JsonFields } from '../json-fields.js';
import { PAYPAL_ID, paypalRefundState, readPayPalOrder, toPayPalAmount } from './paypal-captures.js';
import { type ApprovedOrder } from './paypal-events.js';
import { HTTPS_ADDRESS } from '../provider-fields.js';
import { paymentError } from '../refusals.js';
import { CredentialsRejected, providerUnavailable } from '../provider-errors.js';
import {
  callProvider,
  isSuccess,
  type ProviderCall,
  type ProviderResponse,
  readResponse,
  rejectedRefund,
} from '../provider-http.js';
import {
  type CreatedPayment,
  type Credentials,
  type KnownPayment,
  type NewPayment,
  type NewRefund,
  type ProviderAccount,
  type ProviderEvent,
  type StartedRefund,
} from '../provider.js';

export const PAYPAL_API_URL = 'https://api-m.paypal.com';
/** PayPal drops an order that its buyer has not approved by then. */
const APPROVAL_MS = 3 * HOUR_MS;
/** A token is not used in the last minute before its end. */
const TOKEN_MARGIN_MS = MINUTE_MS;
/** @see https://developer.paypal.com/docs/api/orders/v2/#definition-payee */
export const MERCHANT_ID = /^[2-9A-HJ-NP-Z]{13}$/;
const TOKEN = { pattern: /^[\x21-\x7e]{1,4000}$/, says: 'must be a token' };
/** How PayPal names the address of the buyer, now and before. */
const LINKS: readonly unknown[] = ['payer-action', 'approve'];

/** The access tokens of accounts, until shortly before they end. PayPal limits how often an account can request one. */
const tokens = new LRUCache<string, string, ProviderAccount>({
  max: 1_000,
  // Reads the clock each time.
  ttlResolution: 0,
  fetchMethod: async (_key, _stale, { options, context }) => {
    const { token, lifetimeMs } = await fetchToken(context);
    // Zero would be no limit.
    options.ttl = Math.max(1, lifetimeMs - TOKEN_MARGIN_MS);
    return token;
  },
});

function keyOf({ credentials: { clientId, clientSecret }, apiUrl }: ProviderAccount): string {
  return sha256(JSON.stringify([apiUrl, clientId, clientSecret]));
}

async function fetchToken(account: ProviderAccount): Promise<{ readonly token: string; readonly lifetimeMs: number }> {
  const { clientId = '', clientSecret = '' } = account.credentials;
  const { status, fields } = await callProvider({
    provider: 'paypal',
    method: 'POST',
    url: `${account.apiUrl ?? PAYPAL_API_URL}/v1/oauth2/token`,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  if (status !== 200) throw providerUnavailable('paypal', `no token, status ${status}`);
  return readResponse('paypal', () => ({
    token: fields.string('access_token', TOKEN),
    lifetimeMs: fields.count('expires_in') * SECOND_MS,
  }));
}

export interface PayPalCall {
  readonly method: ProviderCall['method'];
  readonly path: string;
  /** PayPal executes the same request once, and repeats the first response. */
  readonly requestId?: string;
  readonly body?: object;
}

/**
 * Calls PayPal as an account.
 * @throws AppError provider_credentials_rejected; provider_unavailable also when PayPal no longer accepts the token
 */
export async function callPayPal(
  account: ProviderAccount,
  { method, path, requestId, body }: PayPalCall,
): Promise<ProviderResponse> {
  const key = keyOf(account);
  const token = await tokens.fetch(key, { context: account });
  if (token === undefined) throw providerUnavailable('paypal', 'no token');
  return callProvider({
    provider: 'paypal',
    method,
    url: `${account.apiUrl ?? PAYPAL_API_URL}${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      prefer: 'return=representation',
      ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
    },
    ...(body === undefined ? {} : { body }),
  }).catch((error: unknown) => {
    // The token, not the app: the next call requests another one.
    const isOld = error instanceof CredentialsRejected && error.status === 401;
    if (isOld) tokens.delete(key);
    throw isOld ? providerUnavailable('paypal', 'status 401') : error;
  });
}

/** The first problem that PayPal names, such as `ORDER_ALREADY_CAPTURED`. */
const issueOf = (fields: JsonFields): unknown => fields.children('details')[0]?.value('issue');

/**
 * Problems of a capture that are about its buyer, or about this payment alone: another one may succeed.
 * @see https://developer.paypal.com/api/rest/reference/orders/v2/errors
 */
const BUYER_ISSUES: ReadonlySet<unknown> = new Set([
  'INSTRUMENT_DECLINED',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  'PAYEE_BLOCKED_TRANSACTION',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_ACTION_REQUIRED',
  'PAYER_CANNOT_PAY',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'TRANSACTION_BLOCKED_BY_PAYEE',
  'TRANSACTION_REFUSED',
]);

/** The error for a payment that PayPal refuses. Its most exact sentence is that of the first problem. */
function refusal({ status, fields }: ProviderResponse, account: ProviderAccount): AppError {
  const sentence = fields.at('details', 0, 'description') ?? fields.value('message');
  return paymentError('paypal', status, sentence, account);
}

/**
 * Creates an order at PayPal that its buyer approves. The id of the payment is the request id, and every value depends on the payment
 * alone, so a repetition returns the same order.
 * @throws AppError provider_credentials_rejected, provider_refused, provider_unavailable
 * @see https://developer.paypal.com/docs/api/orders/v2/#orders_create
 */
export async function createPayPalOrder(payment: NewPayment, account: ProviderAccount): Promise<CreatedPayment> {
  const { id, orderId, description, currency, successUrl, cancelUrl, createdAt, expiresAt } = payment;
  const value = toPayPalAmount(payment.amountMinor, currency);
  if (value === null) throw providerUnavailable('paypal', `cannot charge the amount in ${currency}`);
  const body = {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: orderId, description, amount: { currency_code: currency, value } }],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: successUrl,
          cancel_url: cancelUrl,
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
        },
      },
    },
  };
  const response = await callPayPal(account, { method: 'POST', path: '/v2/checkout/orders', requestId: id, body });
  if (!isSuccess(response.status)) throw refusal(response, account);
  const { fields } = response;
  return readResponse('paypal', () => {
    const link = fields.children('links').find((one) => LINKS.includes(one.value('rel')));
    if (link === undefined) throw fields.wrong('links', 'must have the address of the buyer');
    const end = Math.min(expiresAt.getTime(), createdAt.getTime() + APPROVAL_MS);
    return {
      paymentId: fields.string('id', PAYPAL_ID),
      url: link.string('href', HTTPS_ADDRESS),
      expiresAt: new Date(end),
    };
  });
}

/**
 * Requests a new token, and creates an order that nobody approves, so that PayPal drops it: only an order shows the merchant whose
 * account receives the money.
 * @returns the merchant id
 * @throws AppError provider_credentials_rejected, provider_refused, provider_unavailable
 */
export async function verifyPayPalApp(account: ProviderAccount): Promise<Credentials> {
  await tokens.fetch(keyOf(account), { context: account, forceRefresh: true });
  const body = { intent: 'CAPTURE', purchase_units: [{ amount: { currency_code: 'USD', value: '1.00' } }] };
  const response = await callPayPal(account, { method: 'POST', path: '/v2/checkout/orders', body });
  if (!isSuccess(response.status)) throw refusal(response, account);
  const [unit] = readResponse('paypal', () => response.fields.children('purchase_units'));
  const merchantId = unit?.at('payee', 'merchant_id');
  return typeof merchantId === 'string' && MERCHANT_ID.test(merchantId) ? { merchantId } : {};
}

/** The events of an order; none of an unknown one. */
function eventsOf(
  order: ApprovedOrder,
  { status, fields }: ProviderResponse,
  { credentials: { merchantId } }: ProviderAccount,
): ProviderEvent[] {
  if (status === 404) return [];
  if (!isSuccess(status)) throw providerUnavailable('paypal', `status ${status}`);
  return readResponse('paypal', () => readPayPalOrder(fields, order, merchantId));
}

/**
 * Takes the money of an order that its buyer has approved, unless the shop does not want it any more: then PayPal drops the order.
 * The request id depends on the order alone, so a repetition never takes it twice.
 * @returns the events of its captures; none when PayPal refused the buyer's card, who can then choose another one, or when the
 * order is over
 * @throws AppError provider_refused when PayPal refuses payments to the shop; provider_unavailable: so PayPal repeats its request
 * @see https://developer.paypal.com/docs/api/orders/v2/#orders_capture
 */
export async function capturePayPalOrder(order: ApprovedOrder, account: ProviderAccount): Promise<ProviderEvent[]> {
  const show: PayPalCall = { method: 'GET', path: `/v2/checkout/orders/${order.id}` };
  // It is read nevertheless: another request may have captured it before.
  if (!(await account.awaitsMoney(order.orderId))) return eventsOf(order, await callPayPal(account, show), account);
  const path = `${show.path}/capture`;
  const response = await callPayPal(account, { method: 'POST', path, requestId: `capture-${order.id}`, body: {} });
  const issue = readResponse('paypal', () => issueOf(response.fields));
  if (response.status === 422 && BUYER_ISSUES.has(issue)) return [];
  // PayPal has reported the approval, so it is only late.
  if (issue === 'ORDER_NOT_APPROVED') throw providerUnavailable('paypal', `status ${response.status}`);
  const isCaptured = response.status === 422 && issue === 'ORDER_ALREADY_CAPTURED';
  // An order that PayPal does not know any more is over.
  if (!isSuccess(response.status) && response.status !== 404 && !isCaptured) throw refusal(response, account);
  return eventsOf(order, isCaptured ? await callPayPal(account, show) : response, account);
}

/**
 * Fetches an order from PayPal. Captures it when its buyer has approved it and it is not captured yet.
 * @throws AppError provider_unavailable
 * @see https://developer.paypal.com/docs/api/orders/v2/#orders_get
 */
export async function fetchPayPalOrder(payment: KnownPayment, account: ProviderAccount): Promise<ProviderEvent[]> {
  const order = { id: payment.paymentId, orderId: payment.orderId };
  const response = await callPayPal(account, { method: 'GET', path: `/v2/checkout/orders/${order.id}` });
  const isApproved = isSuccess(response.status) && response.fields.value('status') === 'APPROVED';
  return isApproved ? capturePayPalOrder(order, account) : eventsOf(order, response, account);
}

/**
 * Gives back a part of a capture, or all of it. The id of the refund is the request id.
 * @throws AppError provider_unavailable
 * @see https://developer.paypal.com/docs/api/payments/v2/#captures_refund
 */
export async function refundPayPalCapture(refund: NewRefund, account: ProviderAccount): Promise<StartedRefund> {
  const { id: requestId, orderId, paymentId, amountMinor, currency } = refund;
  const value = toPayPalAmount(amountMinor, currency);
  if (value === null) return { refundId: null, state: 'failed', failure: 'DECIMAL_PRECISION' };
  const body = { amount: { currency_code: currency, value }, custom_id: orderId };
  const path = `/v2/payments/captures/${paymentId}/refund`;
  const { status, fields } = await callPayPal(account, { method: 'POST', path, requestId, body });
  if (!isSuccess(status)) {
    return rejectedRefund(
      'paypal',
      status,
      readResponse('paypal', () => issueOf(fields) ?? fields.value('name')),
    );
  }
  return readResponse('paypal', () => {
    const state = paypalRefundState(fields) ?? 'pending';
    const failure = state === 'failed' ? fields.string('status', IDENTIFIER) : null;
    return { refundId: fields.string('id', PAYPAL_ID), state, failure };
  });
}
