import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, anOrder, aPerson, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';
import { type DatabaseGate, databaseGate } from '../payments/database-gate.js';
import { aWebhook, sendCustom, type TestWebhook } from '../payments/senders.js';

const OUTAGES: readonly [string, (gate: DatabaseGate) => void][] = [
  ['cannot be reached', (gate) => gate.shut()],
  ['does not respond', (gate) => gate.stall()],
];

describe.each(OUTAGES)('While the database %s', (_name, begin) => {
  let databaseUri: string;
  let gate: DatabaseGate;
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let keyId: string;
  let serverId: string;
  let unseenServerId: string;
  let productId: string;
  let order: TestOrder;
  let webhook: TestWebhook;

  const status = (id = serverId): Promise<Response> => app.api.get(`/servers/public/${id}/status`);
  const event = (): object => ({
    type: 'payment.succeeded',
    orderId: order.id,
    paymentId: 'pay_1',
    amount: order.total,
    currency: 'EUR',
    occurredAt: new Date().toISOString(),
  });

  beforeAll(async () => {
    databaseUri = testDatabaseUri();
    gate = await databaseGate(databaseUri);
    // The time limits of production: the responses must come although the database never responds.
    app = await startTestApp({ databaseUri: gate.uri, env: { TIME_LIMIT_FACTOR: '1' } });
    shop = await aShop(app.api);
    ({ id: keyId, key } = await aKey(app.api, shop));
    [serverId, unseenServerId] = [await aServer(app.api, shop), await aServer(app.api, shop)];
    productId = await aProduct(app.api, shop);
    order = await anOrder(app.api, shop.shopId, { productId, serverId });
    webhook = await aWebhook(app.api, shop, 'custom');
    const heartbeat = { onlinePlayers: 42, maxPlayers: 100 };
    expectSuccess(await app.api.post(`/servers/${shop.shopId}/${serverId}/heartbeat`, heartbeat, { key }));
    expect(expectSuccess(await status())).toMatchObject({ status: 'online', stale: false });
    begin(gate);
  });
  afterAll(async () => {
    gate.open();
    await app.close();
    await gate.close();
    await inDatabase({ databaseUri }, (db) => db.dropDatabase());
  });

  it('returns 503 with Retry-After in the envelope from every endpoint', async () => {
    const { shopId, owner } = shop;
    const { token } = owner;
    const checkout = { items: [{ productId, quantity: 1 }], serverId, nickname: 'Steve_42', email: 'b@example.com' };
    const calls: Record<string, () => Promise<Response>> = {
      '1 team': () => app.api.get(`/shops/${shopId}/team`, { key }),
      '1 team, by token': () => app.api.get(`/shops/${shopId}/team`, { token }),
      '2 key update': () => app.api.patch(`/api-keys/${keyId}`, { name: 'Renamed' }, { token }),
      '3 key list': () => app.api.get('/api-keys', { token }),
      '4 validation': () => app.api.post(`/discounts/${shopId}/validate`, { code: 'A', orderValue: 1 }, { key }),
      '5 nickname': () =>
        app.api.post(`/orders/public/${order.id}/nickname/change`, {
          verificationCode: '12345678',
          newNickname: 'Alex_42',
        }),
      '6 domain': () => app.api.delete(`/shops/${shopId}/domain`, { key }),
      '7 comparison': () => app.api.get(`/stats/${shopId}/comparison`, { key }),
      '8 status that nobody asked for before': () => status(unseenServerId),
      '9 webhook': () => sendCustom(app.api, webhook, event()),
      checkout: () => app.api.post(`/checkout/${shopId}/orders`, checkout),
      order: () => app.api.get(`/orders/public/${order.id}`, { headers: { 'X-Order-Token': order.accessToken } }),
      login: () => app.api.post('/auth/login', { email: owner.email, password: owner.password }),
      register: () => app.api.post('/auth/register', { email: 'x@example.com', password: owner.password, name: 'X' }),
      refresh: () => app.api.post('/auth/refresh', { refreshToken: owner.refreshToken }),
      ready: () => app.api.get('/health/ready'),
    };
    const responses = await Promise.all(
      Object.entries(calls).map(async ([name, call]) => {
        return { name, response: await call() };
      }),
    );
    const shown = responses.map(({ name, response }) => ({ name, status: response.status }));
    expect(shown).toEqual(Object.keys(calls).map((name) => ({ name, status: 503 })));
    for (const { name, response } of responses) {
      expectError(response, 503, 'The service is temporarily unavailable; try again shortly');
      expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      // A caller with a credential does not use up what callers without one have at the same address.
      if (name.startsWith('1 team')) expect(response.headers['ratelimit-policy']).toMatch(/^"serviceErrors";/);
    }
  });

  it('serves the public status from memory and marks it as stale', async () => {
    expect(expectSuccess(await status())).toMatchObject({
      status: 'online',
      players: { online: 42, max: 100 },
      stale: true,
    });
  });

  it('reports the service as live, because a restart would not help', async () => {
    expectSuccess(await app.api.get('/health/live'));
  });

  it('rejects invalid requests that need no database as usual', async () => {
    expectError(await app.api.get(`/shops/${shop.shopId}/team`), 401, 'Authentication is missing or invalid');
    expectError(await app.api.get(`/shops/${shop.shopId}/team`, { key: 'shp_x' }), 401, /^Authentication/);
    expectError(await app.api.get('/servers/public/x/status'), 400, /^An identifier/);
    expectError(await app.api.get('/nothing'), 404, 'There is no such endpoint');
  });

  it('loses nothing, repeats nothing, and recovers without a restart', async () => {
    gate.open();
    await eventually(async () => (await app.api.get('/health/ready')).status === 200);
    expect(expectSuccess(await status())).toMatchObject({ status: 'online', stale: false });
    const token = { headers: { 'X-Order-Token': order.accessToken } };
    const before = expectSuccess(await app.api.get(`/orders/public/${order.id}`, token));
    expect(before).toMatchObject({ paymentStatus: 'pending', nickname: 'Steve_42' });
    expectSuccess(await sendCustom(app.api, webhook, event()));
    const after = expectSuccess(await app.api.get(`/orders/public/${order.id}`, token));
    expect(after).toMatchObject({ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' });
    expectSuccess(await app.api.get('/api-keys', { token: shop.owner.token }));
    await aPerson(app.api);
  });

  it('logs that the database cannot be reached, and logs no error of the service itself', () => {
    expect(app.output()).toContain('The database cannot be reached');
    expect(app.output()).not.toContain('"level":"error"');
  });
});
