import { randomUUID } from 'node:crypto';
import { type ApiResponse, type ApiRequest, type LocalApi, startLocalApi } from './local-api.js';

export const YOOKASSA_ACCOUNT = { shopId: '506751', secretKey: 'test_Fh8hUAVVBGUGbjmlzba6TB0iyUbos_lueTHE-axOwM0' };
const AUTHORIZATION = `Basic ${Buffer.from(Object.values(YOOKASSA_ACCOUNT).join(':')).toString('base64')}`;

/** A payment or a refund as YooKassa returns it. */
export type YookassaRecord = Readonly<Record<string, unknown>>;

/** A request that created a payment. */
interface Creation {
  readonly idempotenceKey: unknown;
  readonly body: string;
}

/** A local server that speaks the part of YooKassa's API that creates and returns payments, with its memory of idempotency keys. */
export interface YookassaApi extends LocalApi {
  /** Every request that created a payment, also repeated ones. */
  readonly creations: Creation[];
  /** By path: `payments/<id>`, `refunds/<id>`. */
  readonly records: Map<string, YookassaRecord>;
  /** As YooKassa does, or with this status and body. */
  mood: 'well' | ApiResponse;
  /** Changes a payment, as when its buyer pays. */
  change(paymentId: string, fields: object): void;
  /** Gives a part of a payment back, and returns the id of the refund. */
  refund(paymentId: string, value: string, status?: string): string;
}

const error = (status: number, code: string): ApiResponse => ({
  status,
  body: { type: 'error', code, description: AUTHORIZATION },
});

export async function startYookassaApi(): Promise<YookassaApi> {
  const creations: Creation[] = [];
  const records = new Map<string, YookassaRecord>();
  const known = new Map<unknown, { readonly body: string; readonly id: string }>();

  const create = ({ headers, body }: ApiRequest): ApiResponse => {
    const idempotenceKey = headers['idempotence-key'];
    creations.push({ idempotenceKey, body });
    if (api.mood !== 'well') return api.mood;
    const { id, body: first } = known.get(idempotenceKey) ?? { id: randomUUID(), body };
    // A known key with another body is an error: https://yookassa.ru/developers/using-api/interaction-format
    if (first !== body) return error(400, 'invalid_request');
    known.set(idempotenceKey, { id, body });
    const { amount, metadata } = JSON.parse(body) as YookassaRecord;
    const confirmation_url = `https://yoomoney.ru/checkout/payments/v2/contract?orderId=${id}`;
    const state = { id, status: 'pending', paid: false, created_at: '2026-11-21T08:00:00.000Z' };
    const payment = { ...state, amount, metadata, confirmation: { type: 'redirect', confirmation_url } };
    records.set(`payments/${id}`, records.get(`payments/${id}`) ?? payment);
    return { status: 200, body: payment };
  };

  const responseTo = (request: ApiRequest): ApiResponse => {
    const { method, path, headers } = request;
    if (headers.authorization !== AUTHORIZATION) return error(401, 'invalid_credentials');
    if (method === 'POST' && path === '/v3/payments') return create(request);
    if (api.mood !== 'well') return api.mood;
    const record = records.get(path.slice('/v3/'.length));
    return record === undefined ? error(404, 'not_found') : { status: 200, body: record };
  };

  const api: YookassaApi = {
    ...(await startLocalApi(responseTo)),
    creations,
    records,
    mood: 'well',
    change: (id, fields) => void records.set(`payments/${id}`, { ...records.get(`payments/${id}`), ...fields }),
    refund: (paymentId, value, status = 'succeeded') => {
      const id = randomUUID();
      const created_at = '2026-11-21T09:00:00.000Z';
      const refund = { id, payment_id: paymentId, status, created_at, amount: { value, currency: 'EUR' } };
      records.set(`refunds/${id}`, refund);
      return id;
    },
  };
  return api;
}
