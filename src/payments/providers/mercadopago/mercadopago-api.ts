import { toMajor } from '../../../lib/money/money.js';
import { ANY_AMOUNT, type ChargeRule, wholeUnits } from '../../../domain/payments/charge-rules.js';
import { IDENTIFIER, type JsonFields } from '../json-fields.js';
import { idIn, mercadoPagoRefundState } from './mercadopago-events.js';
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

const API = 'https://api.mercadopago.com';

/** The currencies of the countries of Mercado Pago, and those of them without decimals. An account has the one of its country. */
const CURRENCIES: ReadonlySet<string> = new Set(['ARS', 'BRL', 'CLP', 'COP', 'MXN', 'PEN', 'UYU']);
const WHOLE_UNITS: ReadonlySet<string> = new Set(['CLP', 'COP']);

/**
 * What Mercado Pago charges. It rejects another currency than that of the account's country.
 * @see https://api.mercadopago.com/currencies
 */
export function mercadoPagoChargeRule(currency: string): ChargeRule | null {
  if (!CURRENCIES.has(currency)) return null;
  return WHOLE_UNITS.has(currency) ? wholeUnits(currency) : ANY_AMOUNT;
}

/** The id of a preference: what a buyer can pay, with one or more payments. */
const PREFERENCE_ID = { pattern: /^[A-Za-z0-9-]{1,100}$/, says: 'must be the id of a preference' };

type Request = Pick<ProviderCall, 'method' | 'body'> & { readonly path: string; readonly key?: string };

function call(
  { method, path, key, body }: Request,
  { credentials: { accessToken = '' }, apiUrl = API }: ProviderAccount,
): Promise<ProviderResponse> {
  const headers = {
    authorization: `Bearer ${accessToken}`,
    // Otherwise a refund of Pix that still runs looks like a rejected one.
    'x-render-in-process-refunds': 'true',
    ...(key === undefined ? {} : { 'x-idempotency-key': key }),
  };
  return callProvider({ provider: 'mercadopago', method, url: `${apiUrl}/${path}`, headers, ...(body && { body }) });
}

/**
 * Creates a preference: a page of Mercado Pago where the buyer chooses the method, and can try again after a rejected card. The id
 * of the payment is the idempotency key.
 * @throws AppError provider_credentials_rejected, provider_refused, provider_unavailable
 * @see https://www.mercadopago.com.br/developers/en/reference/online-payments/checkout-pro/create-preference/post
 */
export async function createPreference(payment: NewPayment, account: ProviderAccount): Promise<CreatedPayment> {
  const { id: key, orderId, amountMinor, currency, successUrl, cancelUrl, expiresAt } = payment;
  const body = {
    items: [
      {
        id: orderId,
        title: payment.description,
        quantity: 1,
        currency_id: currency,
        // Mercado Pago requires a number here. It is written as the shortest decimal of the amount, so nothing is rounded.
        unit_price: toMajor(amountMinor, currency),
      },
    ],
    external_reference: orderId,
    back_urls: { success: successUrl, pending: successUrl, failure: cancelUrl },
    auto_return: 'approved',
    expires: true,
    expiration_date_to: expiresAt.toISOString(),
  };
  const { status, fields } = await call({ method: 'POST', path: 'checkout/preferences', key, body }, account);
  if (!isSuccess(status)) throw paymentError('mercadopago', status, fields.value('message'), account);
  return readResponse('mercadopago', () => ({
    paymentId: fields.string('id', PREFERENCE_ID),
    url: fields.string('init_point', HTTPS_ADDRESS),
    expiresAt,
  }));
}

/**
 * Gives money back. The id of the refund is the idempotency key.
 * @throws AppError provider_unavailable
 * @see https://www.mercadopago.com.br/developers/en/reference/online-payments/checkout-pro/create-refund/post
 */
export async function refundMercadoPagoPayment(refund: NewRefund, account: ProviderAccount): Promise<StartedRefund> {
  const { id: key, paymentId, amountMinor, currency } = refund;
  const path = `v1/payments/${paymentId}/refunds`;
  const body = { amount: toMajor(amountMinor, currency) };
  const { status, fields } = await call({ method: 'POST', path, key, body }, account);
  if (!isSuccess(status)) {
    // Mercado Pago's own numbers of errors, such as 2063 for a state of the payment without refunds.
    const cause = readResponse('mercadopago', () => causeOf(fields));
    return rejectedRefund('mercadopago', status, cause);
  }
  return readResponse('mercadopago', () => {
    const word = fields.string('status', IDENTIFIER);
    const state = mercadoPagoRefundState(word) ?? 'pending';
    return { refundId: idIn(fields, 'id'), state, failure: state === 'failed' ? word : null };
  });
}

/** The code of the first cause of an error, or the general word for it. */
function causeOf(error: JsonFields): unknown {
  const [cause] = error.children('cause');
  const code = cause?.value('code');
  return typeof code === 'number' ? String(code) : (code ?? error.value('error'));
}

/**
 * The ids of the payments of an order: the latest ten.
 * @throws AppError provider_unavailable
 * @see https://www.mercadopago.com.br/developers/en/reference/online-payments/checkout-pro/search-payments/get
 */
export async function findPaymentIds(orderId: string, account: ProviderAccount): Promise<string[]> {
  const path = `v1/payments/search?external_reference=${orderId}&sort=date_created&criteria=desc&limit=10`;
  const { status, fields } = await call({ method: 'GET', path }, account);
  if (status !== 200) throw providerUnavailable('mercadopago', `status ${status}`);
  return readResponse('mercadopago', () => fields.children('results').map((payment) => idIn(payment, 'id')));
}

/**
 * Reads the account of the token.
 * @throws AppError provider_credentials_rejected, provider_unavailable
 * @see https://www.mercadopago.com.br/developers/en/docs/security/oauth
 */
export async function verifyMercadoPagoToken(account: ProviderAccount): Promise<Credentials> {
  const { status } = await call({ method: 'GET', path: 'users/me' }, account);
  if (status !== 200) throw providerUnavailable('mercadopago', `status ${status}`);
  return {};
}

/** What Mercado Pago returns by its id. */
export type MercadoPagoObject = 'payments' | 'chargebacks';

/**
 * Fetches a payment or a chargeback; null when the account has no such one.
 * @throws AppError provider_unavailable
 * @see https://www.mercadopago.com.br/developers/en/reference/online-payments/checkout-pro/get-payment/get
 */
export async function fetchFromMercadoPago(
  kind: MercadoPagoObject,
  id: string,
  account: ProviderAccount,
): Promise<JsonFields | null> {
  const { status, fields } = await call({ method: 'GET', path: `v1/${kind}/${id}` }, account);
  if (status === 404) return null;
  if (status !== 200) throw providerUnavailable('mercadopago', `status ${status}`);
  if (String(fields.value('id')) !== id) throw providerUnavailable('mercadopago', 'returned another object');
  return fields;
}
