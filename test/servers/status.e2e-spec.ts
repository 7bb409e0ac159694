import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aServer, aShop, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const REPORT = { onlinePlayers: 42, maxPlayers: 100, version: 'Paper 1.21.4', latencyMs: 12 };

describe('GET /servers/public/{serverId}/status', () => {
  let app: TestApp;
  let records: Records;
  let shop: TestShop;
  let plugin: string;
  let serverId: string;
  const path = (id = serverId): string => `/servers/public/${id}/status`;
  const status = (headers: Record<string, string> = {}): Promise<Response> => app.api.get(path(), { headers });
  const beat = (report: object = REPORT): Promise<Response> =>
    app.api.post(`/servers/${shop.shopId}/${serverId}/heartbeat`, report, { key: plugin });
  /** Moves the last sign of life into the past, as if the time had passed. */
  const silentFor = (seconds: number): Promise<unknown> => {
    const at = new Date(Date.now() - seconds * 1000);
    const seen = { $set: { seenAt: at, 'heartbeat.at': at } };
    return records.db.collection('game_servers').updateOne({ _id: idOf(serverId) }, seen);
  };
  const lease = (): Promise<Response> =>
    app.api.post(`/deliveries/${shop.shopId}/lease`, { serverId }, { key: plugin });

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aShop(app.api);
    plugin = (await aKey(app.api, shop, 'plugin')).key;
  });
  beforeEach(async () => {
    serverId = await aServer(app.api, shop);
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  it('returns null, and not 0, for what is unknown before the first heartbeat', async () => {
    expect(expectSuccess(await status(), 'Server status retrieved')).toEqual({
      id: serverId,
      name: 'Survival',
      status: 'unknown',
      players: null,
      version: null,
      latencyMs: null,
      lastSeenAt: null,
      checkedAt: anInstant,
      stale: false,
    });
  });

  it("returns what the server's plugin last reported", async () => {
    expect(expectSuccess(await beat(), 'Heartbeat received')).toEqual({ nextHeartbeatSeconds: 30 });
    expect(expectSuccess(await status())).toEqual({
      id: serverId,
      name: 'Survival',
      status: 'online',
      players: { online: 42, max: 100 },
      version: 'Paper 1.21.4',
      latencyMs: 12,
      lastSeenAt: anInstant,
      checkedAt: anInstant,
      stale: false,
    });
    expectSuccess(await beat({ onlinePlayers: 0, maxPlayers: 100 }));
    expect(expectSuccess(await status())).toMatchObject({
      players: { online: 0, max: 100 },
      version: null,
      latencyMs: null,
    });
  });

  it('shows a server as online but stale when a heartbeat is overdue', async () => {
    await beat();
    await silentFor(80);
    expect(expectSuccess(await status())).toMatchObject({ status: 'online', players: { online: 42 }, stale: true });
  });

  it('shows a server as offline after three missed heartbeats: no players, no latency, but the time of the last heartbeat (complaint 25)', async () => {
    await beat();
    await silentFor(91);
    expect(expectSuccess(await status())).toMatchObject({
      status: 'offline',
      players: null,
      version: 'Paper 1.21.4',
      latencyMs: null,
      lastSeenAt: anInstant,
      stale: true,
    });
    await beat();
    expect(expectSuccess(await status())).toMatchObject({ status: 'online', stale: false });
  });

  it('shows a server whose plugin only leases deliveries as online, without players', async () => {
    expectSuccess(await lease());
    expect(expectSuccess(await status())).toMatchObject({
      status: 'online',
      players: null,
      version: null,
      latencyMs: null,
      lastSeenAt: anInstant,
      stale: false,
    });
    await beat();
    await silentFor(91);
    expectSuccess(await lease());
    expect(expectSuccess(await status())).toMatchObject({ status: 'online', players: null, version: 'Paper 1.21.4' });
    await beat();
    expectSuccess(await lease());
    expect(expectSuccess(await status())).toMatchObject({ status: 'online', players: { online: 42, max: 100 } });
  });

  it('lets caches keep the status for 10 seconds, with an ETag that changes with the status only', async () => {
    await beat();
    const first = await status();
    expect(first.headers['cache-control']).toBe('public, max-age=10');
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/);
    const same = await status({ 'If-None-Match': etag });
    expect({ status: same.status, text: same.text }).toEqual({ status: 304, text: '' });
    expect(same.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=10' });
    expect(same.headers['ratelimit']).toBeDefined();
    expect((await status({ 'If-None-Match': `"other", ${etag}` })).status).toBe(304);
    expectSuccess(await status({ 'If-None-Match': '"other"' }));
    await beat({ ...REPORT, onlinePlayers: 43 });
    const changed = await status({ 'If-None-Match': etag });
    expect(expectSuccess(changed)).toMatchObject({ players: { online: 43 } });
    expect(changed.headers['etag']).not.toBe(etag);
  });

  it('ignores credentials, also two at once and wrong ones', async () => {
    expectSuccess(await app.api.get(path(), { token: 'x.y.z', key: 'none' }));
  });

  it('accepts the id of a server in upper case', async () => {
    expect(expectSuccess(await app.api.get(path(serverId.toUpperCase())))).toMatchObject({ id: serverId });
  });

  it('returns 400 for a malformed id, which is not cached', async () => {
    for (const id of ['nothex', '0'.repeat(23), '0'.repeat(25), `${'0'.repeat(23)}g`, '%24ne', '[object%20Object]']) {
      const response = await app.api.get(path(id));
      expectError(response, 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });

  it('returns 404 for an unknown server and for a hidden one, which are the same', async () => {
    const hidden = await aServer(app.api, shop, { isHidden: true });
    for (const id of ['0'.repeat(24), hidden]) {
      const response = await app.api.get(path(id));
      expectError(response, 404, 'There is no such server', `/api/v2${path(id)}`);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.headers['etag']).toBeUndefined();
    }
  });
});
