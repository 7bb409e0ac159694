import { createHmac, generateKeyPairSync, randomBytes, randomUUID, verify } from 'node:crypto';
import { type ApiResponse, type ApiRequest, type LocalApi, startLocalApi } from './local-api.js';

const KEY = generateKeyPairSync('ed25519');
const { d = '', x = '' } = KEY.privateKey.export({ format: 'jwk' });

export const COINBASE_ACCOUNT = {
  apiKeyId: randomUUID(),
  apiKeySecret: Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64'),
  webhookSecret: randomUUID(),
};

/** A checkout as Coinbase returns it. */
export type CoinbaseCheckout = Readonly<Record<string, unknown>>;

/** A request that creates something. */
interface Creation {
  readonly idempotencyKey: unknown;
  readonly body: string;
}

/** A local server that speaks Coinbase's API for checkouts, and checks its tokens. */
export interface CoinbaseApi extends LocalApi {
  /** Every request that created a checkout, also repeated ones. */
  readonly creations: Creation[];
  /** Every request for a refund. */
  readonly refunds: Creation[];
  readonly checkouts: Map<string, CoinbaseCheckout>;
  /** As Coinbase does, or with this status and body. */
  mood: 'well' | ApiResponse;
  /**
   * What a request for a refund gets: a rejection (4xx) instead of the refund, or another response although it was
   * made.
   */
  refundMood: 'well' | ApiResponse;
  /** Changes a checkout, as when its buyer pays, and returns the body of the webhook about it. */
  change(id: string, eventType: string, fields: object): string;
}

/** The headers with which Coinbase would send a webhook now. */
export function coinbaseHeaders(
  body: string,
  timestamp = String(Math.floor(Date.now() / 1000)),
  secret: string = COINBASE_ACCOUNT.webhookSecret,
): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'x-event-id': randomUUID(), 'x-event-type': 'checkout' };
  const names = Object.keys(headers).join(' ');
  const signed = `${timestamp}.${names}.${Object.values(headers).join('.')}.${body}`;
  const v1 = createHmac('sha256', secret).update(signed).digest('hex');
  return { ...headers, 'x-hook0-signature': `t=${timestamp},v0=${'0'.repeat(64)},h=${names},v1=${v1}` };
}

/** Whether a request has a token of the account for exactly this request. */
function isAuthorized({ method, path, headers: { authorization = '' } }: ApiRequest): boolean {
  const [header = '', claims = '', signature = ''] = authorization.replace('Bearer ', '').split('.');
  const signed = Buffer.from(`${header}.${claims}`);
  if (!verify(null, signed, KEY.publicKey, Buffer.from(signature, 'base64url'))) return false;
  const { sub, uris, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  const isCurrent = typeof exp === 'number' && exp * 1000 > Date.now();
  return sub === COINBASE_ACCOUNT.apiKeyId && String(uris) === `${method} business.coinbase.com${path}` && isCurrent;
}

const error = (status: number, errorType: string): ApiResponse => ({
  status,
  body: { errorType, errorMessage: COINBASE_ACCOUNT.apiKeySecret, correlationId: '1' },
});
const CREATED = '2026-11-21T08:00:00.000Z';

export async function startCoinbaseApi(): Promise<CoinbaseApi> {
  const creations: Creation[] = [];
  const refunds: Creation[] = [];
  const checkouts = new Map<string, CoinbaseCheckout>();
  /** The ids of checkouts by idempotency key. */
  const known = new Map<unknown, string>();

  const create = (creation: Creation): ApiResponse => {
    creations.push(creation);
    if (api.mood !== 'well') return api.mood;
    const { idempotencyKey, body } = creation;
    const id = known.get(idempotencyKey) ?? randomBytes(12).toString('hex');
    known.set(idempotencyKey, id);
    const state = {
      id,
      url: `https://payments.coinbase.com/payment-links/pl_${id}`,
      status: 'ACTIVE',
      network: 'base',
    };
    const times = { createdAt: CREATED, updatedAt: CREATED };
    checkouts.set(id, checkouts.get(id) ?? { ...state, ...(JSON.parse(body) as object), ...times });
    return { status: 201, body: checkouts.get(id) ?? {} };
  };

  const refund = (checkout: CoinbaseCheckout, request: Creation): ApiResponse => {
    refunds.push(request);
    const mood = api.refundMood === 'well' ? null : api.refundMood;
    if (mood !== null && mood.status >= 400 && mood.status < 500) return mood;
    const made = { id: randomUUID(), status: 'PENDING', createdAt: CREATED, ...(JSON.parse(request.body) as object) };
    const changed = { ...checkout, refunds: [...((checkout['refunds'] as unknown[] | undefined) ?? []), made] };
    checkouts.set(String(checkout['id']), changed);
    return mood ?? { status: 200, body: { checkout: changed } };
  };

  const responseTo = (request: ApiRequest): ApiResponse => {
    if (!isAuthorized(request)) return error(401, 'unauthorized');
    const creation = { idempotencyKey: request.headers['x-idempotency-key'], body: request.body };
    const [, id = '', action] = /^\/api\/v1\/checkouts(?:\/(\w+))?(?:\/(\w+))?$/.exec(request.path) ?? [];
    if (request.method === 'POST' && id === '') return create(creation);
    if (api.mood !== 'well') return api.mood;
    const checkout = checkouts.get(id);
    if (checkout === undefined) return error(404, 'not_found');
    return action === 'refund' ? refund(checkout, creation) : { status: 200, body: checkout };
  };

  const api: CoinbaseApi = {
    ...(await startLocalApi(responseTo)),
    creations,
    refunds,
    checkouts,
    mood: 'well',
    refundMood: 'well',
    change: (id, eventType, fields) => {
      checkouts.set(id, { ...checkouts.get(id), updatedAt: '2026-11-21T08:01:00.000Z', ...fields });
      return JSON.stringify({ ...checkouts.get(id), eventType });
    },
  };
  return api;
}
