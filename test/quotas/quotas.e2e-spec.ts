import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import {
  aDiscount,
  aKey,
  aMember,
  aPerson,
  aProduct,
  aServer,
  aShop,
  type TestShop,
  unique,
} from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const QUOTAS =
  'shopsPerPerson=3,keysPerPerson=4,keysPerShop=3,teamPerShop=4,productsPerShop=3,serversPerShop=3,categoriesPerShop=3,discountsPerShop=3';
const PARALLEL = 12;

describe('Quotas', () => {
  let app: TestApp;
  let shop: TestShop;
  const limited = (thing: string, name: string, quota: number): string =>
    `${thing}, and the limit is ${quota} (${name})`;

  /** Sends parallel requests. Exactly `room` of them succeed, and the others name the limit. */
  async function expectRoom(room: number, sentence: string, send: () => Promise<Response>): Promise<Response[]> {
    const responses = await Promise.all(Array.from({ length: PARALLEL }, send));
    const done = responses.filter(({ status }) => status === 200);
    expect(done).toHaveLength(room);
    for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 409, sentence);
    return done;
  }
  const post = (path: string, body: () => object, owner = shop.owner): (() => Promise<Response>) => {
    return () => app.api.post(path, body(), { token: owner.token });
  };
  const idsOf = (responses: readonly Response[]): string[] =>
    responses.map((response) => expectSuccess<{ id: string }>(response).id);

  beforeAll(async () => {
    app = await startTestApp({ env: { QUOTAS } });
    shop = await aShop(app.api);
  });
  afterAll(() => app.close());

  it('accepts as many parallel requests as productsPerShop leaves; another shop has its own quota', async () => {
    const other = await aShop(app.api);
    await aProduct(app.api, shop);
    const create = post(`/products/${shop.shopId}`, () => ({ name: 'VIP', price: 1 }));
    await expectRoom(2, limited('The shop has 3 products', 'productsPerShop', 3), create);
    await aProduct(app.api, other);
  });

  it('accepts as many parallel requests as categoriesPerShop leaves', async () => {
    const create = post(`/categories/${shop.shopId}`, () => ({ name: 'Ranks' }));
    await expectRoom(3, limited('The shop has 3 categories', 'categoriesPerShop', 3), create);
  });

  it('accepts as many parallel requests as serversPerShop leaves', async () => {
    await aServer(app.api, shop);
    const create = post(`/servers/${shop.shopId}`, () => ({ name: 'Survival', game: 'minecraft' }));
    await expectRoom(2, limited('The shop has 3 game servers', 'serversPerShop', 3), create);
  });

  it('accepts as many parallel requests as discountsPerShop leaves; a deleted code no longer counts', async () => {
    const { id } = await aDiscount(app.api, shop);
    const create = post(`/discounts/${shop.shopId}`, () => ({ code: `CODE${unique()}`, type: 'percent', value: 10 }));
    const sentence = limited('The shop has 3 discount codes', 'discountsPerShop', 3);
    await expectRoom(2, sentence, create);
    expectSuccess(await app.api.delete(`/discounts/${shop.shopId}/${id}`, { token: shop.owner.token }));
    await expectRoom(1, sentence, create);
  });

  it('counts for keysPerShop the keys of all members; revoked and expired keys no longer count', async () => {
    const { api } = app;
    const own = await aShop(api);
    const member = await aMember(app, own, 'admin');
    await aKey(api, { ...own, owner: member });
    const body = () => ({ shopId: own.shopId, name: 'key', type: 'secret', permissions: ['shops:read'] });
    const create = post('/api-keys', body, own.owner);
    const sentence = limited('The shop has 3 API keys that work', 'keysPerShop', 3);
    const [revoked, expired] = idsOf(await expectRoom(2, sentence, create));
    expectSuccess(await api.delete(`/api-keys/${revoked}`, { token: own.owner.token }));
    await inDatabase(app, (database) =>
      database.collection('api_keys').updateOne({ _id: idOf(expired ?? '') }, { $set: { expiresAt: new Date() } }),
    );
    await expectRoom(2, sentence, create);
  });

  it('counts for keysPerPerson the keys of a person in all shops', async () => {
    const { api } = app;
    const own = await aShop(api);
    const second = { ...own, shopId: (await aShopOf(own.owner)).shopId };
    await aKey(api, own);
    await aKey(api, own);
    const body = () => ({ shopId: second.shopId, name: 'key', type: 'secret', permissions: ['shops:read'] });
    const sentence = limited('The person has 4 API keys that work', 'keysPerPerson', 4);
    await expectRoom(2, sentence, post('/api-keys', body, own.owner));
  });

  const aShopOf = async (owner: TestShop['owner']): Promise<TestShop> => {
    const response = await app.api.post('/shops', shopBody(), { token: owner.token });
    return { shopId: expectSuccess<{ _id: string }>(response)._id, uniqueName: '', owner };
  };
  const shopBody = (): object => ({
    uniqueName: `shop-${unique()}`,
    displayName: 'Sky Realm',
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    nicknameRule: { preset: 'minecraft-java' },
  });

  describe('shopsPerPerson', () => {
    const sentence = limited('The person owns 3 shops', 'shopsPerPerson', 3);

    it('lets parallel requests create exactly as many shops as the limit; a shop that was given away no longer counts', async () => {
      const { api } = app;
      const owner = await aPerson(api);
      const made = await expectRoom(3, sentence, post('/shops', shopBody, owner));
      const shopId = expectSuccess<{ _id: string }>(made[0] as Response)._id;
      await aMember(app, { shopId, uniqueName: '', owner }, 'admin');
      const { members } = expectSuccess<{ members: { id: string; role: string }[] }>(
        await api.get(`/shops/${shopId}/team`, { token: owner.token }),
      );
      const id = members.find(({ role }) => role === 'admin')?.id ?? '';
      expectSuccess(await api.call('post', `/shops/${shopId}/team/${id}/transfer-ownership`, { token: owner.token }));
      await expectRoom(1, sentence, post('/shops', shopBody, owner));
    });

    it('applies shopsPerPerson also to a person who becomes an owner by a new role, a transfer or an invitation', async () => {
      const { api } = app;
      const own = await aShop(api);
      const rich = await aMember(app, own, 'admin');
      const { token } = own.owner;
      await expectRoom(3, sentence, post('/shops', shopBody, rich));
      const { members } = expectSuccess<{ members: { id: string; role: string }[] }>(
        await api.get(`/shops/${own.shopId}/team`, { token }),
      );
      const path = `/shops/${own.shopId}/team/${members.find(({ role }) => role === 'admin')?.id}`;
      expectError(await api.patch(path, { role: 'owner' }, { token }), 409, sentence);
      expectError(await api.call('post', `${path}/transfer-ownership`, { token }), 409, sentence);
      const invited = await aPerson(api);
      await expectRoom(3, sentence, post('/shops', shopBody, invited));
      const invitation = { email: invited.email, role: 'owner' };
      expectSuccess(await api.post(`/shops/${own.shopId}/team/invitations`, invitation, { token }));
      const [secret] = await app.mailbox.next(invited.email, /shi_[A-Za-z0-9_-]{43}/);
      const accepted = await api.post('/team/invitations/accept', { token: secret }, { token: invited.token });
      expectError(accepted, 409, sentence);
    });
  });

  it('counts for teamPerShop members and open invitations; a revoked invitation no longer counts, a repeated one counts once', async () => {
    const { api } = app;
    const own = await aShop(api);
    await aMember(app, own, 'support');
    const path = `/shops/${own.shopId}/team/invitations`;
    const invite = post(path, () => ({ email: `${unique()}@example.com`, role: 'support' }), own.owner);
    const sentence = limited('The team has 4 members and open invitations', 'teamPerShop', 4);
    const [first, second] = (await expectRoom(2, sentence, invite)).map((response) =>
      expectSuccess<{ id: string; email: string }>(response),
    );
    expectSuccess(await api.post(path, { email: second?.email, role: 'support' }, { token: own.owner.token }));
    expectSuccess(await api.delete(`${path}/${first?.id}`, { token: own.owner.token }));
    await expectRoom(1, sentence, invite);
  });
});
