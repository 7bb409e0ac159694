import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aServer, aShop, type TestShop } from '../support/actors.js';
import { ObjectId } from 'mongodb';
import { HOUR_MS, SECOND_MS } from '../../src/lib/time/durations.js';
import { aDeliveryRecord } from '../support/delivery-records.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('GET /servers/public/by-shop/{shopId}', () => {
  let app: TestApp;
  let shop: TestShop;
  const path = (query = ''): string => `/servers/public/by-shop/${shop.shopId}${query}`;

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 50 } });
    shop = await aShop(app.api);
  });
  afterAll(() => app.close());

  it('returns all servers that are not hidden, with their address and status, without a key', async () => {
    const silent = await aServer(app.api, shop, { name: 'Creative' });
    const address = 'play.sky-realm.example';
    const busy = await aServer(app.api, shop, { name: 'Survival', address });
    await aServer(app.api, shop, { name: 'Staff', isHidden: true });
    const deleted = await aServer(app.api, shop, { name: 'Old' });
    expectSuccess(await app.api.delete(`/servers/${shop.shopId}/${deleted}`, { token: shop.owner.token }));
    const { key } = await aKey(app.api, shop, 'plugin');
    const report = { onlinePlayers: 42, maxPlayers: 100, version: 'Paper 1.21.4' };
    expectSuccess(await app.api.post(`/servers/${shop.shopId}/${busy}/heartbeat`, report, { key }));
    const response = await app.api.get(path());
    const unknown = {
      players: null,
      version: null,
      latencyMs: null,
      lastSeenAt: null,
      stale: false,
      medianSeconds: null,
    };
    expect(expectSuccess(response, 'Servers retrieved')).toEqual([
      {
        ...{ id: busy, name: 'Survival', game: 'minecraft', address, status: 'online', stale: false },
        ...{ players: { online: 42, max: 100 }, version: 'Paper 1.21.4', latencyMs: null, lastSeenAt: anInstant },
        medianSeconds: null,
      },
      { id: silent, name: 'Creative', game: 'minecraft', address: null, status: 'unknown', ...unknown },
    ]);
    expect(response.headers['cache-control']).toBe('public, max-age=10');
    const again = await app.api.get(path(), { headers: { 'If-None-Match': String(response.headers['etag']) } });
    expect(again.status).toBe(304);
    const first = await app.api.get(path('?limit=1'));
    expect(expectSuccess<object[]>(first)).toHaveLength(1);
    expect(first.headers['link']).toMatch(/rel="next"/);
  });

  it('says how long purchases usually wait for a server, and nothing before it has delivered 20', async () => {
    const [busy, quiet] = [await aServer(app.api, shop), await aServer(app.api, shop)];
    const now = Date.now();
    const delivered = (serverId: string, at: number, fields = {}): object => {
      const createdAt = new Date(now - HOUR_MS);
      const deliveredAt = new Date(createdAt.getTime() + at * SECOND_MS);
      const state = { state: 'delivered', createdAt, deliveredAt, orderId: new ObjectId() } as const;
      return aDeliveryRecord({ ...state, shopId: idOf(shop.shopId), serverId: idOf(serverId), ...fields });
    };
    await inDatabase(app, async (db) => {
      const deliveries = db.collection('deliveries');
      await deliveries.insertMany(Array.from({ length: 20 }, (_, at) => delivered(busy, at)));
      // What ends after its time, or is not delivered, does not count.
      await deliveries.insertMany(
        Array.from({ length: 30 }, () => delivered(busy, 3_000, { kind: 'expiry' })).concat(
          Array.from({ length: 30 }, () => delivered(busy, 0, { state: 'queued', deliveredAt: null })),
          Array.from({ length: 19 }, () => delivered(quiet, 5)),
        ),
      );
      await db.collection('game_servers').updateMany({}, { $set: { timesDueAt: new Date(0) } });
    });
    const listed = await eventually(async () => {
      const servers = expectSuccess<{ id: string; medianSeconds: number | null }[]>(await app.api.get(path()));
      return servers.some(({ medianSeconds }) => medianSeconds !== null) && servers;
    });
    expect(listed.filter(({ medianSeconds }) => medianSeconds !== null)).toMatchObject([
      { id: busy, medianSeconds: 10 },
    ]);
  });

  it('returns 404 for a closed and an unknown shop, and 400 for a malformed id', async () => {
    const closed = await aShop(app.api);
    expectSuccess(await app.api.delete(`/shops/${closed.shopId}`, { token: closed.owner.token }));
    for (const id of [closed.shopId, '0'.repeat(24)]) {
      expectError(await app.api.get(`/servers/public/by-shop/${id}`), 404, 'There is no such shop');
    }
    expectError(await app.api.get('/servers/public/by-shop/x'), 400, /ObjectId|identifier/);
  });
});
