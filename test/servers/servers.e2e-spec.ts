import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aMember, anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('Servers', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let plugin: string;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    key = (await aKey(app.api, shop)).key;
    plugin = (await aKey(app.api, shop, 'plugin')).key;
  });
  afterAll(() => app.close());

  describe('POST /servers/{shopId}', () => {
    const create = (body: unknown, credential = key) =>
      app.api.post(`/servers/${shop.shopId}`, body, { key: credential });

    it('creates a server without a status', async () => {
      const response = await create({ name: 'Skyblock', game: 'minecraft', address: 'play.example.com' });
      expect(expectSuccess(response, 'Server created')).toEqual({
        id: anId,
        name: 'Skyblock',
        game: 'minecraft',
        address: 'play.example.com',
        isHidden: false,
        ...{ status: 'unknown', players: null, version: null, lastSeenAt: null, problem: null, medianSeconds: null },
        createdAt: anInstant,
      });
      const bare = expectSuccess(await create({ name: 'Bare', game: 'rust', isHidden: true }));
      expect(bare).toMatchObject({ address: null, isHidden: true });
    });

    it.each([
      [{}, 'name is required, for example "Survival"; game is required, for example "minecraft"'],
      [{ name: '', game: 'x' }, 'name must have 1 to 80 characters'],
      [{ name: 'A', game: 'x', isHidden: 'false' }, 'isHidden must be true or false'],
      [{ name: 'A', game: 'x', isHidden: null }, 'isHidden must be true or false'],
      [{ name: 'A', game: 'x', address: 5 }, 'address must be a string'],
      [{ name: 'A', game: 'x', shopId: '0'.repeat(24) }, 'shopId is not a known field'],
      [{ name: 'A', game: 'x', heartbeat: {} }, 'heartbeat is not a known field'],
    ])('returns 400 for the server %j', async (body, error) => {
      expectError(await create(body), 400, error);
    });

    it('returns 403 for a member without the permission', async () => {
      const support = await aMember(app, shop, 'support');
      const response = await app.api.post(`/servers/${shop.shopId}`, {}, { token: support.token });
      expectError(response, 403, 'The credential lacks the permission servers:write');
    });
  });

  describe('GET /servers/{shopId}', () => {
    it('lists the servers of the shop, newest first, page by page', async () => {
      const own = await aShop(app.api);
      const ids: string[] = [];
      for (const name of ['A', 'B', 'C']) ids.unshift(await aServer(app.api, own, { name }));
      const token = own.owner.token;
      const all = await app.api.get(`/servers/${own.shopId}`, { token });
      const idsOf = (records: { id: string }[]): string[] => records.map(({ id }) => id);
      expect(idsOf(expectSuccess<{ id: string }[]>(all, 'Servers retrieved'))).toEqual(ids);
      expect(all.headers['link']).toBeUndefined();
      const first = await app.api.get(`/servers/${own.shopId}?limit=2`, { token });
      expect(idsOf(expectSuccess<{ id: string }[]>(first))).toEqual(ids.slice(0, 2));
      const next = /^<\/api\/v2(.+)>; rel="next"$/.exec(String(first.headers['link']))?.[1] ?? '';
      const second = await app.api.get(next, { token });
      expect(idsOf(expectSuccess<{ id: string }[]>(second))).toEqual(ids.slice(2));
      expect(second.headers['link']).toBeUndefined();
    });

    it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'limit=1&limit=2', 'cursor=!', 'cursor=AAAA', 'x=1'])(
      'returns 400 for ?%s',
      async (query) => {
        expectError(await app.api.get(`/servers/${shop.shopId}?${query}`, { key }), 400, /./);
      },
    );
  });

  describe('GET /servers/{shopId}/{serverId}', () => {
    it('returns one server of the shop, also to a key that is bound to it', async () => {
      const id = await aServer(app.api, shop, { address: 'play.example.com' });
      const server = { id, name: 'Survival', game: 'minecraft', address: 'play.example.com', isHidden: false };
      const response = await app.api.get(`/servers/${shop.shopId}/${id}`, { key });
      expect(expectSuccess(response, 'Server retrieved')).toEqual({
        ...server,
        ...{ status: 'unknown', players: null, version: null, lastSeenAt: null, problem: null, medianSeconds: null },
        createdAt: anInstant,
      });
      const bound = await aKey(app.api, shop);
      const restrictions = { serverIds: [id], ipAllowlist: null };
      const { token } = shop.owner;
      expectSuccess(await app.api.call('put', `/api-keys/${bound.id}/restrictions`, { token, body: restrictions }));
      expectSuccess(await app.api.get(`/servers/${shop.shopId}/${id}`, { key: bound.key }));
      const elsewhere = await app.api.get(`/servers/${shop.shopId}/${await aServer(app.api, shop)}`, {
        key: bound.key,
      });
      expectError(elsewhere, 403, 'The API key is restricted to other game servers');
    });
  });

  describe('PATCH /servers/{shopId}/{serverId}', () => {
    const update = (id: string, body: object) => app.api.patch(`/servers/${shop.shopId}/${id}`, body, { key });
    const read = async (id: string) => expectSuccess(await app.api.get(`/servers/${shop.shopId}/${id}`, { key }));

    it('changes what is sent, clears what is null and keeps what is absent', async () => {
      const id = await aServer(app.api, shop, { address: 'play.example.com' });
      const before = await read(id);
      const change = { name: 'Skyblock', address: null, isHidden: true };
      expect(expectSuccess(await update(id, change), 'Server updated')).toEqual({ ...before, ...change });
      expect(await read(id)).toEqual({ ...before, ...change });
      expectError(await app.api.get(`/servers/public/${id}/status`), 404, 'There is no such server');
    });

    it.each([
      [{}, 'Send at least one field to change'],
      [{ name: null }, 'name must be a string'],
      [{ isHidden: null }, 'isHidden must be true or false'],
      [{ archivedAt: null }, 'archivedAt is not a known field'],
    ])('returns 400 for the change %j, and the server stays as it is', async (body, error) => {
      const id = await aServer(app.api, shop);
      const before = await read(id);
      expectError(await update(id, body), 400, error);
      expect(await read(id)).toEqual(before);
    });
  });

  describe('DELETE /servers/{shopId}/{serverId}', () => {
    it('stops orders, heartbeats and the status of the server, which statistics still include', async () => {
      const id = await aServer(app.api, shop);
      const productId = await aProduct(app.api, shop, { serverIds: [id] });
      const path = `/servers/${shop.shopId}/${id}`;
      const before = expectSuccess(await app.api.get(path, { key }));
      expectSuccess(await app.api.get(`/servers/public/${id}/status`));
      await anOrder(app.api, shop.shopId, { productId, serverId: id });
      expect(expectSuccess(await app.api.delete(path, { key }), 'Server deleted')).toEqual(before);
      const order = { items: [{ productId, quantity: 1 }], serverId: id, nickname: 'Steve_42', email: 'a@example.com' };
      const heartbeat = { onlinePlayers: 1, maxPlayers: 2 };
      for (const response of [
        await app.api.get(path, { key }),
        await app.api.patch(path, { name: 'New' }, { key }),
        await app.api.delete(path, { key }),
        await app.api.post(`${path}/heartbeat`, heartbeat, { key: plugin }),
        await app.api.get(`/servers/public/${id}/status`),
        await app.api.post(`/checkout/${shop.shopId}/orders`, order),
        await app.api.post(`/products/${shop.shopId}`, { name: 'A', price: 1, serverIds: [id] }, { key }),
      ]) {
        expectError(response, 404, 'There is no such server');
      }
      const list = expectSuccess<{ id: string }[]>(await app.api.get(`/servers/${shop.shopId}`, { key }));
      expect(list.map((server) => server.id)).not.toContain(id);
      expectSuccess(await app.api.get(`/stats/${shop.shopId}/comparison?serverId=${id}`, { key }));
    });
  });

  describe('POST /servers/{shopId}/{serverId}/heartbeat', () => {
    const REPORT = { onlinePlayers: 1, maxPlayers: 2 };

    it('accepts a plugin key', async () => {
      const id = await aServer(app.api, shop);
      const response = await app.api.post(`/servers/${shop.shopId}/${id}/heartbeat`, REPORT, { key: plugin });
      expect(expectSuccess(response, 'Heartbeat received')).toEqual({ nextHeartbeatSeconds: 30 });
      const [latest] = expectSuccess<{ lastSeenAt: string }[]>(
        await app.api.get(`/servers/${shop.shopId}?limit=1`, { key: plugin }),
      );
      expect(latest).toMatchObject({ id, lastSeenAt: anInstant });
    });

    it.each([
      [{}, 'onlinePlayers is required, for example 42; maxPlayers is required, for example 100'],
      [{ problem: null }, 'onlinePlayers is required, for example 42; maxPlayers is required, for example 100'],
      [
        { problem: 5 },
        'onlinePlayers is required, for example 42; maxPlayers is required, for example 100; problem must be a string',
      ],
      [{ ...REPORT, onlinePlayers: '1' }, 'onlinePlayers must be a number'],
      [{ ...REPORT, onlinePlayers: { $inc: 1 } }, 'onlinePlayers must be a number'],
      [{ ...REPORT, version: 5 }, 'version must be a string'],
      [{ ...REPORT, at: '2999-01-01T00:00:00Z' }, 'at is not a known field'],
    ])('returns 400 for the heartbeat %j', async (body, error) => {
      const id = await aServer(app.api, shop);
      expectError(await app.api.post(`/servers/${shop.shopId}/${id}/heartbeat`, body, { key: plugin }), 400, error);
    });

    it('shows staff why the plugin cannot deliver until it calls again, without a sign of life', async () => {
      const own = await aShop(app.api);
      const id = await aServer(app.api, own);
      const path = `/servers/${own.shopId}/${id}`;
      const call = { token: own.owner.token };
      const beat = async (report: object): Promise<unknown> => {
        expectSuccess(
          await app.api.post(`${path}/heartbeat`, report, { key: (await aKey(app.api, own, 'plugin')).key }),
        );
        return expectSuccess(await app.api.get(path, call));
      };
      const problem = 'The console does not answer';
      expect(await beat({ problem: `${problem}\n` })).toMatchObject({ problem, status: 'unknown', lastSeenAt: null });
      const { needs } = expectSuccess<{ needs: unknown[] }>(await app.api.get(`/shops/${own.shopId}/overview`, call));
      expect(needs).toMatchObject([{ kind: 'server_problem', subject: id, reason: problem, since: anInstant }]);
      expect(await beat(REPORT)).toMatchObject({ problem: null, status: 'online' });
      const silent = { problem: 'x'.repeat(300), onlinePlayers: 'nobody' };
      expect(await beat(silent)).toMatchObject({ problem: 'x'.repeat(200), players: { online: 1 } });
    });

    it('cuts what is too large or too long, so that the server stays online', async () => {
      const id = await aServer(app.api, shop);
      const report = {
        onlinePlayers: -1,
        maxPlayers: 2_147_483_647,
        version: `\u001b[0m${'x'.repeat(200)}`,
        latencyMs: 0.7,
      };
      expectSuccess(await app.api.post(`/servers/${shop.shopId}/${id}/heartbeat`, report, { key: plugin }));
      expect(expectSuccess(await app.api.get(`/servers/public/${id}/status`))).toMatchObject({
        status: 'online',
        players: { online: 0, max: 1_000_000 },
        version: `[0m${'x'.repeat(61)}`,
        latencyMs: 1,
      });
    });

    it.each([['deliveries:write'], ['servers:report']] as const)(
      'accepts a key with only %s, which can neither change nor delete the server',
      async (permission) => {
        const id = await aServer(app.api, shop);
        const credential = { key: (await aKey(app.api, shop, 'plugin', [permission])).key };
        const path = `/servers/${shop.shopId}/${id}`;
        expectSuccess(await app.api.post(`${path}/heartbeat`, REPORT, credential));
        for (const response of [
          await app.api.delete(path, credential),
          await app.api.patch(path, { name: 'New' }, credential),
          await app.api.post(`/servers/${shop.shopId}`, { name: 'New', game: 'minecraft' }, credential),
        ]) {
          expectError(response, 403, 'The credential lacks the permission servers:write');
        }
      },
    );

    it('returns 404 for an unknown server and for one of another shop, which does not change', async () => {
      const other = await aShop(app.api);
      const foreign = await aServer(app.api, other);
      for (const id of ['0'.repeat(24), foreign]) {
        const response = await app.api.post(`/servers/${shop.shopId}/${id}/heartbeat`, REPORT, { key: plugin });
        expectError(response, 404, 'There is no such server');
      }
      const status = expectSuccess(await app.api.get(`/servers/public/${foreign}/status`));
      expect(status).toMatchObject({ status: 'unknown' });
    });

    it('returns 403 for another shop, 403 for a storefront key, 400 for a malformed id', async () => {
      const other = await aShop(app.api);
      const id = await aServer(app.api, other);
      const foreign = await app.api.post(`/servers/${other.shopId}/${id}/heartbeat`, REPORT, { key: plugin });
      expectError(foreign, 403, 'The credential has no access to this shop');
      const storefront = await aKey(app.api, shop, 'storefront');
      const weak = await app.api.post(`/servers/${shop.shopId}/${id}/heartbeat`, REPORT, { key: storefront.key });
      expectError(weak, 403, 'The credential lacks the permission servers:report');
      const malformed = await app.api.post(`/servers/${shop.shopId}/nothex/heartbeat`, REPORT, { key: plugin });
      expectError(malformed, 400, /^An identifier in the path/);
    });
  });
});
