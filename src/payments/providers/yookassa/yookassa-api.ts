import { formatDecimal } from '../../../lib/money/money.js';
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

const API = 'https://api.yookassa.ru';

/** The id of a payment or a refund at YooKassa. */
export const YOOKASSA_ID = {
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  says: 'must be an id of YooKassa: 36 lower-case hexadecimal digits and hyphens',
};

const CURRENCIES: ReadonlySet<string> = new Set(['BYN', 'CNY', 'EUR', 'KZT', 'RUB', 'UAH', 'USD']);

/**
 * What YooKassa charges: all methods have a minimum of one rouble.
 * @see https://yookassa.ru/developers/payment-methods/yoo-money and https://yookassa.ru/developers/api#create_payment
 */
export function yookassaChargeRule(currency: string): ChargeRule | null {
  if (!CURRENCIES.has(currency)) return null;
  return currency === 'RUB' ? { minimumMinor: 100, stepMinor: 1 } : ANY_AMOUNT;
}

/** What YooKassa returns by its id. */
export type YookassaObject = 'payments' | 'refunds';

type Request = Pick<ProviderCall, 'method' | 'body'> & { readonly path: string; readonly key?: string };

function call(
  { method, path, key, body }: Request,
  { credentials: { shopId = '', secretKey = '' }, apiUrl = API }: ProviderAccount,
): Promise<ProviderResponse> {
  const authorization = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`;
  const headers = { authorization, ...(key === undefined ? {} : { 'idempotence-key': key }) };
  return callProvider({ provider: 'yookassa', method, url: `${apiUrl}/v3/${path}`, headers, ...(body && { body }) });
}

/**
 * Creates a payment whose buyer chooses the method at YooKassa, and that needs no second step to take the money. The id of the
 * payment is the idempotency key.
 * @throws AppError provider_credentials_rejected, provider_refused, provider_unavailable
 * @see https://yookassa.ru/developers/api#create_payment
 */
export async function createYookassaPayment(payment: NewPayment, account: ProviderAccount): Promise<CreatedPayment> {
  const { id: key, orderId, description, amountMinor, currency, successUrl, expiresAt } = payment;
  const body = {
    amount: { value: formatDecimal(amountMinor, currency), currency },
    capture: true,
    confirmation: { type: 'redirect', return_url: successUrl },
    description,
    metadata: { orderId },
  };
  const { status, fields } = await call({ method: 'POST', path: 'payments', key, body }, account);
  if (status !== 200) throw paymentError('yookassa', status, fields.value('description'), account);
  return readResponse('yookassa', () => ({
    paymentId: fields.string('id', YOOKASSA_ID),
    url: fields.child('confirmation').string('confirmation_url', HTTPS_ADDRESS),
    expiresAt,
  }));
}

const REFUND_STATES: ReadonlyMap<string, StartedRefund['state']> = new Map([
  ['pending', 'pending'],
  ['succeeded', 'succeeded'],
  ['canceled', 'failed'],
]);

/** The state of a refund at YooKassa; null for an unknown state. */
export const yookassaRefundState = (status: string): StartedRefund['state'] | null => REFUND_STATES.get(status) ?? null;

/**
 * Gives money back. The id of the refund is the idempotency key.
 * @throws AppError provider_unavailable
 * @see https://yookassa.ru/developers/api#create_refund
 */
export async function refundYookassaPayment(refund: NewRefund, account: ProviderAccount): Promise<StartedRefund> {
  const { id: key, orderId, paymentId, amountMinor, currency } = refund;
  const amount = { value: formatDecimal(amountMinor, currency), currency };
  const body = { payment_id: paymentId, amount, description: `Order ${orderId}` };
  const { status, fields } = await call({ method: 'POST', path: 'refunds', key, body }, account);
  if (!isSuccess(status)) return rejectedRefund('yookassa', status, fields.value('code'));
  return readResponse('yookassa', () => {
    const state = yookassaRefundState(fields.string('status', IDENTIFIER)) ?? 'pending';
    const details = fields.value('cancellation_details') == null ? null : fields.child('cancellation_details');
    const failure = state === 'failed' ? (details?.optionalString('reason', IDENTIFIER) ?? 'canceled') : null;
    return { refundId: fields.string('id', YOOKASSA_ID), state, failure };
  });
}

/**
 * Fetches the refunds of a payment, at most 100.
 * @throws AppError provider_unavailable
 * @see https://yookassa.ru/developers/api#get_refunds_list
 */
export async function fetchYookassaRefunds(paymentId: string, account: ProviderAccount): Promise<JsonFields[]> {
  const path = `refunds?payment_id=${paymentId}&limit=100`;
  const { status, fields } = await call({ method: 'GET', path }, account);
  if (status !== 200) throw providerUnavailable('yookassa', `status ${status}`);
  return readResponse('yookassa', () => fields.children('items'));
}

/**
 * Reads the settings of the shop at YooKassa.
 * @throws AppError provider_credentials_rejected, provider_unavailable
 * @see https://yookassa.ru/developers/api#me_object
 */
export async function verifyYookassaKey(account: ProviderAccount): Promise<Credentials> {
  const { status } = await call({ method: 'GET', path: 'me' }, account);
  if (status !== 200) throw providerUnavailable('yookassa', `status ${status}`);
  return {};
}

/**
 * Fetches a payment or a refund; null when the account does not have it.
 * @throws AppError provider_unavailable
 * @see https://yookassa.ru/developers/api#get_payment
 */
export async function fetchFromYookassa(
  kind: YookassaObject,
  id: string,
  account: ProviderAccount,
): Promise<JsonFields | null> {
  const { status, fields } = await call({ method: 'GET', path: `${kind}/${id}` }, account);
  if (status === 404) return null;
  if (status !== 200) throw providerUnavailable('yookassa', `status ${status}`);
  if (fields.value('id') !== id) throw providerUnavailable('yookassa', 'returned another object');
  return fields;
}
