import { expect } from '@jest/globals';
import { type Response } from 'supertest';
import { aWebhook } from '../payments/senders.js';
import { aDiscount, aKey, anOrder, aProduct, aServer, aShop } from '../support/actors.js';
import { type Call, type Method } from '../support/client.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** One valid request to an endpoint, which the tests then make invalid in every way. */
export interface Target {
  readonly method: Method;
  readonly path: string;
  readonly credential: Pick<Call, 'key' | 'token'>;
  /** A valid body, for endpoints that read one. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** A query parameter that the endpoint reads. */
  readonly query?: string;
}

export const NAMES = [
  '1 GET team',
  '2 PATCH api-keys',
  '3 GET api-keys',
  '4 POST discounts/validate',
  '5 POST nickname/change',
  '6 DELETE domain',
  '7 GET stats/comparison',
  '8 GET status',
  '9 POST webhook',
  'POST orders',
  'POST products',
  'POST shops',
  'POST auth/login',
  'POST auth/register',
  'POST heartbeat',
  'PUT payment provider',
  'GET servers',
] as const;
export type Name = (typeof NAMES)[number];

/** An application, one valid request to each of its targets, and a watch over what it stores. */
export interface AttackedApp {
  readonly app: TestApp;
  readonly targets: Readonly<Record<Name, Target>>;
  /** Remembers what is stored now. */
  remember(): Promise<void>;
  /** The requests since then wrote nothing, and the service still works. */
  expectUnharmed(): Promise<void>;
  /** Stops it. Its log must have no line of a failure. */
  close(): Promise<void>;
}

export async function startAttackedApp(): Promise<AttackedApp> {
  const app = await startTestApp();
  const records = await recordsOf(app);
  const targets = await targetsOf(app);
  // The owners get one email an hour about rejected webhooks: now, so that it is not one of the changes that a test compares.
  await app.api.post(targets['9 POST webhook'].path, {});
  let before = '';
  return {
    app,
    targets,
    remember: async () => {
      await allIsSent(records);
      before = await storedIn(records);
    },
    expectUnharmed: async () => {
      expect(await storedIn(records)).toBe(before);
      expectSuccess(await app.api.get('/health/ready'));
    },
    close: async () => {
      await records.close();
      await app.close();
      expect(app.output()).not.toMatch(/"level":"(error|fatal)"/);
    },
  };
}

export function expectRejection(response: Response, what: string, statuses: readonly number[]): void {
  const { status } = response;
  expect({ what, status, expected: statuses.includes(status) }).toEqual({ what, status, expected: true });
  expectError(response, status, /^[\x20-\x7e]{10,}$/);
  // Neither the message of a parser or a library, nor a stack.
  expect(response.text).not.toMatch(/SyntaxError|Unexpected|mongo|Cast|BSON|unknown value|node_modules|\.js:/i);
}

/** The body of an error, whatever its sentence. */
export const errorBody = (statusCode: number): object => ({
  success: false,
  statusCode,
  error: expect.stringMatching(/^[\x20-\x7e]{10,}$/),
  timestamp: anInstant,
  path: expect.stringMatching(/^\/api\/v2/),
});

/** Waits until the messages of earlier requests have left, and their lanes are free: then nothing is written any more. */
const allIsSent = ({ db }: Records): Promise<boolean> =>
  eventually(async () => {
    const waiting = await db.collection('outbox').countDocuments({ state: 'waiting' });
    const leased = await db.collection('outbox_lanes').countDocuments({ leasedUntil: { $gt: new Date() } });
    return waiting + leased === 0;
  });

/**
 * Until when the process lives, which it writes by itself, times of last use, which valid requests of other tests also write, and the last
 * rejected webhook request of a provider. They are left out of the comparison.
 */
const CHANGING = { aliveUntil: 0, lastActiveAt: 0, lastUsedAt: 0, lastRejectedAt: 0, lastRejection: 0 };

/** Everything that is stored, except `CHANGING` and the records of rejected webhook requests. */
async function storedIn({ db }: Records): Promise<string> {
  const collections = (await db.listCollections().toArray()).map(({ name }) => name).sort();
  const contents: unknown[] = [];
  for (const name of collections) {
    contents.push(
      name,
      await db
        .collection(name)
        .find({ state: { $ne: 'rejected' } }, { projection: CHANGING })
        .toArray(),
    );
  }
  return JSON.stringify(contents, null, 1);
}

async function targetsOf({ api }: TestApp): Promise<Record<Name, Target>> {
  const shop = await aShop(api);
  const { shopId, owner } = shop;
  const { id: keyId, key } = await aKey(api, shop);
  const [productId, serverId] = [await aProduct(api, shop), await aServer(api, shop)];
  const { code } = await aDiscount(api, shop);
  const { id: orderId } = await anOrder(api, shopId, { productId, serverId });
  const webhook = await aWebhook(api, shop, 'custom');
  const token = { token: owner.token };
  const byKey = { key };
  const nobody = {};
  const { email, password } = owner;
  return {
    '1 GET team': { method: 'get', path: `/shops/${shopId}/team`, credential: byKey },
    '2 PATCH api-keys': {
      method: 'patch',
      path: `/api-keys/${keyId}`,
      credential: token,
      body: { name: 'Key', permissions: ['products:read'] },
    },
    '3 GET api-keys': { method: 'get', path: '/api-keys', credential: token, query: 'shopId' },
    '4 POST discounts/validate': {
      method: 'post',
      path: `/discounts/${shopId}/validate`,
      credential: byKey,
      body: { code, orderValue: 10, productId, serverId },
    },
    '5 POST nickname/change': {
      method: 'post',
      path: `/orders/public/${orderId}/nickname/change`,
      credential: nobody,
      body: { verificationCode: '12345678', newNickname: 'Alex_42' },
    },
    '6 DELETE domain': { method: 'delete', path: `/shops/${shopId}/domain`, credential: byKey },
    '7 GET stats/comparison': {
      method: 'get',
      path: `/stats/${shopId}/comparison`,
      credential: byKey,
      query: 'period',
    },
    '8 GET status': { method: 'get', path: `/servers/public/${serverId}/status`, credential: nobody },
    '9 POST webhook': { method: 'post', path: webhook.path, credential: nobody },
    'POST orders': {
      method: 'post',
      path: `/checkout/${shopId}/orders`,
      credential: nobody,
      body: { items: [{ productId, quantity: 1 }], serverId, nickname: 'Steve_42', email: 'b@example.com' },
    },
    'POST products': {
      method: 'post',
      path: `/products/${shopId}`,
      credential: byKey,
      body: { name: 'A', price: 1, serverIds: [serverId] },
    },
    'POST shops': {
      method: 'post',
      path: '/shops',
      credential: token,
      body: {
        uniqueName: 'hostile-shop',
        displayName: 'A',
        currency: 'EUR',
        timezone: 'UTC',
        nicknameRule: { preset: 'any' },
      },
    },
    'POST auth/login': { method: 'post', path: '/auth/login', credential: nobody, body: { email, password } },
    'POST auth/register': {
      method: 'post',
      path: '/auth/register',
      credential: nobody,
      body: { email: 'hostile@example.com', password: 'correct horse battery', name: 'A' },
    },
    'POST heartbeat': {
      method: 'post',
      path: `/servers/${shopId}/${serverId}/heartbeat`,
      credential: byKey,
      body: { onlinePlayers: 1, maxPlayers: 2 },
    },
    'PUT payment provider': {
      method: 'put',
      path: `/payments/${shopId}/providers/custom`,
      credential: byKey,
      body: { enabled: true, credentials: {} },
    },
    'GET servers': { method: 'get', path: `/servers/${shopId}`, credential: byKey, query: 'limit' },
  };
}
