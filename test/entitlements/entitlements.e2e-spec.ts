import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../src/lib/time/durations.js';
import {
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  lease,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { aKey, anOrder, aProduct, aServer, aShop, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { passDays, played } from './entitlement-actors.js';

const MONTH = { slug: 'vip', expiryCommands: ['end {nickname} vip'], durationDays: 30 };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

interface Listed {
  readonly id: string;
  readonly nickname: string;
  readonly state: string;
  readonly endedBy: string | null;
  readonly since: string;
  readonly until: string;
  readonly orderId: string;
  readonly changedAt: string;
}

let app: TestApp;
let shop: DeliveringShop;
let key: string;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, MONTH);
  ({ key } = await aKey(app.api, shop, 'plugin', ['entitlements:read']));
});
afterAll(() => app.close());

const get = (query = '', caller = { key }) => app.api.get(`/entitlements/${shop.shopId}${query}`, caller);
const list = async (query = ''): Promise<readonly Listed[]> => expectSuccess<Listed[]>(await get(query));
const check = async (query: string): Promise<object> => expectSuccess<object>(await get(`/check?${query}`));
const namesIn = async (query: string): Promise<string[]> => (await list(query)).map(({ nickname }) => nickname).sort();

async function bought(nickname: string, body: object = {}): Promise<TestOrder> {
  const order = await aPaidOrder(app.api, shop, { nickname, ...body });
  await played(app, shop);
  return order;
}

describe('The list of entitlements', () => {
  it('has what is paid, delivered, held and ended, each with its times', async () => {
    const order = await aPaidOrder(app.api, shop);
    const waiting = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ...{ nickname: 'Steve_42', productId: shop.productId, productName: 'VIP rank', countsAs: shop.productId },
      ...{ serverId: shop.serverId, quantity: 1, state: 'pending', endedBy: null, since: null, until: null },
      ...{ tier: null, orderId: order.id, position: 0, changedAt: TIME },
    };
    expect(await list()).toEqual([waiting]);
    await played(app, shop);
    const [active] = await list();
    expect(active).toEqual({ ...waiting, state: 'active', since: TIME, until: TIME });
    expect(Date.parse(active?.until ?? '') - Date.parse(active?.since ?? '')).toBe(30 * DAY_MS);
    await reportPayment(app.api, shop, order, 'dispute.opened', { disputeId: 'dp_1' });
    expect(await list()).toMatchObject([{ state: 'held', until: active?.until }]);
    await reportPayment(app.api, shop, order, 'dispute.lost', { disputeId: 'dp_1' });
    expect(await list()).toEqual([]);
    expect(await list('?state=all')).toMatchObject([{ id: active?.id, state: 'ended', endedBy: 'chargeback' }]);
  });

  it('says that what is over has ended, before any job has seen it', async () => {
    await bought('Steve_42');
    await passDays(app, shop, 31);
    expect(await list()).toEqual([]);
    expect(await list('?state=all')).toMatchObject([{ state: 'ended', endedBy: 'expired' }]);
  });

  it('is filtered by player, product, game server and order', async () => {
    const elsewhere = await aServer(app.api, shop);
    const coins = await aProduct(app.api, shop, { name: 'Coins' });
    const longer = await aProduct(app.api, shop, { ...MONTH, slug: null, countsAs: shop.productId });
    const order = await bought('Steve_42');
    await bought('Alex_42', { productId: coins });
    await bought('Kim_42', { productId: longer });
    await aPaidOrder(app.api, shop, { nickname: 'Sam_42', serverId: elsewhere });
    expect(await namesIn('?nickname=STEVE_42')).toEqual(['Steve_42']);
    expect(await namesIn(`?productId=${shop.productId}`)).toEqual(['Kim_42', 'Sam_42', 'Steve_42']);
    expect(await namesIn(`?productId=${longer}`)).toEqual(['Kim_42']);
    expect(await namesIn(`?serverId=${elsewhere}`)).toEqual(['Sam_42']);
    expect(await namesIn(`?orderId=${order.id}&productId=${coins}`)).toEqual([]);
    expect(await namesIn(`?orderId=${order.id}`)).toEqual(['Steve_42']);
  });

  it('begins with the latest or the earliest change, in pages, and finds what has changed since a time', async () => {
    for (const nickname of ['One_42', 'Two_42', 'Three_42']) await aPaidOrder(app.api, shop, { nickname });
    const names = (records: readonly Listed[]) => records.map(({ nickname }) => nickname);
    const first = await get('?limit=2');
    expect(names(expectSuccess(first))).toEqual(['Three_42', 'Two_42']);
    expect(first.headers['x-total-count']).toBe('3');
    const next = /cursor=([\w-]+)/.exec(String(first.headers['link']))?.[1] ?? '';
    expect(names(await list(`?limit=2&cursor=${next}`))).toEqual(['One_42']);
    await lease(app.api, shop, { limit: 1 });
    const before = (await list())[0]?.changedAt ?? '';
    await played(app, shop);
    expect(names(await list('?sort=oldest'))).toEqual(['One_42', 'Two_42', 'Three_42']);
    const since = new Date(Date.parse(before) + 1).toISOString();
    expect(await namesIn(`?state=all&sort=oldest&changedSince=${since}`)).toEqual(['Three_42', 'Two_42']);
  });

  it('is 304 while nothing has changed', async () => {
    await bought('Steve_42');
    const { headers } = await get();
    const again = { key, headers: { 'If-None-Match': String(headers['etag']) } };
    expect((await get('', again)).status).toBe(304);
    await bought('Alex_42');
    expect((await get('', again)).status).toBe(200);
  });

  it('shows a key that is bound to a game server what is owned there or on all, and what waits for any', async () => {
    const elsewhere = await aServer(app.api, shop);
    await aPaidOrder(app.api, shop, { nickname: 'Here_42' });
    await aPaidOrder(app.api, shop, { nickname: 'There_42', serverId: elsewhere });
    const everywhere = await aProduct(app.api, shop, { ownedEverywhere: true });
    await aPaidOrder(app.api, shop, { nickname: 'All_42', serverId: elsewhere, productId: everywhere });
    const { id, key: bound } = await aKey(app.api, shop, 'plugin', ['entitlements:read']);
    const { token } = shop.owner;
    expectSuccess(
      await app.api.put(`/api-keys/${id}/restrictions`, { serverIds: [shop.serverId], ipAllowlist: null }, { token }),
    );
    const seen = expectSuccess<Listed[]>(await get('', { key: bound })).map(({ nickname }) => nickname);
    expect(seen.sort()).toEqual(['All_42', 'Here_42']);
    const asked = `/check?nickname=There_42&product=vip`;
    const path = `/api/v2/entitlements/${shop.shopId}/check`;
    const denied = 'The API key is restricted to other game servers';
    expectError(await get(`${asked}&serverId=${elsewhere}`, { key: bound }), 403, denied, path);
    expectError(await get(asked, { key: bound }), 403, denied, path);
    expect(expectSuccess(await get(`${asked}&serverId=${shop.serverId}`, { key: bound }))).toMatchObject({
      owned: false,
    });
  });
});

describe('The check of what a player owns', () => {
  const nobody = () => ({
    productId: shop.productId,
    countsAs: shop.productId,
    owned: false,
    pending: false,
    since: null,
    until: null,
    tier: null,
  });

  it('has the end of all purchases together, and what waits', async () => {
    expect(await check('nickname=Steve_42&product=vip')).toEqual(nobody());
    await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId });
    expect(await check('nickname=Steve_42&product=vip')).toEqual(nobody());
    await aPaidOrder(app.api, shop);
    expect(await check('nickname=Steve_42&product=vip')).toEqual({ ...nobody(), pending: true });
    await played(app, shop);
    const longer = await aProduct(app.api, shop, {
      ...MONTH,
      slug: 'vip-90',
      durationDays: 90,
      countsAs: shop.productId,
    });
    await bought('Steve_42', { productId: longer });
    const [latest, first] = await list();
    const owned = { owned: true, pending: false, since: first?.since, until: latest?.until };
    expect(await check('nickname=steve_42&product=vip')).toEqual({ ...nobody(), ...owned });
    const asLonger = { ...nobody(), productId: longer, ...owned };
    expect(await check(`nickname=Steve_42&product=${longer}`)).toEqual(asLonger);
    await passDays(app, shop, 121);
    expect(await check('nickname=Steve_42&product=vip')).toEqual(nobody());
  });

  it('tells game servers apart, except for what is owned everywhere', async () => {
    const elsewhere = await aServer(app.api, shop);
    const everywhere = await aProduct(app.api, shop, { slug: 'everywhere', ownedEverywhere: true });
    await bought('Steve_42');
    await bought('Steve_42', { productId: everywhere });
    const at = (product: string, serverId: string) =>
      check(`nickname=Steve_42&product=${product}&serverId=${serverId}`);
    expect(await at('vip', shop.serverId)).toMatchObject({ owned: true });
    expect(await at('vip', elsewhere)).toMatchObject({ owned: false });
    expect(await at('everywhere', elsewhere)).toMatchObject({ owned: true, until: null });
  });

  it('finds a deleted product by its id, and rejects an unknown slug', async () => {
    await bought('Steve_42');
    expectSuccess(await app.api.delete(`/products/${shop.shopId}/${shop.productId}`, { token: shop.owner.token }));
    expect(await check(`nickname=Steve_42&product=${shop.productId.toUpperCase()}`)).toMatchObject({ owned: true });
    expect(await list()).toMatchObject([{ productName: 'VIP rank' }]);
    const missing = await get('/check?nickname=Steve_42&product=vip');
    expectError(missing, 404, 'There is no such product', `/api/v2/entitlements/${shop.shopId}/check`);
  });

  it('rejects what is not a player, a product or a game server', async () => {
    const problem = async (query: string) => {
      const response = await get(`/check?${query}`);
      expect(response.status).toBe(400);
      return (response.body as { error: string }).error;
    };
    expect(await problem('product=vip')).toMatch(/^nickname is required/);
    expect(await problem('nickname=Steve_42')).toMatch(/^product is required/);
    expect(await problem('nickname=Steve_42&product=vip&serverId=here')).toMatch(/^serverId must be/);
    expect((await get('?state=sold')).status).toBe(400);
    expect((await get('?cursor=ZWtY0XvP4p0sYV5b')).status).toBe(400);
  });

  it('knows nothing of another shop', async () => {
    const other = await aShop(app.api);
    const { key: stranger } = await aKey(app.api, other);
    expect((await get('', { key: stranger })).status).toBe(403);
    await bought('Steve_42');
    const query = `nickname=Steve_42&product=${shop.productId}`;
    const asked = await app.api.get(`/entitlements/${other.shopId}/check?${query}`, { key: stranger });
    expect(expectSuccess(asked)).toMatchObject({ owned: false });
  });
});
