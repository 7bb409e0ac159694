import { randomUUID } from 'node:crypto';
import { type ApiResponse, type ApiRequest, type LocalApi, startLocalApi } from './local-api.js';

export const MOLLIE_KEY = 'test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM';

/** A payment as Mollie returns it. */
export type MolliePayment = Readonly<Record<string, unknown>>;

/** A request that created a payment. */
interface Creation {
  readonly idempotencyKey: unknown;
  readonly body: string;
}

/** A local server that speaks the part of Mollie's API that creates and returns payments, with its memory of idempotency keys. */
export interface MollieApi extends LocalApi {
  /** Every request that created a payment, also repeated ones. */
  readonly creations: Creation[];
  readonly payments: Map<string, MolliePayment>;
  /** As Mollie does, or with this status and body. */
  mood: 'well' | ApiResponse;
  /** Changes a payment, as when its buyer pays. */
  change(id: string, fields: object): void;
}

const error = (status: number, title: string): ApiResponse => ({ status, body: { status, title, detail: MOLLIE_KEY } });

export async function startMollieApi(): Promise<MollieApi> {
  const creations: Creation[] = [];
  const payments = new Map<string, MolliePayment>();
  /** The ids of payments by idempotency key. */
  const known = new Map<unknown, string>();

  const create = ({ headers, body }: ApiRequest): ApiResponse => {
    const idempotencyKey = headers['idempotency-key'];
    creations.push({ idempotencyKey, body });
    if (api.mood !== 'well') return api.mood;
    const id = known.get(idempotencyKey) ?? `tr_${randomUUID().replaceAll('-', '').slice(0, 22)}`;
    known.set(idempotencyKey, id);
    const { amount, metadata } = JSON.parse(body) as MolliePayment;
    const checkout = { href: `https://www.mollie.com/checkout/select-method/${id.slice(3)}`, type: 'text/html' };
    const [createdAt, expiresAt] = ['2026-11-21T08:00:00+00:00', '2036-11-21T08:15:00+00:00'];
    const stored = payments.get(id) ?? { resource: 'payment', id, mode: 'test', status: 'open', createdAt, expiresAt };
    payments.set(id, { ...stored, amount, metadata, _links: { checkout } });
    return { status: 201, body: payments.get(id) ?? {} };
  };

  const responseTo = (request: ApiRequest): ApiResponse => {
    if (request.headers.authorization !== `Bearer ${MOLLIE_KEY}`) return error(401, 'Unauthorized Request');
    if (request.method === 'POST' && request.path === '/v2/payments') return create(request);
    if (api.mood !== 'well') return api.mood;
    const id = /^\/v2\/payments\/(tr_\w+)\?embed=refunds,chargebacks$/.exec(request.path)?.[1] ?? '';
    const payment = payments.get(id);
    return payment === undefined ? error(404, 'Not Found') : { status: 200, body: payment };
  };

  const api: MollieApi = {
    ...(await startLocalApi(responseTo)),
    creations,
    payments,
    mood: 'well',
    change: (id, fields) => void payments.set(id, { ...payments.get(id), ...fields }),
  };
  return api;
}
