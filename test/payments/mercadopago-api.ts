import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { type ApiResponse, type ApiRequest, type LocalApi, startLocalApi } from './local-api.js';

export const MERCADO_PAGO_ACCOUNT = {
  accessToken: 'APP_USR-4934588586838432-112108-d1bf5c6a7e8f90123456789abcdef012-241983636',
  webhookSecret: 'f3b0c1a2d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f',
};

/** A payment, a refund or a chargeback as Mercado Pago returns it. */
export type MercadoPagoRecord = Readonly<Record<string, unknown>>;

/** A request that created a preference. */
interface Creation {
  readonly idempotencyKey: unknown;
  readonly body: string;
}

/** A request for a refund. */
interface RefundRequest {
  readonly call: string;
  readonly idempotencyKey: unknown;
  readonly inProcess: unknown;
  readonly body: string;
}

/** A local server that speaks the part of Mercado Pago's API for preferences, payments, refunds and chargebacks. */
export interface MercadoPagoApi extends LocalApi {
  /** Every request that created a preference, also repeated ones. */
  readonly creations: Creation[];
  /** Every request for a refund, also repeated ones. */
  readonly refunds: RefundRequest[];
  /** By path: `payments/<id>`, `chargebacks/<id>`. */
  readonly records: Map<string, MercadoPagoRecord>;
  /** As Mercado Pago does, or with this status and body. */
  mood: 'well' | ApiResponse;
  /** A buyer tries to pay an order: makes a payment of 19.99 BRL, and returns its id. */
  pay(orderId: string, fields?: object): string;
  /** Changes a payment. */
  change(paymentId: string, fields: object): void;
  /** Makes or changes a chargeback of a payment. */
  chargeBack(id: string, paymentId: string, coverage_applied?: boolean): void;
}

/** The headers with which Mercado Pago would send a webhook about an object now. */
export function mercadoPagoHeaders(
  id: string | undefined,
  timestamp = String(Date.now()),
  secret = MERCADO_PAGO_ACCOUNT.webhookSecret,
): Record<string, string> {
  const requestId = randomUUID();
  const manifest = `${id === undefined ? '' : `id:${id};`}request-id:${requestId};ts:${timestamp};`;
  const signature = createHmac('sha256', secret).update(manifest).digest('hex');
  return { 'x-request-id': requestId, 'x-signature': `ts=${timestamp},v1=${signature}` };
}

const error = (status: number, message: string): ApiResponse => ({
  status,
  body: { message, error: MERCADO_PAGO_ACCOUNT.accessToken, status, cause: [] },
});
const CREATED = '2026-11-21T08:00:00.000-04:00';

export async function startMercadoPagoApi(): Promise<MercadoPagoApi> {
  const creations: Creation[] = [];
  const refunds: RefundRequest[] = [];
  const records = new Map<string, MercadoPagoRecord>();
  /** The ids of preferences by idempotency key. */
  const known = new Map<unknown, string>();

  const create = ({ headers, body }: ApiRequest): ApiResponse => {
    const idempotencyKey = headers['x-idempotency-key'];
    creations.push({ idempotencyKey, body });
    if (api.mood !== 'well') return api.mood;
    const id = known.get(idempotencyKey) ?? `241983636-${randomUUID()}`;
    known.set(idempotencyKey, id);
    const init_point = `https://www.mercadopago.com.br/checkout/v1/redirect?pref_id=${id}`;
    return { status: 201, body: { ...(JSON.parse(body) as object), id, init_point, date_created: CREATED } };
  };

  const refund = ({ path, headers, body }: ApiRequest): ApiResponse => {
    const idempotencyKey = headers['x-idempotency-key'];
    const call = path.slice('/v1/'.length);
    refunds.push({ call, idempotencyKey, inProcess: headers['x-render-in-process-refunds'], body });
    if (api.mood !== 'well') return api.mood;
    const id = call.slice(0, -'/refunds'.length);
    const payment = records.get(id);
    if (payment === undefined) return error(404, 'Payment not found');
    const before = payment['refunds'] as readonly MercadoPagoRecord[];
    const same = before.find((one) => one['key'] === idempotencyKey);
    const state = { id: randomInt(1_000_000_000, 9_999_999_999), status: 'approved', date_created: CREATED };
    const made = same ?? { ...state, key: idempotencyKey, ...(JSON.parse(body) as object) };
    if (same === undefined) records.set(id, { ...payment, refunds: [...before, made] });
    return { status: 201, body: made };
  };

  const search = (reference: string | null): ApiResponse => {
    const results = [...records.values()].filter((one) => one['external_reference'] === reference);
    return { status: 200, body: { paging: { total: results.length }, results: results.map(({ id }) => ({ id })) } };
  };

  const responseTo = (request: ApiRequest): ApiResponse => {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${MERCADO_PAGO_ACCOUNT.accessToken}`) return error(401, 'invalid_token');
    if (method === 'POST' && path === '/checkout/preferences') return create(request);
    if (method === 'POST' && path.endsWith('/refunds')) return refund(request);
    if (api.mood !== 'well') return api.mood;
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    if (pathname === '/v1/payments/search') return search(searchParams.get('external_reference'));
    const record = records.get(path.slice('/v1/'.length));
    return record === undefined ? error(404, 'Payment not found') : { status: 200, body: record };
  };

  const api: MercadoPagoApi = {
    ...(await startLocalApi(responseTo)),
    creations,
    refunds,
    records,
    mood: 'well',
    pay: (orderId, fields = {}) => {
      const id = randomInt(10_000_000_000, 99_999_999_999);
      const money = { transaction_amount: 19.99, currency_id: 'BRL', refunds: [] };
      const times = { date_created: CREATED, date_approved: '2026-11-21T08:01:00.000-04:00' };
      const payment = { id, status: 'approved', external_reference: orderId, ...money, ...times, ...fields };
      records.set(`payments/${id}`, payment);
      return String(id);
    },
    change: (id, fields) => void records.set(`payments/${id}`, { ...records.get(`payments/${id}`), ...fields }),
    chargeBack: (id, paymentId, coverage_applied) => {
      const money = { amount: 19.99, currency: 'BRL', coverage_applied: coverage_applied ?? null };
      const times = {
        date_created: '2026-11-22T08:00:00.000-04:00',
        date_last_updated: '2026-11-23T08:00:00.000-04:00',
      };
      records.set(`chargebacks/${id}`, { id, payments: [Number(paymentId)], ...money, ...times });
    },
  };
  return api;
}
